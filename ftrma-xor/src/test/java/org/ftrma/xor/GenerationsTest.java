package org.ftrma.xor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * The parts together, as a group uses them over many generations: two slots, dirty maps, parity of changed blocks only.
 */
class GenerationsTest {
    private static final int BLOCK = 256;

    /** A group of k ranks with their states, image slots, dirty maps, and the checksum rank's parity slots. */
    private static final class Group {
        final RandomGenerator random;
        final int size;
        final MemorySegment[] states;
        final MemorySegment[][] images = new MemorySegment[2][];
        final DirtyMap[] maps;
        final MemorySegment[] parity;
        final DirtyMap union;

        Group(Arena arena, RandomGenerator random, int ranks, int size) {
            this.random = random;
            this.size = size;
            states = segments(arena, ranks);
            images[0] = segments(arena, ranks);
            images[1] = segments(arena, ranks);
            parity = segments(arena, 2);
            maps = new DirtyMap[ranks];
            Arrays.setAll(maps, i -> map(arena));
            union = map(arena);
        }

        private MemorySegment[] segments(Arena arena, int count) {
            MemorySegment[] segments = new MemorySegment[count];
            Arrays.setAll(segments, i -> arena.allocate(size));
            return segments;
        }

        private DirtyMap map(Arena arena) {
            return DirtyMap.format(arena.allocate(DirtyMap.bytesFor(size, BLOCK)), size, BLOCK);
        }

        /** Some ranks change some of their state. */
        void step() {
            for (MemorySegment state : states) {
                for (int i = random.nextInt(4); i > 0; i--) {
                    int first = random.nextInt(size);
                    int length = random.nextInt(Math.min(size - first, 3 * BLOCK)) + 1;
                    byte[] bytes = new byte[length];
                    random.nextBytes(bytes);
                    state.asSlice(first, length).copyFrom(MemorySegment.ofArray(bytes));
                }
            }
        }

        /** Takes a generation; returns how many blocks of parity were computed. */
        long checkpoint(int slot) {
            union.clear();
            for (int i = 0; i < states.length; i++) {
                maps[i].clear();
                BlockCompare.copyChanged(states[i], 0, images[slot][i], 0, size, maps[i], 0);
                union.union(maps[i]);
            }
            long[] offsets = new long[states.length];
            long end;
            for (long block = union.nextDirty(0); block < union.blocks(); block = union.nextDirty(end)) {
                end = union.nextClean(block);
                long start = block * BLOCK;
                Arrays.fill(offsets, start);
                XorCode.encode(images[slot], offsets, parity[slot], start, Math.min(end * BLOCK, size) - start);
            }
            return union.dirtyBlocks();
        }

        /** Rebuilds each rank's image from the rest, and compares it with what the image is. */
        void verify(int slot, byte[][] expected, String name) {
            try (Arena arena = Arena.ofConfined()) {
                for (int lost = 0; lost < states.length; lost++) {
                    MemorySegment[] rest = images[slot].clone();
                    rest[lost] = parity[slot];
                    MemorySegment rebuilt = arena.allocate(size);
                    XorCode.rebuild(rest, new long[rest.length], rebuilt, 0, size);
                    assertArrayEquals(expected[lost], Memory.bytes(rebuilt), name + " lost=" + lost);
                }
            }
        }
    }

    @Test
    void anyImageOfTheLastTwoGenerationsCanBeRebuiltThoughOnlyChangedBlocksAreEncoded() {
        long computed = 0;
        long all = 0;
        for (int seed = 0; seed < 20; seed++) {
            RandomGenerator random = Memory.random(seed);
            try (Arena arena = Arena.ofConfined()) {
                Group group = new Group(arena, random, 1 + random.nextInt(10), 1 + random.nextInt(100 * BLOCK));
                byte[][][] expected = new byte[2][][];
                for (int generation = 1; generation <= 20; generation++) {
                    int slot = generation & 1;
                    group.step();
                    computed += group.checkpoint(slot);
                    all += group.union.blocks();
                    expected[slot] = Arrays.stream(group.states).map(Memory::bytes).toArray(byte[][]::new);
                    String name = "seed=" + seed + " generation=" + generation;
                    group.verify(slot, expected[slot], name);
                    if (generation > 1) {
                        group.verify(1 - slot, expected[1 - slot], name + ", the one before");
                    }
                }
            }
        }
        assertTrue(computed < all * 9 / 10, "blocks were skipped: " + computed + " of " + all + " computed");
    }
}
