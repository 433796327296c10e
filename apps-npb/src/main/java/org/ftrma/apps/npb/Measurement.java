package org.ftrma.apps.npb;

import org.ftrma.AtomicOp;
import org.ftrma.Channel;
import org.ftrma.Job;

/**
 * Timed part of a run: from the end of the warm-up on, recoveries included. The warm-up is the untimed iteration that
 * NPB prescribes, over and over, since a virtual machine also has to compile it. No state of the computation: it only
 * keeps the clock going over rollbacks and the warm-up from being repeated. Data thread only.
 */
final class Measurement {
    private static final int MOST_ITERATIONS = 1000;

    private boolean entered;
    private boolean started;
    private long startNanos;

    /** To be called once at each entry. Returns whether it is the first one of the process that began with the job. */
    boolean enter(Job job) {
        boolean fresh = !entered && job.incarnation() == 0;
        entered = true;
        return fresh;
    }

    /** Collective, in initialize. All warm up, or none does: some may be here anew, or for the second time. */
    void warmUp(Channel world, boolean fresh, double seconds, Runnable iteration) {
        if (world.allReduce(AtomicOp.MIN, fresh ? 1L : 0L) == 1) {
            double passed = 0;
            for (int i = 0; i == 0 || passed < seconds && i < MOST_ITERATIONS; i++) {
                long begin = System.nanoTime();
                iteration.run();
                passed += world.allReduce(AtomicOp.MAX, 1e-9 * (System.nanoTime() - begin));
            }
        }
    }

    /** The clock starts once; a replacement's starts at its entry. */
    void start() {
        if (!started) {
            started = true;
            startNanos = System.nanoTime();
        }
    }

    /** Collective, after the loop: the longest time of all ranks, since a replaced one saw only the end of the run. */
    double seconds(Job job, Channel world) {
        long endNanos = System.nanoTime();
        long nanos = job.nondeterministic(() -> endNanos - startNanos);
        return 1e-9 * world.allReduce(AtomicOp.MAX, nanos);
    }
}
