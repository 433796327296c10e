package org.ftrma.apps.fft3d;

/**
 * The discrete Fourier transform of a power-of-two number of lane rows, unnormalised, in place, by decimation in
 * frequency with radix 4 (and one radix-2 stage where the length asks for it). Results are left in digit-reversed rows:
 * {@link #forwardOrder} and {@link #inverseOrder} tell where, so that putting them in order costs nothing beyond the
 * copy that follows anyway.
 *
 * <p>The transform of opposite sign is the same one read backwards, F+(k) = F-(n - k): one set of roots and kernels
 * serves both. Immutable after construction; any thread, if the rows are its own (and the exchange).
 */
final class LineFft {
    /**
     * Butterflies from one time that the exchange goes on to the next: half a microsecond in the first stage, whose
     * rows come from the second-level cache anyway, and more in later ones, where what the exchange does would drive
     * rows from the first-level cache.
     */
    private static final int TOGETHER_FIRST = 2;
    private static final int TOGETHER_LATER = 8;

    private final int length;
    private final Exchange exchange;
    private final double[][] factors;
    private final int[] forwardOrder;
    private final int[] inverseOrder;

    /** Prepares transforms of {@code length} rows, a power of two. */
    LineFft(int length) {
        this(length, null);
    }

    /**
     * The same; all along, {@code exchange} goes on. This is the work in the cache that transfers to memory can go
     * beside.
     */
    LineFft(int length, Exchange exchange) {
        this.exchange = exchange;
        if (length < 1 || Integer.bitCount(length) != 1) {
            throw new IllegalArgumentException("length=" + length + ": must be a power of two");
        }
        this.length = length;
        this.factors = new double[(31 - Integer.numberOfLeadingZeros(length)) / 2][];
        for (int level = 0, n = length; n >= 4; level++, n >>= 2) {
            factors[level] = roots(n);
        }
        this.forwardOrder = digitReversal(length);
        this.inverseOrder = new int[length];
        for (int k = 0; k < length; k++) {
            inverseOrder[k] = forwardOrder[(length - k) % length];
        }
    }

    int length() {
        return length;
    }

    /**
     * After {@link #transform}: X(k) = sum of x(m) exp(-2 pi i k m / n) is in row {@code forwardOrder()[k]}. Do not
     * change.
     */
    int[] forwardOrder() {
        return forwardOrder;
    }

    /**
     * After {@link #transform}: the transform with exponent sign + at k is in row {@code inverseOrder()[k]}. Do not
     * change.
     */
    int[] inverseOrder() {
        return inverseOrder;
    }

    /** Transforms {@code rows[base]} to {@code rows[base + length - 1]}, all their lanes. */
    void transform(double[][] rows, int base) {
        stage(rows, base, length, 0);
    }

    /** Depth first, so that the later stages of a part find its rows in the first-level cache. */
    private void stage(double[][] rows, int base, int n, int level) {
        if (n == 1) {
            return;
        }
        if (n == 2) {
            LaneKernels.radix2(rows[base], rows[base + 1]);
            return;
        }
        int quarter = n >> 2;
        int together = level == 0 ? TOGETHER_FIRST : TOGETHER_LATER;
        for (int p = 0; p < quarter; p += together) {
            butterflies(rows, base + p, quarter, p, Math.min(quarter, p + together), factors[level]);
            if (exchange != null && quarter >= together) {
                exchange.progress();
            }
        }
        if (quarter > 1) {
            for (int leg = 0; leg < 4; leg++) {
                stage(rows, base + leg * quarter, quarter, level + 1);
            }
        }
    }

    /** By itself, so that what the exchange does makes no difference to how this is compiled. */
    private static void butterflies(double[][] rows, int base, int quarter, int from, int to, double[] w) {
        for (int p = from, row = base; p < to; p++, row++) {
            double[] a1 = rows[row + quarter];
            double[] a2 = rows[row + 2 * quarter];
            double[] a3 = rows[row + 3 * quarter];
            LaneKernels.radix4(rows[row], a1, a2, a3);
            if (p > 0) {
                LaneKernels.twiddle(a1, a2, a3, w, 6 * p);
            }
        }
    }

    /** cos and sin of -2 pi p k / n for k = 1, 2, 3, one group of six per p. */
    private static double[] roots(int n) {
        double[] w = new double[6 * (n / 4)];
        for (int p = 0; p < n / 4; p++) {
            for (int k = 1; k <= 3; k++) {
                double angle = -2 * Math.PI * ((double) p * k / n);
                w[6 * p + 2 * k - 2] = Math.cos(angle);
                w[6 * p + 2 * k - 1] = Math.sin(angle);
            }
        }
        return w;
    }

    private static int[] digitReversal(int n) {
        int[] order = new int[n];
        if (n == 2) {
            order[1] = 1;
        } else if (n > 2) {
            int quarter = n / 4;
            int[] sub = digitReversal(quarter);
            for (int m = 0; m < quarter; m++) {
                for (int leg = 0; leg < 4; leg++) {
                    order[4 * m + leg] = leg * quarter + sub[m];
                }
            }
        }
        return order;
    }
}
