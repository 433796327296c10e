package org.ftrma.testkit;

/**
 * How much of what there is long tests try: the points of a run that they leave out between two crashes, and how many
 * random programs or pairs of crashes they take; all of them with {@code ./ftrma test --every-point}. Any thread.
 */
final class EveryPoint {
    private static final boolean ALL = Boolean.getBoolean("ftrma.test.everyPoint");

    private EveryPoint() {
    }

    /** How many random programs or crashes a long test tries: {@code sampled} where not all are asked for. */
    static int many(int all, int sampled) {
        return ALL ? all : sampled;
    }

    /** The distance between two points, which is {@code sampled} where not all are asked for. */
    static int or(int sampled) {
        return ALL ? 1 : sampled;
    }
}
