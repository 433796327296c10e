package org.ftrma.checkpoint;

/**
 * Where the blocks of a strided access are, here and at the target: bytes. One object of each window, set anew for each access, so that steady use
 * allocates nothing. Data thread only.
 */
final class Blocks {
    private long localOffset;
    private long localStride;
    private long offset;
    private long stride;
    private long bytes;
    private long count;

    /** Blocks in local memory. {@link #remote} follows. */
    Blocks local(long ofFirst, long distance) {
        localOffset = ofFirst;
        localStride = distance;
        return this;
    }

    /** Blocks in the window. {@link #of} follows. */
    Blocks remote(long ofFirst, long distance) {
        offset = ofFirst;
        stride = distance;
        return this;
    }

    /** So many blocks of so many bytes each. */
    Blocks of(long blockBytes, long blocks) {
        bytes = blockBytes;
        count = blocks;
        return this;
    }

    boolean isEmpty() {
        return count == 0 || bytes == 0;
    }

    long count() {
        return count;
    }

    /** Of one block. */
    long bytes() {
        return bytes;
    }

    /** Of the first block in local memory. */
    long localOffset() {
        return localOffset;
    }

    long localStride() {
        return localStride;
    }

    /** Of the first block in the window. */
    long offset() {
        return offset;
    }

    long stride() {
        return stride;
    }

    /** Where a block begins in local memory. */
    long localOffset(long block) {
        return localOffset + block * localStride;
    }

    /** Where a block begins in the window. */
    long offset(long block) {
        return offset + block * stride;
    }
}
