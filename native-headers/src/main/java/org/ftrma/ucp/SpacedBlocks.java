package org.ftrma.ucp;

/**
 * Blocks of equal size that a copy finds at equal distances, and leaves at equal distances. One object serves for all
 * copies to a piece of memory: it is filled anew for each one, and nobody keeps it. One thread; allocates nothing.
 *
 * <p>{@code blocks.of(count, bytes).apart(sourceStride, stride)}
 */
public final class SpacedBlocks {
    private long count;
    private long bytes;
    private long sourceStride;
    private long stride;

    /** So many blocks of so many bytes each. */
    public SpacedBlocks of(long number, long bytesOfEach) {
        count = number;
        bytes = bytesOfEach;
        return this;
    }

    /** How far apart their beginnings are at the source, and at the destination. */
    public SpacedBlocks apart(long atSource, long atDestination) {
        sourceStride = atSource;
        stride = atDestination;
        return this;
    }

    long count() {
        return count;
    }

    long bytes() {
        return bytes;
    }

    long sourceStride() {
        return sourceStride;
    }

    long stride() {
        return stride;
    }
}
