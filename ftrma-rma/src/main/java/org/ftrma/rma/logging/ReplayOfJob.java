package org.ftrma.rma.logging;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.LongSupplier;
import org.ftrma.DataType;
import org.ftrma.rma.log.AccessLog;
import org.ftrma.rma.log.LogCounters;
import org.ftrma.rma.log.LogRegion;
import org.ftrma.rma.replay.ReplayContext;
import org.ftrma.rma.window.WindowImpl;

/** Windows, logs and locks of the job for one replay. One replay; data thread only. */
final class ReplayOfJob implements ReplayContext {
    private final LogRegions regions;
    private final List<WindowImpl> windows;
    private final AccessLog log;
    private final LongSupplier step;
    private final Runnable whenLive;

    ReplayOfJob(LogRegions regions, List<WindowImpl> windows, AccessLog log, LongSupplier step,
        Runnable whenLive) {
        this.regions = regions;
        this.windows = windows;
        this.log = log;
        this.step = step;
        this.whenLive = whenLive;
    }

    @Override
    public LogRegion region(int rank) {
        return regions.region(rank);
    }

    @Override
    public MemorySegment window(int index) {
        return windows.get(index).memory();
    }

    @Override
    public boolean isScratch(int index) {
        return regions.isScratch(index);
    }

    @Override
    public long valueAt(int index, int rank, DataType type, long offset) {
        return windows.get(index).valueAt(rank, type, offset);
    }

    @Override
    public boolean ownLockWasPassedOn() {
        return windows.stream().anyMatch(window -> window.locks.ownWasPassedOn());
    }

    @Override
    public boolean lockWasGivenBack() {
        return windows.stream().anyMatch(window -> window.locks.wasGivenBack());
    }

    @Override
    public void rebuildLocks() {
        windows.forEach(window -> window.locks.rebuildWord());
    }

    @Override
    public long suppressedPuts() {
        return log.suppressedPuts();
    }

    @Override
    public long step() {
        return step.getAsLong();
    }

    @Override
    public LogCounters counters() {
        return log.counters();
    }

    @Override
    public void wentLive() {
        whenLive.run();
    }
}
