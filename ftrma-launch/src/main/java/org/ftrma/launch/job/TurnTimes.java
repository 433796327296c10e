package org.ftrma.launch.job;

/** The times of a job's turns: how long each may wait, and when deadlines are looked at. The job's thread only. */
final class TurnTimes {
    /** How often deadlines are looked at, at least and at most: it takes a core from a rank each time. */
    private static final long LEAST_TICK_NANOS = 10_000_000L;
    private static final long MOST_TICK_NANOS = 50_000_000L;
    private static final long SHORTEST_WAIT_NANOS = 1_000_000L;

    private final long heartbeatTimeoutNanos;
    private final long tickNanos;
    private long lastTickNanos;
    private long lastTurnNanos;

    TurnTimes(long heartbeatTimeoutNanos) {
        this.heartbeatTimeoutNanos = heartbeatTimeoutNanos;
        this.tickNanos = Math.clamp(heartbeatTimeoutNanos / 10, LEAST_TICK_NANOS, MOST_TICK_NANOS);
    }

    /** The first turn begins. */
    void begin(long nowNanos) {
        lastTurnNanos = nowNanos;
        lastTickNanos = nowNanos;
    }

    /** How long a turn may wait for input. */
    long waitNanos(long nowNanos) {
        return Math.max(SHORTEST_WAIT_NANOS, lastTickNanos + tickNanos - nowNanos);
    }

    /** Whether the thread was held up since the last turn (a stopped launcher, a machine asleep). Once in a turn. */
    boolean isLate(long nowNanos) {
        boolean isLate = nowNanos - lastTurnNanos > heartbeatTimeoutNanos / 4;
        lastTurnNanos = nowNanos;
        return isLate;
    }

    /** Whether deadlines are to be looked at. Once in a turn. */
    boolean isTick(long nowNanos) {
        if (nowNanos - lastTickNanos < tickNanos) {
            return false;
        }
        lastTickNanos = nowNanos;
        return true;
    }
}
