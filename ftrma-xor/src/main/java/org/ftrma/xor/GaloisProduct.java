package org.ftrma.xor;

import java.lang.foreign.MemorySegment;

/**
 * Sums of multiples of memory blocks, byte by byte in GF(2^8): {@code out_r = sum of c(r, i) * in_i}. Everything that a
 * Reed-Solomon code does to blocks is one of these: encoding, rebuilding, bringing a parity up to date. Made by
 * {@link ReedSolomon}.
 *
 * <p>Two engines, with the same results: Intel's ISA-L (libisal2) where it is installed, else Java loops that the
 * compiler vectorizes. {@link #engine} says which, {@link #nativeEngine} why.
 *
 * <p>One thread at a time: an object has working memory of its own (4 KiB for each input in Java), so that a call
 * allocates nothing. Offsets and lengths are bytes, of any alignment. Every range is checked before the first byte is
 * written, with the same exceptions as {@link XorCode}; outputs may overlap neither inputs nor each other.
 */
public final class GaloisProduct {
    /** Who does the work. */
    public enum Engine {
        /** ISA-L, through the foreign function interface. */
        ISA_L,
        /** Loops in Java. */
        JAVA
    }

    /** The inner loops. Addresses are checked. */
    interface Kernel {
        /** Sets or adds to the outputs. */
        void run(MemorySegment[] in, long[] inOffsets, MemorySegment[] out, long[] outOffsets, long length,
            boolean add);
    }

    private static final int FIELD = 256;
    private static final String INPUT = "input";
    private static final String OUTPUT = "output";

    private final int inputs;
    private final int outputs;
    private final Engine engine;
    private final Kernel kernel;

    private GaloisProduct(int[][] rows, Engine engine) {
        inputs = rows[0].length;
        outputs = rows.length;
        this.engine = engine;
        kernel = engine == Engine.ISA_L ? new IsaL(rows) : new GaloisLoops(rows);
    }

    /** The best engine that there is. */
    public static Engine best() {
        return IsaL.unavailable() == null ? Engine.ISA_L : Engine.JAVA;
    }

    /** A product with a given engine; refused where it is not installed. */
    static GaloisProduct of(int[][] rows, Engine engine) {
        if (rows.length == 0 || rows[0].length == 0) {
            throw new IllegalArgumentException("a product needs at least one input and one output");
        }
        for (int[] row : rows) {
            for (int coefficient : row) {
                if (row.length != rows[0].length || coefficient < 0 || coefficient >= FIELD) {
                    throw new IllegalArgumentException("coefficient=" + coefficient + " in a row of " + row.length
                        + ": must be 0 to 255, and rows equal");
                }
            }
        }
        return new GaloisProduct(rows, engine);
    }

    /** Which library is used, or why none is: for people. */
    public static String nativeEngine() {
        String unavailable = IsaL.unavailable();
        return unavailable == null ? "ISA-L (" + IsaL.LIBRARY + ")" : "Java loops; " + unavailable;
    }

    /** Inputs that a call takes. */
    public int inputs() {
        return inputs;
    }

    /** Outputs that a call makes. */
    public int outputs() {
        return outputs;
    }

    /** Who does the work. */
    public Engine engine() {
        return engine;
    }

    /**
     * Sets the outputs to the sums.
     *
     * @param in         off-heap segments, as many as {@link #inputs}
     * @param inOffsets  where each begins
     * @param out        off-heap segments, as many as {@link #outputs}
     * @param outOffsets where each begins
     * @param length     bytes of each; 0 does nothing
     */
    public void set(MemorySegment[] in, long[] inOffsets, MemorySegment[] out, long[] outOffsets, long length) {
        check(in, inOffsets, out, outOffsets, length);
        kernel.run(in, inOffsets, out, outOffsets, length, false);
    }

    /**
     * Adds (XORs) the sums to what the outputs hold.
     *
     * @see #set for the arguments
     */
    public void add(MemorySegment[] in, long[] inOffsets, MemorySegment[] out, long[] outOffsets, long length) {
        check(in, inOffsets, out, outOffsets, length);
        kernel.run(in, inOffsets, out, outOffsets, length, true);
    }

    private void check(MemorySegment[] in, long[] inOffsets, MemorySegment[] out, long[] outOffsets, long length) {
        if (in.length != inputs || inOffsets.length != inputs || out.length != outputs
            || outOffsets.length != outputs) {
            throw new IllegalArgumentException("inputs=" + in.length + " inOffsets=" + inOffsets.length + " outputs="
                + out.length + " outOffsets="
                + outOffsets.length + ": this product has " + inputs + " inputs and " + outputs + " outputs");
        }
        for (int i = 0; i < inputs; i++) {
            Ranges.address(in[i], inOffsets[i], length, false, INPUT, i);
        }
        for (int r = 0; r < outputs; r++) {
            long to = Ranges.address(out[r], outOffsets[r], length, true, OUTPUT, r);
            for (int i = 0; i < inputs; i++) {
                Ranges.requireApart(in[i].address() + inOffsets[i], to, length, INPUT, i, OUTPUT);
            }
            for (int other = 0; other < r; other++) {
                Ranges.requireApart(out[other].address() + outOffsets[other], to, length, OUTPUT, other,
                    "another output");
            }
        }
    }
}
