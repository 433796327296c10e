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

class DirtyMapTest {
    private static final int[] SIZES = {0, 1, 2, 63, 64, 65, 127, 128, 129, 1000};

    private static DirtyMap map(long blocks) {
        MemorySegment memory = Arena.ofAuto().allocate(DirtyMap.bytesFor(blocks * 64, 64), 8);
        memory.fill((byte) 0xff);
        return DirtyMap.format(memory, blocks * 64, 64);
    }

    private static void assertSame(BitSet model, DirtyMap map, String name) {
        assertEquals(model.cardinality(), map.dirtyBlocks(), name);
        for (int b = 0; b < map.blocks(); b++) {
            assertEquals(model.get(b), map.isDirty(b), name + " block " + b);
            int set = model.nextSetBit(b);
            assertEquals(set < 0 ? map.blocks() : set, map.nextDirty(b), name + " nextDirty " + b);
            assertEquals(Math.min(model.nextClearBit(b), map.blocks()), map.nextClean(b), name + " nextClean " + b);
        }
        assertEquals(map.blocks(), map.nextDirty(map.blocks()), name);
        assertEquals(map.blocks(), map.nextClean(map.blocks()), name);
    }

    @Test
    void behavesLikeASetOfBlockNumbers() {
        RandomGenerator random = Memory.random(11);
        for (int blocks : SIZES) {
            DirtyMap map = map(blocks);
            DirtyMap other = map(blocks);
            BitSet model = new BitSet();
            assertSame(model, map, "blocks=" + blocks);
            for (int round = 0; round < 30 && blocks > 0; round++) {
                int first = random.nextInt(blocks);
                switch (random.nextInt(5)) {
                    case 0 -> {
                        map.mark(first);
                        model.set(first);
                    }
                    case 1 -> {
                        int count = random.nextInt(blocks - first + 1);
                        map.mark(first, count);
                        model.set(first, first + count);
                    }
                    case 2 -> {
                        other.mark(first);
                        map.union(other);
                        for (long b = other.nextDirty(0); b < blocks; b = other.nextDirty(b + 1)) {
                            model.set((int) b);
                        }
                    }
                    case 3 -> {
                        other.clear();
                        other.mark(first, Math.min(3, blocks - first));
                    }
                    default -> {
                        if (random.nextInt(4) == 0) {
                            map.clear();
                            model.clear();
                        }
                    }
                }
                assertSame(model, DirtyMap.wrap(map.segment()), "blocks=" + blocks + " round=" + round);
            }
            map.markAll();
            model.set(0, blocks);
            assertSame(model, map, "all of " + blocks);
        }
    }

    @Test
    void runsCoverExactlyTheMarkedBlocks() {
        RandomGenerator random = Memory.random(12);
        DirtyMap map = map(1000);
        for (int i = 0; i < 200; i++) {
            map.mark(random.nextInt(1000));
        }
        long covered = 0;
        long end;
        for (long b = map.nextDirty(0); b < map.blocks(); b = map.nextDirty(end)) {
            end = map.nextClean(b);
            for (long i = b; i < end; i++) {
                assertTrue(map.isDirty(i), "block " + i);
            }
            covered += end - b;
        }
        assertEquals(map.dirtyBlocks(), covered);
    }

    /** The bytes are a contract between processes: they may not change without a new magic. */
    @Test
    void theLayoutIsTheDocumentedOne() {
        MemorySegment memory = Arena.ofAuto().allocate(DirtyMap.bytesFor(70 * 4096 - 1, 4096), 8);
        assertEquals(64 + 16, memory.byteSize());
        DirtyMap map = DirtyMap.format(memory, 70 * 4096 - 1, 4096);
        map.mark(0);
        map.mark(9);
        map.mark(69);
        byte[] expected = new byte[80];
        byte[] header = {'F', 'D', 'M', '1', 0, 16, 0, 0, 70};
        System.arraycopy(header, 0, expected, 0, header.length);
        expected[64] = 1;
        expected[65] = 2;
        expected[72] = 32;
        assertArrayEquals(expected, Memory.bytes(memory));
    }

    @Test
    void whatIsNoMapIsRefused() {
        MemorySegment memory = Arena.ofAuto().allocate(200, 8);
        assertTrue(assertThrows(IllegalArgumentException.class, () -> DirtyMap.wrap(memory)).getMessage()
            .contains("0x00000000"));
        assertThrows(IllegalArgumentException.class, () -> DirtyMap.wrap(memory.asSlice(0, 63)));
        DirtyMap.format(memory, 100 * 64, 64);
        memory.set(ValueLayout.JAVA_LONG, 8, 100_000);
        assertTrue(assertThrows(IllegalArgumentException.class, () -> DirtyMap.wrap(memory)).getMessage()
            .contains("100000 blocks needs 12568 bytes, the memory has 200"));
        for (long wrong : new long[] {-1, Long.MAX_VALUE, Long.MIN_VALUE}) {
            memory.set(ValueLayout.JAVA_LONG, 8, wrong);
            assertThrows(IllegalArgumentException.class, () -> DirtyMap.wrap(memory), "blocks=" + wrong);
        }
        memory.set(ValueLayout.JAVA_LONG, 8, 1);
        memory.set(ValueLayout.JAVA_INT, 4, 65);
        assertThrows(IllegalArgumentException.class, () -> DirtyMap.wrap(memory));
    }

    @Test
    void numbersOutsideTheMapAreRefused() {
        DirtyMap map = map(100);
        assertEquals("block=100 blocks=100", assertThrows(IndexOutOfBoundsException.class, () -> map.mark(100))
            .getMessage());
        assertThrows(IndexOutOfBoundsException.class, () -> map.isDirty(-1));
        assertThrows(IndexOutOfBoundsException.class, () -> map.mark(99, 2));
        assertThrows(IndexOutOfBoundsException.class, () -> map.mark(1, Long.MAX_VALUE));
        assertThrows(IndexOutOfBoundsException.class, () -> map.mark(0, -1));
        assertThrows(IndexOutOfBoundsException.class, () -> map.nextDirty(101));
        assertThrows(IndexOutOfBoundsException.class, () -> map.nextClean(-1));
        assertThrows(IllegalArgumentException.class, () -> map.union(map(101)));
        for (int blockBytes : new int[] {0, -64, 32, 65, 4097, Integer.MIN_VALUE}) {
            assertThrows(IllegalArgumentException.class, () -> DirtyMap.bytesFor(4096, blockBytes),
                "blockBytes=" + blockBytes);
        }
        assertThrows(IllegalArgumentException.class, () -> DirtyMap.bytesFor(-1, 4096));
    }
}
