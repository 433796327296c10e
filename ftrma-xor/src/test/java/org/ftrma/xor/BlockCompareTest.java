package org.ftrma.xor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.BitSet;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class BlockCompareTest {
    @Test
    void afterwardsTheCopyIsEqualAndTheDifferingBlocksAreMarked() {
        RandomGenerator random = Memory.random(21);
        long taken = 0;
        for (int round = 0; round < 1500; round++) {
            int blockBytes = 64 << random.nextInt(7);
            int length = random.nextInt(8) == 0 ? random.nextInt(3) : random.nextInt(blockBytes * 40);
            int firstBlock = random.nextInt(100);
            int sourceOffset = random.nextInt(70);
            int destinationOffset = random.nextInt(70);
            String name = "round=" + round + " blockBytes=" + blockBytes + " length=" + length;
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment source = Memory.random(arena, sourceOffset + length + 50, random);
                MemorySegment destination = Memory.random(arena, destinationOffset + length + 50, random);
                MemorySegment.copy(source, sourceOffset, destination, destinationOffset, length);
                long covered = (long) (firstBlock + 45) * blockBytes;
                DirtyMap map = DirtyMap.format(arena.allocate(DirtyMap.bytesFor(covered, blockBytes)), covered,
                    blockBytes);
                BitSet model = new BitSet();
                if (random.nextBoolean()) {
                    model.set(firstBlock + 3);
                    map.mark(firstBlock + 3);
                }
                BitSet differing = new BitSet();
                change(random, length, at -> {
                    long place = destinationOffset + at;
                    destination.set(ValueLayout.JAVA_BYTE, place,
                        (byte) ~destination.get(ValueLayout.JAVA_BYTE, place));
                    differing.flip(at);
                });
                differing.stream().forEach(at -> model.set(firstBlock + at / blockBytes));
                long blocksDiffering = differing.stream().map(at -> at / blockBytes).distinct().count();
                byte[] expected = Memory.bytes(destination);
                MemorySegment.copy(source, ValueLayout.JAVA_BYTE, sourceOffset, expected, destinationOffset, length);
                byte[] sourceBefore = Memory.bytes(source);

                long copied = BlockCompare.copyChanged(source, sourceOffset, destination, destinationOffset, length,
                    map, firstBlock);

                assertArrayEquals(expected, Memory.bytes(destination), name);
                assertArrayEquals(sourceBefore, Memory.bytes(source), name);
                long more = 0;
                for (int b = 0; b < map.blocks(); b++) {
                    if (map.isDirty(b) && !model.get(b)) {
                        more++;
                        assertTrue(isAmongChanged(differing, blockBytes, b - firstBlock), name + " block " + b);
                    } else {
                        assertEquals(model.get(b), map.isDirty(b), name + " block " + b);
                    }
                }
                assertEquals(blocksDiffering + more, copied, name);
                taken += more;
            }
        }
        assertTrue(taken > 0, "no case in which a block between changed ones was taken for changed");
    }

    /**
     * Whether a block that does not differ may be taken for changed: it follows on a run of blocks, and another one
     * follows soon.
     */
    private static boolean isAmongChanged(BitSet differing, int blockBytes, int block) {
        boolean follows = false;
        for (int next = block + 1; next < block + BlockCompare.GALLOP; next++) {
            follows |= isChanged(differing, blockBytes, next);
        }
        int run = 0;
        int longest = 0;
        for (int b = 0; b < block; b++) {
            run = isChanged(differing, blockBytes, b) ? run + 1 : 0;
            longest = Math.max(longest, run);
        }
        return follows && longest >= BlockCompare.GALLOP;
    }

    private static boolean isChanged(BitSet differing, int blockBytes, int block) {
        int at = differing.nextSetBit(block * blockBytes);
        return at >= 0 && at < (block + 1) * blockBytes;
    }

    private interface Change {
        void at(int offset);
    }

    /** Nothing, a few bytes anywhere, the last byte, or runs of bytes. */
    private static void change(RandomGenerator random, int length, Change change) {
        if (length == 0) {
            return;
        }
        switch (random.nextInt(4)) {
            case 0 -> {
            }
            case 1 -> {
                for (int i = random.nextInt(8); i >= 0; i--) {
                    change.at(random.nextInt(length));
                }
            }
            case 2 -> change.at(length - 1);
            default -> {
                for (int i = random.nextInt(5); i >= 0; i--) {
                    int first = random.nextInt(length);
                    int last = Math.min(length, first + random.nextInt(4000));
                    for (int at = first; at < last; at++) {
                        change.at(at);
                    }
                }
            }
        }
    }

    @Test
    void rangesOutsideSegmentsOrMapAreRefusedBeforeAByteMoves() {
        try (Arena arena = Arena.ofConfined()) {
            RandomGenerator random = Memory.random(22);
            MemorySegment source = Memory.random(arena, 10_000, random);
            MemorySegment destination = Memory.random(arena, 10_000, random);
            byte[] before = Memory.bytes(destination);
            DirtyMap map = DirtyMap.format(arena.allocate(DirtyMap.bytesFor(8192, 4096)), 8192, 4096);
            assertThrows(IndexOutOfBoundsException.class,
                () -> BlockCompare.copyChanged(source, 1, destination, 0, 10_000, map, 0));
            assertThrows(IndexOutOfBoundsException.class,
                () -> BlockCompare.copyChanged(source, 0, destination, 9_999, 2, map, 0));
            assertEquals("firstBlock=0 count=3 blocks=2", assertThrows(IndexOutOfBoundsException.class,
                () -> BlockCompare.copyChanged(source, 0, destination, 0, 8193, map, 0)).getMessage());
            assertThrows(IndexOutOfBoundsException.class,
                () -> BlockCompare.copyChanged(source, 0, destination, 0, 4097, map, 1));
            assertThrows(IndexOutOfBoundsException.class,
                () -> BlockCompare.copyChanged(source, 0, destination, 0, 1, map, -1));
            assertThrows(IllegalArgumentException.class,
                () -> BlockCompare.copyChanged(source, 0, source, 10, 11, map, 0));
            assertThrows(IllegalArgumentException.class,
                () -> BlockCompare.copyChanged(source, 0, destination.asReadOnly(), 0, 100, map, 0));
            assertArrayEquals(before, Memory.bytes(destination));
            assertEquals(0, map.dirtyBlocks());
        }
    }

    @Test
    void theBlockPathAllocatesNothing() {
        try (Arena arena = Arena.ofConfined()) {
            RandomGenerator random = Memory.random(23);
            int length = 16 * 4096 + 100;
            MemorySegment source = Memory.random(arena, length, random);
            MemorySegment destination = arena.allocate(length);
            DirtyMap map = DirtyMap.format(arena.allocate(DirtyMap.bytesFor(length, 4096)), length, 4096);
            Runnable blocks = () -> {
                for (int i = 0; i < 1000; i++) {
                    destination.set(ValueLayout.JAVA_INT_UNALIGNED, 5000, i);
                    destination.set(ValueLayout.JAVA_INT_UNALIGNED, 40_000, i);
                    BlockCompare.copyChanged(source, 0, destination, 0, length, map, 0);
                }
            };
            long allocated = Memory.allocatedWhenWarm(blocks);
            assertEquals(0, allocated, "bytes in 1000 calls");
            assertTrue(map.isDirty(1) && map.isDirty(9));
        }
    }
}
