package org.ftrma.spi;

/** Time and waiting, so that both can be simulated. Any thread. */
public interface Clock {
    /** The first turn at which the thread has nothing to do until a control frame wakes it. */
    int IDLE = 1 << 30;

    /** Nanoseconds of a monotonic clock. */
    long nanoTime();

    /**
     * One turn of a wait that found nothing to do: spins, then yields, then sleeps for a moment, as the turns go up.
     *
     * @param turn 0 for the first turn of a wait, then counting up; from {@link #IDLE} on nothing but a control frame
     *     ends the wait
     */
    void relax(int turn);

    /**
     * Nanoseconds of processor time that the calling thread has taken from programs so far: what it has used, where the
     * processes of the job share cores; 0 where each has its own.
     */
    default long takenNanos() {
        return 0;
    }
}
