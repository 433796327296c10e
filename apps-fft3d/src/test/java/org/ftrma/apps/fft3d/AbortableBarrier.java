package org.ftrma.apps.fft3d;

/** A barrier of threads that, once aborted, lets nobody through or wait, whether they came before or after. */
final class AbortableBarrier {
    private static final long DEADLINE_NANOS = 120_000_000_000L;

    private final int parties;
    private int waiting;
    private long generation;
    private boolean aborted;

    AbortableBarrier(int parties) {
        this.parties = parties;
    }

    /** Waits for all; false if it was aborted. */
    synchronized boolean await() {
        if (aborted) {
            return false;
        }
        long mine = generation;
        if (++waiting == parties) {
            waiting = 0;
            generation++;
            notifyAll();
            return true;
        }
        long deadline = System.nanoTime() + DEADLINE_NANOS;
        while (mine == generation && !aborted) {
            long rest = (deadline - System.nanoTime()) / 1_000_000;
            if (rest <= 0) {
                throw new IllegalStateException(waiting + " of " + parties + " threads came to barrier " + mine
                    + " in time");
            }
            try {
                wait(rest);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        return mine != generation;
    }

    synchronized void abort() {
        aborted = true;
        notifyAll();
    }
}
