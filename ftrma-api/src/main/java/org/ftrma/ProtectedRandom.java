package org.ftrma;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.random.RandomGenerator;

/**
 * Random numbers whose state is protected memory: xoshiro256++ (Blackman and Vigna, Scrambled linear pseudorandom
 * number generators, ACM Trans. Math. Softw. 47, 2021), of period 2^256 - 1. Where the memory is all 0, which no state
 * of it is, it is seeded at the first use: with the outputs 4 r + 1 to 4 r + 4 of SplitMix64 (Steele, Lea and Flood,
 * OOPSLA 2014) from that seed, at rank r. One thread; allocates nothing.
 */
final class ProtectedRandom implements RandomGenerator {
    /** Bytes of its memory. */
    static final long BYTES = 32;

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final int WORDS = 4;
    private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

    private final MemorySegment state;
    private final long seed;
    private final int rank;

    ProtectedRandom(MemorySegment state, long seed, int rank) {
        this.state = state;
        this.seed = seed;
        this.rank = rank;
    }

    @Override
    public long nextLong() {
        long s0 = state.getAtIndex(LONG, 0);
        long s1 = state.getAtIndex(LONG, 1);
        long s2 = state.getAtIndex(LONG, 2);
        long s3 = state.getAtIndex(LONG, 3);
        if ((s0 | s1 | s2 | s3) == 0) {
            begin();
            return nextLong();
        }
        long result = Long.rotateLeft(s0 + s3, 23) + s0;
        long shifted = s1 << 17;
        s2 ^= s0;
        s3 ^= s1;
        s1 ^= s2;
        s0 ^= s3;
        state.setAtIndex(LONG, 0, s0);
        state.setAtIndex(LONG, 1, s1);
        state.setAtIndex(LONG, 2, s2 ^ shifted);
        state.setAtIndex(LONG, 3, Long.rotateLeft(s3, 45));
        return result;
    }

    /** Different counters have different outputs, so that at most one word is 0. */
    private void begin() {
        for (int i = 0; i < WORDS; i++) {
            state.setAtIndex(LONG, i, splitMix(seed + GOLDEN_GAMMA * (WORDS * (long) rank + i + 1)));
        }
    }

    private static long splitMix(long counter) {
        long z = counter;
        z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }
}
