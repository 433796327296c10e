package org.ftrma.rank.control;

import java.util.concurrent.locks.LockSupport;

/** The time, as a launcher and agents see it; a test may have another one. Any thread. */
public interface MachineClock {
    /** The clock of this machine. */
    MachineClock HERE = new MachineClock() {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public long runningNanos() {
            return RunningClock.HERE.nanoTime();
        }

        @Override
        public void park(Object blocker, long nanos) {
            LockSupport.parkNanos(blocker, nanos);
        }
    };

    /** Nanoseconds of a monotonic clock. */
    long nanoTime();

    /** The same without time in which this process did not run ({@link RunningClock}): for deadlines. */
    long runningNanos();

    /** Lets time pass, so long at most. */
    void park(Object blocker, long nanos);
}
