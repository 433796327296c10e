package org.ftrma.testkit.programs;

import java.lang.foreign.ValueLayout;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.Job;
import org.ftrma.Window;

/** Values that differ wherever they should. */
final class Mixer {
    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final int FIRST_PAUSE = 4;
    private static final int MOST_DOUBLINGS = 4;
    private static final int MANY_TRIES = 1000;
    private static final int TRIES_BEFORE_DOUBLING = 50;
    private static final int MORE_DOUBLINGS = 6;

    private Mixer() {
    }

    static long mix(long a, long b) {
        long z = a * 0x9E3779B97F4A7C15L + b + 0x632BE59BD9B4E019L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        return z ^ (z >>> 27);
    }

    /**
     * After so many tries to find what a lock guards changed, so that others get a chance to have the lock: reads of a
     * cell that nobody changes take time. After many tries they take the longer: to have the lock takes another rank
     * several accesses, and these may be under way for much longer than those of this one.
     */
    static void pause(Job job, Window window, long offset, int tries) {
        int doublings = Math.min(tries, MOST_DOUBLINGS)
            + Math.clamp((tries - MANY_TRIES) / TRIES_BEFORE_DOUBLING, 0, MORE_DOUBLINGS);
        for (int i = 0; i < FIRST_PAUSE << doublings; i++) {
            window.fetchAndOp(AtomicOp.NO_OP, DataType.INT64, 0, job.rank(), offset);
        }
    }

    static long mix(long a, long b, long c) {
        return mix(mix(a, b), c);
    }
}
