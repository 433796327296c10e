package org.ftrma.rank;

import java.lang.management.ManagementFactory;
import java.util.concurrent.locks.LockSupport;
import org.ftrma.rank.control.RunningClock;
import org.ftrma.spi.Clock;

/**
 * The clock of this process ({@link RunningClock}), and waiting that is fast while what is waited for is near and cheap
 * while it is not: turns of a wait spin at first, then give the core to whoever wants it, then sleep, longer and
 * longer. Where there are more ranks than cores the spinning is short, since what is waited for may need this very
 * core. Any thread.
 */
public final class SystemClock implements Clock {
    private static final int FIRST_PARK_NANOS = 5_000;
    private static final int SHORT_PARKS = 95;
    private static final int LONG_PARK_NANOS = 1_000_000;
    private static final int IDLE_PARK_NANOS = 50_000_000;
    /** What is waited for is often there at the second look; each may be a call of the system. */
    private static final int SPINS_OF_MANY = 2;
    private final boolean sharing;
    private final int spins;
    private final int yields;

    /**
     * A clock for one process of a job.
     *
     * @param oversubscribed whether the job has more computing ranks than the machine has cores
     * @param sharing whether it has more computing and checksum ranks than cores
     */
    public SystemClock(boolean oversubscribed, boolean sharing) {
        this.sharing = sharing;
        this.spins = oversubscribed ? SPINS_OF_MANY : 10_000;
        this.yields = oversubscribed ? 2_000 : 1_000;
    }

    private static int parkNanos(int turn, int sleeps) {
        if (turn >= IDLE) {
            return IDLE_PARK_NANOS;
        }
        int longer = Math.min(sleeps, 1_000);
        return Math.min(LONG_PARK_NANOS, FIRST_PARK_NANOS + 1_000 * longer + 2_000 * Math.max(0, longer - SHORT_PARKS));
    }

    @Override
    public long nanoTime() {
        return RunningClock.HERE.nanoTime();
    }

    @Override
    public long takenNanos() {
        return sharing ? ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() : 0;
    }

    @Override
    public void relax(int turn) {
        if (turn < spins) {
            Thread.onSpinWait();
        } else if (turn < spins + yields) {
            Thread.yield();
        } else {
            int sleeps = turn - spins - yields;
            // Control frames wake the sleeper, so only peers' stores into memory are seen late: by at most a part in a
            // hundred of the wait. Who wakes takes a core from the thread that serves the others' accesses.
            LockSupport.parkNanos(this, parkNanos(turn, sleeps));
        }
    }
}
