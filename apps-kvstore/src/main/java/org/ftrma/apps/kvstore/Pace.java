package org.ftrma.apps.kvstore;

import java.util.concurrent.locks.LockSupport;

/**
 * Times inserts, and waits between them so that a rank spends the share of its time inserting that is asked for: with a
 * mean of the waiting times of m (1 - w) / w, where m is the mean time of an insert so far; or for a given mean time.
 * Times are no state of the computation: nothing that is accessed depends on them, and a replacement measures anew.
 * Data thread only.
 */
final class Pace {
    private static final double FIRST_NANOS = 1_000;
    private static final double WEIGHT = 1.0 / 64;
    /** One insert that takes longer, such as one that met a recovery, does not count as more. */
    private static final double OUTLIER = 8;
    private static final long LONGEST_NANOS = 100_000_000;
    private static final long SPIN_NANOS = 100_000;

    private final double work;
    private final double fixedNanos;
    private double meanNanos = FIRST_NANOS;
    private boolean started;
    private long startNanos;
    private long insertNanos;
    private long waitNanos;
    private long inserts;

    /**
     * Waits of a rank.
     *
     * @param work the share of the time that it inserts, above 0
     * @param fixedNanos the mean waiting time, whatever the share; below 0: it follows from the share
     */
    Pace(double work, double fixedNanos) {
        this.work = work;
        this.fixedNanos = fixedNanos;
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
        double mean = fixedNanos >= 0 ? fixedNanos : meanNanos * (1 - work) / work;
        long end = begin + Math.min(LONGEST_NANOS, (long) (exponential * mean));
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
        inserts++;
        meanNanos += WEIGHT * (Math.min(nanos, OUTLIER * meanNanos) - meanNanos);
    }

    /** The share of its time that this process spent inserting. */
    double share() {
        return inserts > 0 ? insertNanos / Math.max(1.0, insertNanos + waitNanos) : 1;
    }

    /** How long it waited on average. */
    double meanWaitNanos() {
        return (double) waitNanos / Math.max(1, inserts);
    }
}
