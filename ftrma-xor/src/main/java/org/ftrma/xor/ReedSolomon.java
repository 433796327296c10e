package org.ftrma.xor;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * A Reed-Solomon code over GF(2^8): k sources and m parities, of which any m may be lost. It is systematic, that is,
 * the sources are kept as they are, and parity j is {@code p_j = sum of c(j, i) * s_i}. The first parity is always the
 * plain XOR of {@link XorCode}, so m = 1 is that code.
 *
 * <p>Members are numbered as in a group: the sources 0 to k-1, then the parities k to k+m-1.
 *
 * <p><b>Coefficients.</b> Up to m = 3: {@code c(j, i) = 2^(i j)}, rows of a Vandermonde matrix with few set bits. All
 * square parts of these have an inverse as long as k is at most 255: those of rows 0 and 1, 0 and 2 because 2 and 4
 * both generate the field, the others since they are Vandermonde matrices up to a factor for each column. From m = 4 on
 * that fails, and it is a Cauchy matrix, {@code 1 / (x_j + y_i)} with {@code x_j = 255 - j} and {@code y_i = i}, each
 * column divided by its first entry; parts of a Cauchy matrix always have one.
 *
 * <p>Objects are immutable; any thread. The {@link GaloisProduct}s they make are not.
 */
public final class ReedSolomon {
    /** The most members, sources and parities together. */
    public static final int MAX_MEMBERS = 255;
    private static final int MAX_POWERS = 3;
    /**
     * For the parity and each source of {@link WarmUp#BYTES}: 300 to 800 ns were measured in the second compiler's
     * code.
     */
    private static final long COMPILED_NANOS = 1500;
    /**
     * For one update: up to 3,600 ns in the second compiler's code, 6,900 to 24,000 in the first one's, by the bits of
     * the coefficient.
     */
    private static final long UPDATED_NANOS = 5000;

    private final int sources;
    private final int parities;
    private final int[][] coefficients;
    private final GaloisProduct.Engine engine;

    /**
     * A code whose products use the best engine there is.
     *
     * @param sources  k, at least 1
     * @param parities m, at least 1; k + m at most 255
     */
    public ReedSolomon(int sources, int parities) {
        this(sources, parities, GaloisProduct.best());
    }

    /**
     * The same with the engine chosen, to compare them.
     *
     * @see #ReedSolomon(int, int)
     */
    public ReedSolomon(int sources, int parities, GaloisProduct.Engine engine) {
        this.engine = engine;
        if (sources < 1 || parities < 1 || sources > MAX_MEMBERS - parities) {
            throw new IllegalArgumentException("sources=" + sources + " parities=" + parities
                + ": at least 1 of each, and together at most "
                + MAX_MEMBERS + "; use smaller groups");
        }
        this.sources = sources;
        this.parities = parities;
        coefficients = new int[parities][sources];
        for (int j = 0; j < parities; j++) {
            for (int i = 0; i < sources; i++) {
                coefficients[j][i] = parities <= MAX_POWERS ? Gf256.power(i * j) // C28
                    : Gf256.divide(MAX_MEMBERS ^ i, MAX_MEMBERS - j ^ i);
            }
        }
    }

    /** Sources, k. */
    public int sources() {
        return sources;
    }

    /** Parities, m: how many losses are survived. */
    public int parities() {
        return parities;
    }

    /** What a source is multiplied with in a parity, 1 to 255. */
    public int coefficient(int parity, int source) {
        return coefficients[parity][source];
    }

    /**
     * Runs the code's products over small buffers until the virtual machine has compiled them: to be called where there
     * is time, since the first megabytes take as long otherwise.
     */
    public void compile() {
        if (engine != GaloisProduct.Engine.JAVA) {
            return;
        }
        GaloisProduct encoder = encoder(parities - 1);
        GaloisProduct updater = updater(parities - 1, sources - 1);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(2L * WarmUp.BYTES, 64);
            MemorySegment[] in = new MemorySegment[sources];
            Arrays.fill(in, buffer);
            MemorySegment[] out = {buffer};
            long[] offset = {WarmUp.BYTES};
            WarmUp.run(COMPILED_NANOS * (sources + 1), () ->
                encoder.set(in, new long[sources], out, offset, WarmUp.BYTES));
            WarmUp.run(UPDATED_NANOS, () -> updater.add(new MemorySegment[] {buffer}, new long[1], out, offset,
                WarmUp.BYTES));
        }
    }

    /** What makes all parities from all sources. */
    public GaloisProduct encoder() {
        return GaloisProduct.of(coefficients, engine);
    }

    /** What makes one parity from all sources: for the checksum rank that holds it. */
    public GaloisProduct encoder(int parity) {
        return GaloisProduct.of(new int[][] {coefficients[parity]}, engine);
    }

    /**
     * What brings a parity up to date when one source changes, without the others: {@link GaloisProduct#add} it, with
     * the old contents XOR the new ones as its only input.
     */
    public GaloisProduct updater(int parity, int source) {
        return GaloisProduct.of(new int[][] {{coefficients[parity][source]}}, engine);
    }

    /**
     * Which members {@link #rebuilder} takes as inputs, in their order: the first k that are available.
     *
     * @param available members that are there, ascending, at least k
     */
    public int[] inputs(int[] available) {
        if (available.length < sources) {
            throw new IllegalArgumentException("available=" + Arrays.toString(available) + ": " + sources + " of the "
                + (sources + parities)
                + " members are needed to rebuild the others; " + (sources - available.length) + " too many are lost");
        }
        Set<Integer> seen = new HashSet<>();
        for (int member : available) {
            requireMember(member);
            if (!seen.add(member)) {
                throw new IllegalArgumentException("available=" + Arrays.toString(available) + ": " + member
                    + " is given twice");
            }
        }
        return Arrays.copyOf(available, sources);
    }

    /**
     * What rebuilds lost members, sources or parities, from others.
     *
     * @param available members that are there, ascending, at least k; the inputs are those of {@link #inputs}
     * @param lost      members to rebuild, at least one: the outputs, in this order
     */
    public GaloisProduct rebuilder(int[] available, int[] lost) {
        int[] from = inputs(available);
        int[][] rows = new int[sources][];
        for (int i = 0; i < sources; i++) {
            rows[i] = row(from[i]);
        }
        int[][] inverse = Gf256.invert(rows);
        if (inverse == null) {
            throw new IllegalStateException("members " + Arrays.toString(from) + " of a code of " + sources + " and "
                + parities
                + " do not determine the others");
        }
        int[][] wanted = new int[lost.length][];
        for (int w = 0; w < lost.length; w++) {
            requireMember(lost[w]);
            wanted[w] = times(row(lost[w]), inverse);
        }
        return GaloisProduct.of(wanted, engine);
    }

    /** A member as a sum of sources. */
    private int[] row(int member) {
        if (member >= sources) {
            return coefficients[member - sources].clone();
        }
        int[] row = new int[sources];
        row[member] = 1;
        return row;
    }

    private static int[] times(int[] row, int[][] matrix) {
        int[] product = new int[matrix.length];
        for (int i = 0; i < row.length; i++) {
            for (int j = 0; row[i] != 0 && j < product.length; j++) {
                product[j] ^= Gf256.multiply(row[i], matrix[i][j]);
            }
        }
        return product;
    }

    private void requireMember(int member) {
        if (member < 0 || member >= sources + parities) {
            throw new IndexOutOfBoundsException("member=" + member + ": the code has " + (sources + parities));
        }
    }

    @Override
    public String toString() {
        return sources + " sources and " + parities + " parities";
    }
}
