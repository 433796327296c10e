package org.ftrma.xor;

/**
 * Interval between two coordinated checkpoints, by Daly's higher-order estimate as the paper gives it (ftRMA, section
 * 6.1). With the cost d of a checkpoint and the mean time M between failures that need one:
 *
 * <pre>
 *   sqrt(2 d M) * [1 + 1/3 sqrt(d / (2M)) + 1/9 (d / (2M))] - d    for d &lt; 2M
 *   M                                                              for d &gt;= 2M
 * </pre>
 *
 * The result is the time from the end of one checkpoint to the beginning of the next: it does not contain d. Pure
 * functions; any thread.
 */
public final class DalyInterval {
    private static final double NANOS_PER_SECOND = 1e9;

    private DalyInterval() {
    }

    /**
     * The interval in the unit of the arguments, which must be the same for both.
     *
     * @param checkpointSeconds what a checkpoint costs; 0 gives 0: what costs nothing is done all the time
     * @param mtbfSeconds       mean time between failures, more than 0
     */
    public static double seconds(double checkpointSeconds, double mtbfSeconds) {
        if (!(checkpointSeconds >= 0) || Double.isInfinite(checkpointSeconds)) {
            throw new IllegalArgumentException("checkpointSeconds=" + checkpointSeconds
                + ": must be 0 or more, and finite");
        }
        if (!(mtbfSeconds > 0) || Double.isInfinite(mtbfSeconds)) {
            throw new IllegalArgumentException("mtbfSeconds=" + mtbfSeconds + ": must be more than 0, and finite");
        }
        double ratio = checkpointSeconds / 2 / mtbfSeconds;
        if (ratio >= 1) {
            return mtbfSeconds;
        }
        double root = Math.sqrt(ratio);
        // sqrt(2 d M) = 2M sqrt(d / (2M)), which does not overflow where d * M would.
        return 2 * mtbfSeconds * root * (1 + root / 3 + ratio / 9) - checkpointSeconds;
    }

    /**
     * {@link #seconds} in nanoseconds, rounded.
     *
     * @param checkpointNanos what a checkpoint costs, 0 or more
     * @param mtbfNanos       mean time between failures, more than 0
     */
    public static long nanos(long checkpointNanos, long mtbfNanos) {
        if (checkpointNanos < 0 || mtbfNanos <= 0) {
            throw new IllegalArgumentException("checkpointNanos=" + checkpointNanos + " mtbfNanos=" + mtbfNanos
                + ": the first must be 0 or more, the second more than 0");
        }
        if (checkpointNanos / 2 >= mtbfNanos) {
            return mtbfNanos;
        }
        return Math.round(seconds(checkpointNanos / NANOS_PER_SECOND, mtbfNanos / NANOS_PER_SECOND) * NANOS_PER_SECOND);
    }
}
