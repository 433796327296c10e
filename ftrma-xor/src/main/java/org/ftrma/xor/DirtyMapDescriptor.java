package org.ftrma.xor;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The bytes of a {@link DirtyMap}, the same on every machine, so that another process may read them one-sidedly. All
 * numbers are little-endian.
 *
 * <pre>
 *    0        4            8                 16                        64
 *   +--------+------------+-----------------+-------------------------+---------+---------+----
 *   | magic  | blockBytes | blocks          | zero                    | word 0  | word 1  | ...
 *   | int    | int        | long            |                         | long    | long    |
 *   +--------+------------+-----------------+-------------------------+---------+---------+----
 * </pre>
 *
 * Block b is bit {@code b % 64} (bit 0 is the lowest) of word {@code b / 64}; 1 means changed. Bits after the last
 * block are 0. The words begin on a cache line of their own. The magic changes whenever the layout does.
 */
final class DirtyMapDescriptor {
    /** The letters "FDM1" in memory. */
    static final int MAGIC = 0x314d4446;
    static final long MAGIC_OFFSET = 0;
    static final long BLOCK_BYTES_OFFSET = 4;
    static final long BLOCKS_OFFSET = 8;
    static final long WORDS_OFFSET = 64;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private DirtyMapDescriptor() {
    }

    static long words(long blocks) {
        return (blocks + Long.SIZE - 1) / Long.SIZE;
    }

    static long bytes(long blocks) {
        return WORDS_OFFSET + words(blocks) * Long.BYTES;
    }

    static int magic(MemorySegment map) {
        return map.get(INT, MAGIC_OFFSET);
    }

    static int blockBytes(MemorySegment map) {
        return map.get(INT, BLOCK_BYTES_OFFSET);
    }

    static long blocks(MemorySegment map) {
        return map.get(LONG, BLOCKS_OFFSET);
    }

    static void header(MemorySegment map, int blockBytes, long blocks) {
        map.asSlice(0, WORDS_OFFSET).fill((byte) 0);
        map.set(INT, MAGIC_OFFSET, MAGIC);
        map.set(INT, BLOCK_BYTES_OFFSET, blockBytes);
        map.set(LONG, BLOCKS_OFFSET, blocks);
    }

    static long word(MemorySegment map, long index) {
        return map.get(LONG, WORDS_OFFSET + index * Long.BYTES);
    }

    static void word(MemorySegment map, long index, long value) {
        map.set(LONG, WORDS_OFFSET + index * Long.BYTES, value);
    }
}
