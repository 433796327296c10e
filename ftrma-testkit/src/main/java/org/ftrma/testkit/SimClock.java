package org.ftrma.testkit;

import org.ftrma.spi.Clock;

/** A simulated process's clock: time is what the scheduler says. Its process's thread only. */
final class SimClock implements Clock {
    private final SimScheduler scheduler;
    private final SimProcess process;

    SimClock(SimScheduler scheduler, SimProcess process) {
        this.scheduler = scheduler;
        this.process = process;
    }

    @Override
    public long nanoTime() {
        return scheduler.now();
    }

    @Override
    public void relax(int turn) {
        process.relax();
    }
}
