package org.ftrma.testkit.programs;

/**
 * A small fast generator (splitmix64): every choice of a simulation comes from one of these, so that a seed replays a
 * run. One thread.
 */
public final class SimRandom {
    private long state;

    /** Equal seeds give equal numbers. */
    public SimRandom(long seed) {
        this.state = seed * 0x9E3779B97F4A7C15L + 0x632BE59BD9B4E019L;
    }

    /** Any number. */
    public long next() {
        state += 0x9E3779B97F4A7C15L;
        long z = state;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /** 0 to bound - 1. */
    public int below(int bound) {
        return (int) ((next() >>> 33) * bound >>> 31);
    }

    /** from to to - 1. */
    public long between(long from, long to) {
        return from + Long.remainderUnsigned(next(), to - from);
    }

    /** True in so many cases of a thousand. */
    public boolean chance(int perMille) {
        return perMille > 0 && below(1000) < perMille;
    }
}
