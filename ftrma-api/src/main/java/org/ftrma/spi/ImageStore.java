package org.ftrma.spi;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Store of images that outlives a job: a directory, usually of a shared file system. What a place is only the store and
 * whoever gives places know. Data thread only, unless said otherwise.
 */
public interface ImageStore extends AutoCloseable {
    /** A store that holds nothing and takes nothing. */
    ImageStore NONE = new ImageStore() {
        @Override
        public void write(String place, Label label, List<MemorySegment> parts, Listener listener) {
            listener.failed("this process has no place to write images to");
        }

        @Override
        public void cancel() {
            // nothing is written
        }

        @Override
        public Stored open(String place, int rank) {
            throw new org.ftrma.FtrmaException(org.ftrma.FtrmaException.Category.SETUP,
                "place=" + place + " rank=" + rank
                + ": this process has no place to read images from");
        }

        @Override
        public void close() {
            // nothing is written
        }
    };

    /**
     * What an image says of itself.
     *
     * @param rank whose image it is
     * @param ranks computing ranks of the job
     * @param generation the coordinated checkpoint
     * @param step its step
     * @param layout what the image is made of, as lines of text: at most {@link #MAX_LAYOUT_BYTES} in UTF-8
     */
    record Label(int rank, int ranks, long generation, long step, String layout) {
        /** The longest layout, in bytes. */
        public static final int MAX_LAYOUT_BYTES = 1 << 18;
    }

    /** Is told what became of a write: one call, by any thread. The image's memory is not read any more then. */
    interface Listener {
        /**
         * The image is written whole, and safe from a crash of this process and of its machine.
         *
         * @param bytes what it takes
         * @param digest of the label and of all checksums of the contents, at most 64 bytes
         */
        void written(long bytes, byte[] digest);

        /** It is not, and what was written of it is removed as far as that is possible. */
        void failed(String reason);
    }

    /** An image that was found. */
    interface Stored extends AutoCloseable {
        /** What it says of itself; checked. */
        Label label();

        /** Bytes of its contents. */
        long bytes();

        /**
         * Reads and checks the contents.
         *
         * @param parts memory that takes it, one part after the other; together {@link #bytes}
         * @param meanwhile is run now and then
         */
        void into(List<MemorySegment> parts, Runnable meanwhile);

        @Override
        void close();
    }

    /**
     * Begins to write an image in the background; returns at once. One at a time. Nobody changes the parts until the
     * listener was called.
     *
     * @param place where the images of all ranks of this generation are to be
     * @param parts the image, one part after the other
     */
    void write(String place, Label label, List<MemorySegment> parts, Listener listener);

    /** The write under way, if there is one, is not wanted any more: it fails soon. Returns at once. */
    void cancel();

    /** Finds a rank's image; an {@link org.ftrma.FtrmaException} says why it cannot be used. */
    Stored open(String place, int rank);

    /** Ends a write under way; when this returns no memory is read any more. */
    @Override
    void close();
}
