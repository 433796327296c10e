package org.ftrma.apps.kvstore;

import java.util.concurrent.locks.LockSupport;

/**
 * Times inserts, and waits between them so that a rank spends the share of its time inserting that is asked for: with a mean of the waiting times of
 * m (1 - w) / w, where m is the mean time of an insert so far. Times are no state of the computation: nothing that is accessed depends on them, and
 * a replacement measures anew. Data thread only.
 */
final class Pace {
    private static final double FIRST_NANOS = 1_000;
    private static final double WEIGHT = 1.0 / 64;
    /** One insert that takes longer, such as one that met a recovery, does not count as more. */
    private static final double OUTLIER = 8;
    private static final long LONGEST_NANOS = 100_000_000;
    private static final long SPIN_NANOS = 100_000;

    private final double work;
    private double meanNanos = FIRST_NANOS;
    private boolean started;
    private long startNanos;
    private long insertNanos;
    private long waitNanos;

    Pace(double work) {
        this.work = work;
    }

    /** Whether there are waits. */
    boolean waits() {
        return work > 0 && work < 1;
    }

    /** The first call counts: a program is entered again after each rollback. */
    void start() {
        if (!started) {
            started = true;
            startNanos = System.nanoTime();
        }
    }

    long nanosSinceStart() {
        return System.nanoTime() - startNanos;
    }

    /** Waits before an insert; returns the time after it. */
    long waitFor(double exponential) {
        long begin = System.nanoTime();
        long end = begin + Math.min(LONGEST_NANOS, (long) (exponential * meanNanos * (1 - work) / work));
        long now = begin;
        while (now - end < 0) {
            if (end - now > 2 * SPIN_NANOS) {
                LockSupport.parkNanos(end - now - SPIN_NANOS);
            } else {
                Thread.onSpinWait();
            }
            now = System.nanoTime();
        }
        waitNanos += now - begin;
        return now;
    }

    void inserted(long since) {
        long nanos = System.nanoTime() - since;
        insertNanos += nanos;
        meanNanos += WEIGHT * (Math.min(nanos, OUTLIER * meanNanos) - meanNanos);
    }

    /** The share of its time that this process spent inserting. */
    double share() {
        return waits() ? insertNanos / Math.max(1.0, insertNanos + waitNanos) : 1;
    }
}
