package org.ftrma.testkit;

/**
 * How many points of a run long tests leave out between two crashes: so many as they say, or none with
 * {@code ./ftrma test --every-point}. Any thread.
 */
final class EveryPoint {
    private static final boolean ALL = Boolean.getBoolean("ftrma.test.everyPoint");

    private EveryPoint() {
    }

    /** The distance between two points, which is {@code sampled} where not all are asked for. */
    static int or(int sampled) {
        return ALL ? 1 : sampled;
    }
}
