package org.ftrma.core.coordinator;

import java.util.List;

/**
 * The images of one generation, all of them on disk, that are to be given a name.
 *
 * @param number the flush's number in this job
 * @param generation the coordinated checkpoint
 * @param step its step
 * @param view the view it was committed in
 * @param timeline the timeline it belongs to
 * @param parts by rank
 */
public record FlushedImages(long number, long generation, long step, int view, int timeline, List<Part> parts) {
    /**
     * One rank's image.
     *
     * @param bytes what it takes on disk
     * @param digest of its label and the checksums of its contents
     */
    public record Part(long bytes, byte[] digest) {
    }

    /** Bytes of all parts. */
    public long bytes() {
        return parts.stream().mapToLong(Part::bytes).sum();
    }
}
