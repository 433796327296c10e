package org.ftrma.spi;

/** Time and waiting, so that both can be simulated. Any thread. */
public interface Clock {
    /** Nanoseconds of a monotonic clock. */
    long nanoTime();

    /**
     * One turn of a wait that found nothing to do: spins, then yields, then sleeps for a moment, as the turns go up.
     *
     * @param turn 0 for the first turn of a wait, then counting up; from 2^30 on the thread has nothing to do until a control frame wakes it
     */
    void relax(int turn);
}
