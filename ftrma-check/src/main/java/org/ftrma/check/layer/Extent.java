package org.ftrma.check.layer;

/**
 * Bytes of a window that an access touches: a number of blocks of equal size, at equal distances. A value class; any
 * thread.
 *
 * @param offset where the first block begins
 * @param block bytes of each
 * @param stride how far apart their beginnings are
 * @param count how many there are
 */
public record Extent(long offset, long block, long stride, long count) {
    /** One block. */
    public static Extent of(long offset, long length) {
        return new Extent(offset, length, length, 1);
    }

    /** The same blocks, seen from where the memory that they lie in begins. */
    public Extent from(long begin) {
        return new Extent(begin + offset, block, stride, count);
    }

    /** Where one of the blocks begins; the first is 0. */
    public long begin(long index) {
        return offset + index * stride;
    }

    /** Whether it has no bytes. */
    public boolean isEmpty() {
        return block == 0 || count == 0;
    }

    /** From the beginning of the first block to the end of the last one. */
    public long span() {
        return count == 0 ? 0 : (count - 1) * stride + block;
    }
}
