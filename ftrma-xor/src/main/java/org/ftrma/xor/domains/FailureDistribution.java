package org.ftrma.xor.domains;

/**
 * Probability that x elements of one level fail together, P_j(x) of ftRMA, section 5.2, per day: either {@code scale *
 * exp(-decay * x)}, the form of section 7.1, or a table. A value class; any thread.
 *
 * @param scale of the exponential, more than 0; 0 where there is a table
 * @param decay of the exponential, more than 0
 * @param table P(1), P(2), ...; beyond it 0. Empty for the exponential
 */
public record FailureDistribution(double scale, double decay, double... table) {
    /** The most entries of a table. */
    public static final int MAX_TABLE = 4096;

    /** Checks the values and copies the table. */
    public FailureDistribution {
        table = table.clone();
        if (table.length == 0) {
            requirePositive("scale", scale);
            requirePositive("decay", decay);
        } else if (table.length > MAX_TABLE) {
            throw new IllegalArgumentException("table of " + table.length + " entries: at most " + MAX_TABLE);
        }
        for (double p : table) {
            if (!(p >= 0) || Double.isInfinite(p)) {
                throw new IllegalArgumentException("probability " + p + ": must be 0 or more, and finite");
            }
        }
    }

    /** {@code scale * exp(-decay * x)} a day. */
    public static FailureDistribution exponential(double scale, double decay) {
        return new FailureDistribution(scale, decay);
    }

    /** P(1), P(2), ... a day, and 0 from there on. */
    public static FailureDistribution tabulated(double... probabilities) {
        if (probabilities.length == 0) {
            throw new IllegalArgumentException("a table needs at least one probability");
        }
        return new FailureDistribution(0, 0, probabilities);
    }

    /** A copy. */
    @Override
    public double[] table() {
        return table.clone();
    }

    /** P(x): that exactly x elements fail together, a day. */
    public double perDay(int x) {
        if (x < 1) {
            return 0;
        }
        if (table.length == 0) {
            return scale * Math.exp(-decay * x);
        }
        return x <= table.length ? table[x - 1] : 0;
    }

    /** P(from) + ... + P(to). */
    public double perDay(int from, int to) {
        int first = Math.max(1, from);
        if (to < first) {
            return 0;
        }
        if (table.length == 0) {
            // A geometric series; expm1 keeps the digits where the decay is slow.
            return perDay(first) * Math.expm1(-decay * (to - first + 1.0)) / Math.expm1(-decay);
        }
        double sum = 0;
        for (int x = Math.min(to, table.length); x >= first; x--) {
            sum += table[x - 1];
        }
        return sum;
    }

    private static void requirePositive(String what, double value) {
        if (!(value > 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException(what + "=" + value + ": must be more than 0, and finite");
        }
    }

    @Override
    public String toString() {
        return table.length == 0 ? scale + " * exp(-" + decay + " x)" : "table of " + table.length;
    }
}
