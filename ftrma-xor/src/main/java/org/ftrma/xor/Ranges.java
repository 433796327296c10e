package org.ftrma.xor;

import java.lang.foreign.MemorySegment;

/** Checks of memory ranges, done before any byte moves. Any thread. */
final class Ranges {
    private Ranges() {
    }

    /**
     * The address of {@code offset} in an off-heap segment, after checking that {@code length} bytes are there and may
     * be used by this thread.
     *
     * @param what  names the segment in messages
     * @param index its place in an array, or -1
     */
    static long address(MemorySegment segment, long offset, long length, boolean written, String what, int index) {
        if (length < 0 || offset < 0 || offset > segment.byteSize() - length) {
            throw new IndexOutOfBoundsException(name(what, index) + ": offset=" + offset + " length=" + length
                + " segmentLength="
                + segment.byteSize());
        }
        if (!segment.isNative()) {
            throw new IllegalArgumentException(name(what, index)
                + " is on the heap; parity and images live in off-heap memory"
                + " (use an Arena)");
        }
        if (!segment.scope().isAlive()) {
            throw new IllegalStateException(name(what, index) + ": its arena is closed");
        }
        if (!segment.isAccessibleBy(Thread.currentThread())) {
            throw new WrongThreadException(name(what, index) + " is confined to another thread than "
                + Thread.currentThread().getName());
        }
        if (written && segment.isReadOnly()) {
            throw new IllegalArgumentException(name(what, index) + " is read-only and would be written");
        }
        return segment.address() + offset;
    }

    /** Refuses a written range that shares bytes with one that is read. */
    static void requireApart(long read, long written, long length, String what, int index, String writtenWhat) {
        if (read < written + length && written < read + length) {
            throw new IllegalArgumentException(name(what, index) + " and " + writtenWhat
                + " overlap: the distance of their starts is "
                + (written - read) + " bytes, length=" + length);
        }
    }

    private static String name(String what, int index) {
        return index < 0 ? what : what + "[" + index + "]";
    }
}
