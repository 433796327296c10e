package org.ftrma.bench.figures;

import java.util.Arrays;

/** Summary of several measurements of the same thing. Immutable. */
record Spread(double median, double least, double greatest) {
    static Spread of(double... values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int half = sorted.length / 2;
        return sorted.length == 0 ? new Spread(Double.NaN, Double.NaN, Double.NaN)
            : new Spread(sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2, sorted[0],
            sorted[sorted.length - 1]);
    }
}
