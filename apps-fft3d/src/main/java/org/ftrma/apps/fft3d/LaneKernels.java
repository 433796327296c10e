package org.ftrma.apps.fft3d;

/**
 * The inner loops. Each works on <em>lane rows</em>: arrays of {@link #ROW} doubles, the real parts of up to
 * {@link #LANES} neighbouring lines in front, their imaginary parts from {@link #LANES} on. Every loop runs over the
 * lanes with unit stride; in rows of fewer lines the lanes behind are zero, and stay so.
 *
 * <p>C2 turns a loop into vector code only if its body is small before unrolling (LoopUnrollLimit, 60 nodes by
 * default). That is why the radix-4 butterfly and its twiddle factors are two loops, the rows being in the first-level
 * cache in between; why there is no radix 8; and why the number of lanes and the distance of the imaginary parts are
 * constants: with a variable number the transforms take twice as long. Pure functions: any thread, if the rows are its
 * own.
 */
final class LaneKernels {
    /** Lines that are transformed together. */
    static final int LANES = 64;
    /** Length of a lane row. */
    static final int ROW = 2 * LANES;

    private LaneKernels() {
    }

    /** Butterfly of four rows with exponent sign -: legs 1 and 3 get (x0 - x2) -/+ i (x1 - x3). */
    static void radix4(double[] a0, double[] a1, double[] a2, double[] a3) {
        for (int j = 0; j < LANES; j++) {
            double x0 = a0[j];
            double y0 = a0[j + LANES];
            double x1 = a1[j];
            double y1 = a1[j + LANES];
            double x2 = a2[j];
            double y2 = a2[j + LANES];
            double x3 = a3[j];
            double y3 = a3[j + LANES];
            double evenX = x0 + x2;
            double evenY = y0 + y2;
            double evenDx = x0 - x2;
            double evenDy = y0 - y2;
            double oddX = x1 + x3;
            double oddY = y1 + y3;
            double oddDx = x1 - x3;
            double oddDy = y1 - y3;
            a0[j] = evenX + oddX;
            a0[j + LANES] = evenY + oddY;
            a1[j] = evenDx + oddDy;
            a1[j + LANES] = evenDy - oddDx;
            a2[j] = evenX - oddX;
            a2[j + LANES] = evenY - oddY;
            a3[j] = evenDx - oddDy;
            a3[j + LANES] = evenDy + oddDx;
        }
    }

    /** Butterfly of two rows. */
    static void radix2(double[] a0, double[] a1) {
        for (int j = 0; j < LANES; j++) {
            double x0 = a0[j];
            double y0 = a0[j + LANES];
            double x1 = a1[j];
            double y1 = a1[j + LANES];
            a0[j] = x0 + x1;
            a0[j + LANES] = y0 + y1;
            a1[j] = x0 - x1;
            a1[j + LANES] = y0 - y1;
        }
    }

    /** Multiplies the rows by the factors (c1, s1), (c2, s2), (c3, s3) that start at {@code t} of {@code factors}. */
    static void twiddle(double[] a1, double[] a2, double[] a3, double[] factors, int t) {
        double c1 = factors[t];
        double s1 = factors[t + 1];
        double c2 = factors[t + 2];
        double s2 = factors[t + 3];
        double c3 = factors[t + 4];
        double s3 = factors[t + 5];
        for (int j = 0; j < LANES; j++) {
            double x1 = a1[j];
            double y1 = a1[j + LANES];
            double x2 = a2[j];
            double y2 = a2[j + LANES];
            double x3 = a3[j];
            double y3 = a3[j + LANES];
            a1[j] = Math.fma(x1, c1, -(y1 * s1));
            a1[j + LANES] = Math.fma(x1, s1, y1 * c1);
            a2[j] = Math.fma(x2, c2, -(y2 * s2));
            a2[j + LANES] = Math.fma(x2, s2, y2 * c2);
            a3[j] = Math.fma(x3, c3, -(y3 * s3));
            a3[j + LANES] = Math.fma(x3, s3, y3 * c3);
        }
    }

    /** Multiplies lane j by {@code factor * laneFactors[first + j]}. */
    static void scale(double[] row, double factor, double[] laneFactors, int first) {
        for (int j = 0; j < LANES; j++) {
            double f = factor * laneFactors[first + j];
            row[j] *= f;
            row[j + LANES] *= f;
        }
    }

    /** The next complex number of each lane's generator. */
    static void random(long[] states, double[] row) {
        for (int j = 0; j < LANES; j++) {
            long re = states[j] * Lcg46.MULTIPLIER & Lcg46.MASK;
            long im = re * Lcg46.MULTIPLIER & Lcg46.MASK;
            states[j] = im;
            row[j] = re * Lcg46.SCALE;
            row[j + LANES] = im * Lcg46.SCALE;
        }
    }

    /**
     * Turns rows and lanes of a tile around: lane x of {@code source[order[first + y]]} becomes lane y of
     * {@code target[base + x]}.
     *
     * @param lines number of source rows of the tile, at most LANES
     * @param lanes lanes of the source rows
     */
    static void transpose(double[][] source, int[] order, int first, int lines, double[][] target, int base,
        int lanes) {
        int y = 0;
        for (; y + 8 <= lines; y += 8) {
            eight(source, order, first + y, 0, target, base, y, lanes);
            eight(source, order, first + y, LANES, target, base, y + LANES, lanes);
        }
        for (; y < lines; y++) {
            double[] s = source[order[first + y]];
            for (int x = 0; x < lanes; x++) {
                target[base + x][y] = s[x];
                target[base + x][y + LANES] = s[x + LANES];
            }
        }
    }

    private static void eight(double[][] source, int[] order, int o, int part, double[][] target, int base, int y,
        int lanes) {
        double[] s0 = source[order[o]];
        double[] s1 = source[order[o + 1]];
        double[] s2 = source[order[o + 2]];
        double[] s3 = source[order[o + 3]];
        double[] s4 = source[order[o + 4]];
        double[] s5 = source[order[o + 5]];
        double[] s6 = source[order[o + 6]];
        double[] s7 = source[order[o + 7]];
        for (int x = 0; x < lanes; x++) {
            double[] t = target[base + x];
            t[y] = s0[x + part];
            t[y + 1] = s1[x + part];
            t[y + 2] = s2[x + part];
            t[y + 3] = s3[x + part];
            t[y + 4] = s4[x + part];
            t[y + 5] = s5[x + part];
            t[y + 6] = s6[x + part];
            t[y + 7] = s7[x + part];
        }
    }
}
