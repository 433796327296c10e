package org.ftrma.apps.npb;

/**
 * The random numbers of the NAS benchmarks: x(k+1) = a * x(k) mod 2^46 with a = 5^13; step k delivers x(k) * 2^-46.
 * Exact in 64-bit arithmetic, since 2^46 divides 2^64. One thread.
 */
final class Random46 {
    static final long MULTIPLIER = 1_220_703_125L;
    static final long SEED = 314_159_265L;
    static final long MASK = (1L << 46) - 1;
    static final double SCALE = 0x1p-46;

    private long state;

    /** Goes on after {@code steps} numbers from the seed. */
    Random46(long steps) {
        state = SEED * power(steps) & MASK;
    }

    /** The next number, between 0 and 1. */
    double next() {
        state = state * MULTIPLIER & MASK;
        return state * SCALE;
    }

    /** The multiplier of {@code steps} steps at once: a^steps mod 2^46, by repeated squaring. */
    static long power(long steps) {
        long result = 1;
        long square = MULTIPLIER;
        for (long rest = steps; rest != 0; rest >>>= 1) {
            if ((rest & 1) != 0) {
                result = result * square & MASK;
            }
            square = square * square & MASK;
        }
        return result;
    }
}
