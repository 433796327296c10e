package org.ftrma.xor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class XorCodeTest {
    private static final int MAX_SOURCES = 20;

    /** Random sources at random offsets with a margin on both sides, and a byte-by-byte model of what must come out. */
    private static final class Case {
        final MemorySegment[] sources;
        final long[] offsets;
        final MemorySegment parity;
        final int parityOffset;
        final int length;
        final byte[] before;
        final byte[] xor;

        Case(Arena arena, RandomGenerator random, int count, int length) {
            this.length = length;
            sources = new MemorySegment[count];
            offsets = new long[count];
            xor = new byte[length];
            for (int j = 0; j < count; j++) {
                int margin = random.nextInt(80);
                offsets[j] = random.nextInt(margin + 1);
                sources[j] = Memory.random(arena, length + margin, random);
                for (int i = 0; i < length; i++) {
                    xor[i] ^= sources[j].get(ValueLayout.JAVA_BYTE, offsets[j] + i);
                }
            }
            parityOffset = random.nextInt(80);
            parity = Memory.random(arena, length + parityOffset + random.nextInt(80), random);
            before = Memory.bytes(parity);
        }

        /** The whole parity segment as it must be: the margins untouched. */
        byte[] expected(boolean accumulated) {
            byte[] expected = before.clone();
            for (int i = 0; i < length; i++) {
                expected[parityOffset + i] = (byte) (xor[i] ^ (accumulated ? before[parityOffset + i] : 0));
            }
            return expected;
        }
    }

    private interface Body {
        void run(Case c, String name);
    }

    /** Every number of sources with the lengths around the strides and tiles, and random ones. */
    private static void forRandomCases(long seed, Body body) {
        RandomGenerator random = Memory.random(seed);
        int[] edges = {0, 1, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 4095, 4096, 4097, 4128, 8192 + 31};
        for (int count = 1; count <= MAX_SOURCES; count++) {
            for (int round = 0; round < edges.length + 10; round++) {
                int length = round < edges.length ? edges[round] : random.nextInt(20_000);
                try (Arena arena = Arena.ofConfined()) {
                    body.run(new Case(arena, random, count, length),
                        "seed=" + seed + " sources=" + count + " length=" + length);
                }
            }
        }
    }

    @Test
    void parityIsTheXorOfAllSourcesWhateverTheirNumberLengthAndAlignment() {
        forRandomCases(1, (c, name) -> {
            XorCode.encode(c.sources, c.offsets, c.parity, c.parityOffset, c.length);
            assertArrayEquals(c.expected(false), Memory.bytes(c.parity), name);
        });
    }

    @Test
    void loopsAreCompiledForAnyNumberOfSources() {
        for (int count = 1; count <= 10; count++) {
            XorCode.compile(count);
        }
        parityIsTheXorOfAllSourcesWhateverTheirNumberLengthAndAlignment();
    }

    @Test
    void accumulateKeepsWhatTheParityHeld() {
        forRandomCases(2, (c, name) -> {
            XorCode.accumulate(c.sources, c.offsets, c.parity, c.parityOffset, c.length);
            assertArrayEquals(c.expected(true), Memory.bytes(c.parity), name);
        });
    }

    @Test
    void xorIntoIsAccumulateOfOneSource() {
        forRandomCases(3, (c, name) -> {
            for (int j = 0; j < c.sources.length; j++) {
                XorCode.xorInto(c.sources[j], c.offsets[j], c.parity, c.parityOffset, c.length);
            }
            assertArrayEquals(c.expected(true), Memory.bytes(c.parity), name);
        });
    }

    @Test
    void anyOneSourceIsRebuiltFromTheOthersAndTheParity() {
        RandomGenerator random = Memory.random(4);
        forRandomCases(5, (c, name) -> {
            XorCode.encode(c.sources, c.offsets, c.parity, c.parityOffset, c.length);
            int lost = random.nextInt(c.sources.length);
            byte[] original = Memory.bytes(c.sources[lost]);
            c.sources[lost].asSlice(c.offsets[lost], c.length).fill((byte) 0x5a);
            MemorySegment[] rest = c.sources.clone();
            long[] offsets = c.offsets.clone();
            rest[lost] = c.parity;
            offsets[lost] = c.parityOffset;
            XorCode.rebuild(rest, offsets, c.sources[lost], c.offsets[lost], c.length);
            assertArrayEquals(original, Memory.bytes(c.sources[lost]), name + " lost=" + lost);
        });
    }

    @Test
    void oldAndNewContentsBringTheParityUpToDate() {
        RandomGenerator random = Memory.random(6);
        forRandomCases(7, (c, name) -> {
            XorCode.encode(c.sources, c.offsets, c.parity, c.parityOffset, c.length);
            int changed = random.nextInt(c.sources.length);
            MemorySegment fresh = Memory.random(Arena.ofAuto(), c.length, random);
            XorCode.accumulate(new MemorySegment[] {c.sources[changed], fresh}, new long[] {c.offsets[changed], 0},
                c.parity,
                c.parityOffset, c.length);
            MemorySegment.copy(fresh, 0, c.sources[changed], c.offsets[changed], c.length);
            byte[] updated = Memory.bytes(c.parity);
            XorCode.encode(c.sources, c.offsets, c.parity, c.parityOffset, c.length);
            assertArrayEquals(Memory.bytes(c.parity), updated, name + " changed=" + changed);
        });
    }

    @Test
    void mappedSharedAndConfinedMemoryMix() throws IOException {
        Path file = Files.createTempFile("xor", ".bin");
        RandomGenerator random = Memory.random(8);
        try (Arena shared = Arena.ofShared(); Arena confined = Arena.ofConfined();
                FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            int length = 10_007;
            MemorySegment mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, length, shared);
            MemorySegment a = Memory.random(confined, length, random);
            MemorySegment b = Memory.random(Arena.global(), length, random);
            XorCode.encode(new MemorySegment[] {a.asReadOnly(), b}, new long[2], mapped, 0, length);
            for (int i = 0; i < length; i++) {
                int expected = a.get(ValueLayout.JAVA_BYTE, i) ^ b.get(ValueLayout.JAVA_BYTE, i);
                assertEquals((byte) expected, mapped.get(ValueLayout.JAVA_BYTE, i), "i=" + i);
            }
        } finally {
            Files.delete(file);
        }
    }

    @Test
    void rangesOutsideTheirSegmentsAreRefusedBeforeAByteMoves() {
        try (Arena arena = Arena.ofConfined()) {
            RandomGenerator random = Memory.random(9);
            MemorySegment small = Memory.random(arena, 100, random);
            MemorySegment large = Memory.random(arena, 1000, random);
            MemorySegment parity = Memory.random(arena, 1000, random);
            byte[] before = Memory.bytes(parity);
            long[][] bad = {{0, 1, 0, 100}, {0, -1, 0, 10}, {0, 101, 0, 0}, {0, 0, -1, 10}, {0, 0, 990, 11},
                {0, 0, 0, -1},
                {0, Long.MAX_VALUE, 0, 2}, {0, 0, 0, Long.MAX_VALUE}, {Long.MIN_VALUE, 0, 0, 1}, {901, 0, 0, 100}};
            for (long[] b : bad) {
                IndexOutOfBoundsException e = assertThrows(IndexOutOfBoundsException.class,
                    () -> XorCode.encode(new MemorySegment[] {large, small}, new long[] {b[0], b[1]}, parity, b[2],
                    b[3]),
                    Arrays.toString(b));
                assertTrue(e.getMessage().contains("length=" + b[3]) && e.getMessage().contains("segmentLength="),
                    e.getMessage());
            }
            IndexOutOfBoundsException e = assertThrows(IndexOutOfBoundsException.class,
                () -> XorCode.encode(new MemorySegment[] {large, small}, new long[] {0, 1}, parity, 0, 100));
            assertEquals("sources[1]: offset=1 length=100 segmentLength=100", e.getMessage());
            e = assertThrows(IndexOutOfBoundsException.class, () -> XorCode.xorInto(small, 0, parity, 950, 64));
            assertEquals("destination: offset=950 length=64 segmentLength=1000", e.getMessage());
            assertArrayEquals(before, Memory.bytes(parity));
        }
    }

    @Test
    void overlapHeapReadOnlyClosedAndForeignMemoryAreRefused() throws InterruptedException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(1000);
            MemorySegment other = arena.allocate(1000);
            assertTrue(assertThrows(IllegalArgumentException.class, () -> XorCode.xorInto(memory, 0, memory, 99, 100))
                .getMessage()
                .contains("99 bytes, length=100"));
            XorCode.xorInto(memory, 0, memory, 100, 100);
            MemorySegment[] two = {other, memory};
            assertTrue(assertThrows(IllegalArgumentException.class,
                () -> XorCode.encode(two, new long[] {0, 150}, memory, 100, 51))
                .getMessage().startsWith("sources[1] and parity overlap"));
            assertThrows(IllegalArgumentException.class,
                () -> XorCode.xorInto(MemorySegment.ofArray(new byte[10]), 0, memory, 0, 10));
            assertThrows(IllegalArgumentException.class, () -> XorCode.xorInto(memory, 0, other.asReadOnly(), 0, 10));
            assertThrows(IllegalArgumentException.class,
                () -> XorCode.encode(new MemorySegment[0], new long[0], memory, 0, 10));
            assertThrows(IllegalArgumentException.class, () -> XorCode.encode(two, new long[1], memory, 0, 10));
            Arena brief = Arena.ofConfined();
            MemorySegment closed = brief.allocate(100);
            brief.close();
            assertThrows(IllegalStateException.class, () -> XorCode.xorInto(closed, 0, memory, 0, 10));
            Throwable[] thrown = new Throwable[1];
            Thread stranger = new Thread(() -> {
                try {
                    XorCode.xorInto(memory, 0, other, 0, 10);
                } catch (WrongThreadException e) {
                    thrown[0] = e;
                }
            });
            stranger.start();
            stranger.join();
            assertTrue(thrown[0] instanceof WrongThreadException);
        }
    }

    @Test
    void theBlockPathAllocatesNothing() {
        try (Arena arena = Arena.ofConfined()) {
            RandomGenerator random = Memory.random(10);
            for (int count : new int[] {1, 2, 3, 4, 5, 6, 7, 8, 11}) {
                Case c = new Case(arena, random, count, 4096 + 13);
                Runnable block = () -> {
                    for (int i = 0; i < 2_000; i++) {
                        XorCode.encode(c.sources, c.offsets, c.parity, c.parityOffset, c.length);
                        XorCode.accumulate(c.sources, c.offsets, c.parity, c.parityOffset, c.length);
                        XorCode.xorInto(c.sources[0], c.offsets[0], c.parity, c.parityOffset, c.length);
                    }
                };
                long allocated = Memory.allocatedWhenWarm(block);
                assertEquals(0, allocated, "bytes in 6000 calls, sources=" + count);
            }
        }
    }
}
