package org.ftrma.bench;

/**
 * Distribution-free confidence interval (at least 95 %) for the median. It assumes nothing of how the values are
 * distributed: each is below their median or above it with equal probability, independently of the others, so how many
 * are below has a binomial distribution.
 *
 * @param lower the lower end, {@link Double#NEGATIVE_INFINITY} with fewer than {@link #LEAST} values
 * @param upper the upper end, {@link Double#POSITIVE_INFINITY} with fewer than {@link #LEAST} values
 */
record MedianInterval(double lower, double upper) {
    /**
     * With fewer values than this, not even all of them together have the median between them with that probability.
     */
    static final int LEAST = 6;

    private static final double OUTSIDE = 0.05;

    static MedianInterval of(double[] sorted) {
        int n = sorted.length;
        double outside = 0;
        double term = 2 * Math.pow(0.5, n); // no value on one side, or none on the other
        int dropped = 0;
        while (outside + term <= OUTSIDE) {
            outside += term;
            dropped++;
            term *= (double) (n - dropped + 1) / dropped;
        }
        return dropped == 0 ? new MedianInterval(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY)
            : new MedianInterval(sorted[dropped - 1], sorted[n - dropped]);
    }

    /** Whether the median is at most the limit, null where that cannot be told. */
    Boolean atMost(double limit) {
        return upper <= limit ? Boolean.TRUE : lower > limit ? Boolean.FALSE : null;
    }
}
