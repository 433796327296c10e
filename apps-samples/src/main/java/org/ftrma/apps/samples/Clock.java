package org.ftrma.apps.samples;

import org.ftrma.AtomicOp;
import org.ftrma.Job;

/**
 * The time a sample takes, from its first entry on, recoveries included. No state of the computation. Data thread only.
 */
final class Clock {
    private boolean started;
    private long startNanos;

    /** The first call counts: a program is entered again after each rollback. */
    void start() {
        if (!started) {
            started = true;
            startNanos = System.nanoTime();
        }
    }

    /** Collective: the longest time of all ranks; a replacement's is shorter. */
    double seconds(Job job) {
        return 1e-9 * job.allReduce(AtomicOp.MAX, job.nondeterministic(() -> System.nanoTime() - startNanos));
    }
}
