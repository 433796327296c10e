package org.ftrma.check.race;

/**
 * Bytes of a window that an access touches: a number of blocks of equal size, at equal distances. A value class; any
 * thread.
 *
 * @param offset where the first block begins
 * @param block bytes of each
 * @param stride how far apart their beginnings are
 * @param count how many there are
 */
record Extent(long offset, long block, long stride, long count) {
    /** One block. */
    static Extent of(long offset, long length) {
        return new Extent(offset, length, length, 1);
    }

    /** The same blocks, seen from where the memory that they lie in begins. */
    Extent from(long begin) {
        return new Extent(begin + offset, block, stride, count);
    }

    /** Where one of the blocks begins; the first is 0. */
    long begin(long index) {
        return offset + index * stride;
    }

    /** Whether it has no bytes. */
    boolean isEmpty() {
        return block == 0 || count == 0;
    }
}
