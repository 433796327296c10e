package org.ftrma.spi;

/**
 * Position of the blocks of a strided access: a number of equal size, at equal distances in the source (of a get: in
 * the destination) and in the window. One object serves for all strided accesses of a window: it is filled anew for
 * each one, and nobody keeps it. One thread; allocates nothing.
 *
 * <p>{@code blocks.of(count, bytes).from(sourceOffset, sourceStride).to(offset, stride)}
 */
public final class Blocks {
    private long count;
    private long bytes;
    private long sourceOffset;
    private long sourceStride;
    private long offset;
    private long stride;

    /** So many blocks of so many bytes each. */
    public Blocks of(long number, long bytesOfEach) {
        count = number;
        bytes = bytesOfEach;
        return this;
    }

    /** Where the first one begins in the source, and how far apart their beginnings are there. */
    public Blocks from(long first, long apart) {
        sourceOffset = first;
        sourceStride = apart;
        return this;
    }

    /** Where the first one goes in the window, and how far apart their beginnings are there. */
    public Blocks to(long first, long apart) {
        offset = first;
        stride = apart;
        return this;
    }

    /** How many there are. */
    public long count() {
        return count;
    }

    /** Bytes of each. */
    public long bytes() {
        return bytes;
    }

    /** Bytes of all. */
    public long allBytes() {
        return count * bytes;
    }

    /** Where one of them begins in the source; the first is 0. */
    public long source(long index) {
        return sourceOffset + index * sourceStride;
    }

    /** Where one of them begins in the window; the first is 0. */
    public long target(long index) {
        return offset + index * stride;
    }

    /** Whether there is nothing to do. */
    public boolean isEmpty() {
        return count == 0 || bytes == 0;
    }

    /** How far apart their beginnings are in the source. */
    public long sourceStride() {
        return sourceStride;
    }

    /** How far apart their beginnings are in the window. */
    public long stride() {
        return stride;
    }

    /** Whether they lie one after the other in the source. */
    public boolean isPacked() {
        return sourceStride == bytes;
    }

    /** Whether they are all of the source, from its beginning, one after the other. */
    public boolean isPackedFromItsBeginning() {
        return sourceOffset == 0 && isPacked();
    }
}
