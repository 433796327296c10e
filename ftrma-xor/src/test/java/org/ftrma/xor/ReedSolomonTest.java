package org.ftrma.xor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReedSolomonTest {
    private static List<GaloisProduct.Engine> engines() {
        return IsaL.unavailable() == null ? List.of(GaloisProduct.Engine.values()) : List.of(GaloisProduct.Engine.JAVA);
    }

    /** Schoolbook multiplication of polynomials modulo 0x11d. */
    private static int times(int a, int b) {
        int product = 0;
        for (int bit = 0; bit < 8; bit++) {
            product ^= (b >> bit & 1) * (a << bit);
        }
        for (int bit = 15; bit >= 8; bit--) {
            product ^= (product >> bit & 1) * (0x11d << bit - 8);
        }
        return product;
    }

    private static int[][] randomRows(RandomGenerator random, int outputs, int inputs) {
        int[][] rows = new int[outputs][inputs];
        for (int[] row : rows) {
            Arrays.setAll(row, i -> random.nextInt(3) == 0 ? random.nextInt(3) : random.nextInt(256));
        }
        return rows;
    }

    @Test
    void arithmeticIsThatOfThePolynomials() {
        for (int a = 0; a < 256; a++) {
            for (int b = 0; b < 256; b++) {
                assertEquals(times(a, b), Gf256.multiply(a, b));
                if (b != 0) {
                    assertEquals(a, Gf256.multiply(Gf256.divide(a, b), b));
                }
            }
        }
        assertThrows(ArithmeticException.class, () -> Gf256.divide(1, 0));
    }

    @Test
    void productsAreTheSumsOfMultiplesWhateverLengthAndAlignment() {
        RandomGenerator random = Memory.random(3);
        try (Arena arena = Arena.ofConfined()) {
            for (int round = 0; round < 120; round++) {
                int inputs = 1 + random.nextInt(round % 10 == 0 ? 40 : 9);
                int outputs = 1 + random.nextInt(4);
                int length = switch (round % 4) {
                    case 0 -> random.nextInt(130);
                    case 1 -> 4096 * random.nextInt(1, 4);
                    default -> random.nextInt(10_000);
                };
                int[][] rows = randomRows(random, outputs, inputs);
                Blocks blocks = new Blocks(arena, random, inputs, outputs, length);
                for (GaloisProduct.Engine engine : engines()) {
                    GaloisProduct product = GaloisProduct.of(rows, engine);
                    for (boolean add : new boolean[] {false, true}) {
                        byte[][] expected = blocks.expected(rows, add);
                        if (add) {
                            product.add(blocks.in, blocks.inOffsets, blocks.out, blocks.outOffsets, length);
                        } else {
                            product.set(blocks.in, blocks.inOffsets, blocks.out, blocks.outOffsets, length);
                        }
                        for (int r = 0; r < outputs; r++) {
                            assertArrayEquals(expected[r], Memory.bytes(blocks.out[r]),
                                engine + " add=" + add + " length=" + length);
                        }
                    }
                }
            }
        }
    }

    /** Random blocks at random offsets, and what must come out, margins included. */
    private static final class Blocks {
        final MemorySegment[] in;
        final long[] inOffsets;
        final MemorySegment[] out;
        final long[] outOffsets;
        final int length;

        Blocks(Arena arena, RandomGenerator random, int inputs, int outputs, int length) {
            this.length = length;
            in = new MemorySegment[inputs];
            inOffsets = new long[inputs];
            out = new MemorySegment[outputs];
            outOffsets = new long[outputs];
            for (int i = 0; i < inputs; i++) {
                inOffsets[i] = random.nextInt(70);
                in[i] = Memory.random(arena, length + 70, random);
            }
            for (int r = 0; r < outputs; r++) {
                outOffsets[r] = random.nextInt(70);
                out[r] = Memory.random(arena, length + 140, random);
            }
        }

        byte[][] expected(int[][] rows, boolean add) {
            byte[][] expected = new byte[rows.length][];
            for (int r = 0; r < rows.length; r++) {
                expected[r] = Memory.bytes(out[r]);
                for (int at = 0; at < length; at++) {
                    int sum = add ? expected[r][(int) outOffsets[r] + at] : 0;
                    for (int i = 0; i < in.length; i++) {
                        sum ^= times(rows[r][i], in[i].get(ValueLayout.JAVA_BYTE, inOffsets[i] + at) & 0xff);
                    }
                    expected[r][(int) outOffsets[r] + at] = (byte) sum;
                }
            }
            return expected;
        }
    }

    @Test
    void everyPatternOfLossesIsRebuiltForUpToTwelveSourcesAndFourParities() {
        int length = 72;
        int patterns = 0;
        RandomGenerator random = Memory.random(5);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment rebuilt = arena.allocate(length);
            for (int m = 1; m <= 4; m++) {
                for (int k = 1; k <= 12; k++) {
                    ReedSolomon code = new ReedSolomon(k, m);
                    MemorySegment[] members = new MemorySegment[k + m];
                    Arrays.setAll(members, i -> Memory.random(arena, length, random));
                    code.encoder().set(Arrays.copyOf(members, k), new long[k], Arrays.copyOfRange(members, k, k + m),
                        new long[m], length);
                    for (int lost = 1; lost < 1 << k + m; lost++) {
                        if (Integer.bitCount(lost) == m) {
                            patterns++;
                            rebuild(code, members, lost, rebuilt, length);
                        }
                    }
                }
            }
        }
        assertEquals(IntStream.rangeClosed(1, 4).map(m -> IntStream.rangeClosed(1, 12).map(k -> choose(k + m, m)).sum())
            .sum(), patterns);
    }

    private static int choose(int n, int k) {
        int value = 1;
        for (int i = 0; i < k; i++) {
            value = value * (n - i) / (i + 1);
        }
        return value;
    }

    private static void rebuild(ReedSolomon code, MemorySegment[] members, int lostSet, MemorySegment rebuilt,
        int length) {
        int[] available = IntStream.range(0, members.length).filter(i -> (lostSet >> i & 1) == 0).toArray();
        int[] from = code.inputs(available);
        MemorySegment[] in = Arrays.stream(from).mapToObj(i -> members[i]).toArray(MemorySegment[]::new);
        for (int lost = 0; lost < members.length; lost++) {
            if ((lostSet >> lost & 1) != 0) {
                code.rebuilder(available, new int[] {lost})
                    .set(in, new long[in.length], new MemorySegment[] {rebuilt}, new long[1], length);
                assertEquals(-1, rebuilt.mismatch(members[lost]),
                    code + " lost=" + Integer.toBinaryString(lostSet) + " member " + lost);
            }
        }
    }

    @Test
    void bothEnginesRebuildAllLossesAtOnce() {
        for (GaloisProduct.Engine engine : engines()) {
            rebuildAllLosses(engine);
        }
    }

    private static void rebuildAllLosses(GaloisProduct.Engine engine) {
        RandomGenerator random = Memory.random(6);
        try (Arena arena = Arena.ofConfined()) {
            for (int[] shape : new int[][] {{4, 2}, {12, 4}, {1, 1}, {5, 3}, {250, 5}}) {
                ReedSolomon code = new ReedSolomon(shape[0], shape[1], engine);
                int length = 5000;
                MemorySegment[] members = new MemorySegment[shape[0] + shape[1]];
                Arrays.setAll(members, i -> Memory.random(arena, length, random));
                code.encoder().set(Arrays.copyOf(members, shape[0]), new long[shape[0]],
                    Arrays.copyOfRange(members, shape[0], members.length),
                    new long[shape[1]], length);
                for (int round = 0; round < 10; round++) {
                    int[] mixed = random.ints(0, members.length).distinct().limit(shape[1]).sorted().toArray();
                    int[] available = IntStream.range(0, members.length).filter(i -> Arrays.binarySearch(mixed, i) < 0)
                        .toArray();
                    MemorySegment[] in = Arrays.stream(code.inputs(available)).mapToObj(i -> members[i])
                        .toArray(MemorySegment[]::new);
                    MemorySegment[] out = new MemorySegment[mixed.length];
                    Arrays.setAll(out, i -> arena.allocate(length));
                    code.rebuilder(available, mixed).set(in, new long[in.length], out, new long[out.length], length);
                    for (int i = 0; i < out.length; i++) {
                        assertEquals(-1, out[i].mismatch(members[mixed[i]]));
                    }
                }
            }
        }
    }

    @Test
    void everyPartOfTheMatricesHasAnInverse() {
        RandomGenerator random = Memory.random(8);
        for (int m = 1; m <= 8; m++) {
            int k = ReedSolomon.MAX_MEMBERS - m;
            ReedSolomon code = new ReedSolomon(k, m);
            for (int round = 0; round < 20_000; round++) {
                int size = 1 + random.nextInt(m);
                int[] rows = random.ints(0, m).distinct().limit(size).toArray();
                int[] columns = random.ints(0, k).distinct().limit(size).toArray();
                int[][] part = new int[size][size];
                for (int i = 0; i < size; i++) {
                    for (int j = 0; j < size; j++) {
                        part[i][j] = code.coefficient(rows[i], columns[j]);
                    }
                }
                assertNotNull(Gf256.invert(part), m + " " + Arrays.toString(rows) + Arrays.toString(columns));
            }
        }
    }

    @Test
    void firstParityIsThePlainXor() {
        for (int m = 1; m <= 6; m++) {
            ReedSolomon code = new ReedSolomon(100, m);
            for (int i = 0; i < 100; i++) {
                assertEquals(1, code.coefficient(0, i));
            }
        }
    }

    @Test
    void parityIsBroughtUpToDateFromTheDifferenceOfOneSource() {
        RandomGenerator random = Memory.random(9);
        int length = 3000;
        try (Arena arena = Arena.ofConfined()) {
            for (int m = 1; m <= 4; m++) {
                ReedSolomon code = new ReedSolomon(6, m);
                MemorySegment[] sources = new MemorySegment[6];
                Arrays.setAll(sources, i -> Memory.random(arena, length, random));
                MemorySegment[] parities = new MemorySegment[m];
                Arrays.setAll(parities, i -> arena.allocate(length));
                code.encoder().set(sources, new long[6], parities, new long[m], length);
                MemorySegment delta = Memory.random(arena, length, random);
                XorCode.xorInto(delta, 0, sources[4], 0, length);
                for (int j = 0; j < m; j++) {
                    code.updater(j, 4).add(new MemorySegment[] {delta}, new long[1], new MemorySegment[] {parities[j]},
                        new long[1], length);
                    MemorySegment anew = arena.allocate(length);
                    code.encoder(j).set(sources, new long[6], new MemorySegment[] {anew}, new long[1], length);
                    assertEquals(-1, anew.mismatch(parities[j]));
                }
            }
        }
    }

    @Test
    void nothingIsAllocatedOnceItIsCompiled() {
        try (Arena arena = Arena.ofConfined()) {
            for (GaloisProduct.Engine engine : engines()) {
                GaloisProduct product = GaloisProduct.of(new int[][] {{1, 1, 1}, {1, 2, 4}}, engine);
                MemorySegment[] in = {arena.allocate(4096), arena.allocate(4096), arena.allocate(4096)};
                MemorySegment[] out = {arena.allocate(4096), arena.allocate(4096)};
                long[] from = new long[3];
                long[] to = new long[2];
                assertEquals(0, Memory.allocatedWhenWarm(() -> {
                    for (int i = 0; i < 6000; i++) {
                        product.set(in, from, out, to, 4096);
                        product.add(in, from, out, to, 4096);
                    }
                }), engine + ": bytes");
            }
        }
    }

    @Test
    void misuseIsRefusedBeforeAnythingIsWritten() {
        try (Arena arena = Arena.ofConfined()) {
            GaloisProduct product = new ReedSolomon(2, 2).encoder();
            MemorySegment a = arena.allocate(100);
            MemorySegment[] in = {a, arena.allocate(100)};
            MemorySegment b = arena.allocate(100);
            MemorySegment[] out = {b, arena.allocate(100)};
            long[] zero = new long[2];
            assertThrows(IndexOutOfBoundsException.class, () -> product.set(in, zero, out, zero, 101));
            assertThrows(IndexOutOfBoundsException.class, () -> product.set(in, new long[] {0, 1}, out, zero, 100));
            assertThrows(IllegalArgumentException.class,
                () -> product.set(in, zero, new MemorySegment[] {a, b}, zero, 100));
            assertThrows(IllegalArgumentException.class,
                () -> product.set(in, zero, new MemorySegment[] {b, b}, zero, 100));
            assertThrows(IllegalArgumentException.class,
                () -> product.set(in, zero, new MemorySegment[] {b}, zero, 100));
            assertThrows(IllegalArgumentException.class, () -> product.add(in, zero, new MemorySegment[] {b,
                MemorySegment.ofArray(new byte[100])}, zero, 1));
            assertEquals(-1, b.mismatch(arena.allocate(100)));
            product.set(in, zero, out, zero, 0);
        }
        ReedSolomon code = new ReedSolomon(3, 2);
        assertTrue(assertThrows(IllegalArgumentException.class, () -> code.rebuilder(new int[] {0, 4}, new int[] {1}))
            .getMessage()
            .contains("1 too many are lost"));
        assertThrows(IllegalArgumentException.class, () -> code.rebuilder(new int[] {0, 0, 4}, new int[] {1}));
        assertThrows(IndexOutOfBoundsException.class, () -> code.rebuilder(new int[] {0, 1, 5}, new int[] {2}));
        assertThrows(IllegalArgumentException.class, () -> new ReedSolomon(0, 1));
        assertThrows(IllegalArgumentException.class, () -> new ReedSolomon(1, 0));
        assertThrows(IllegalArgumentException.class, () -> new ReedSolomon(254, 2));
    }
}
