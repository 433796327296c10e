package org.ftrma.rma.replay;

import java.lang.foreign.MemorySegment;
import org.ftrma.DataType;
import org.ftrma.rma.log.LogCounters;
import org.ftrma.rma.log.LogRegion;

/** Context that the job gives the replay of a lost rank. Data thread. */
public interface ReplayContext {
    /** The log region of a rank. */
    LogRegion region(int rank);

    /** A window of this rank, by its number. */
    MemorySegment window(int index);

    /** This rank's lock words are made anew of what the others hold. */
    void rebuildLocks();

    /** Whether this rank holds the lock of a window of its own that others had since. */
    boolean ownLockWasPassedOn();

    /** Whether this rank holds an exclusive lock, of any window at any rank, that its predecessor had given back. */
    boolean lockWasGivenBack();

    /** Whether a window is in no image. */
    boolean isScratch(int index);

    /** What another rank's part of a window holds at a place. */
    long valueAt(int index, int rank, DataType type, long offset);

    /** Puts that were not sent again so far. */
    long suppressedPuts();

    /** The step that is executed now. */
    long step();

    /** The counters that what is executed now is logged with. */
    LogCounters counters();

    /** The recovery is over: the job goes on as if nothing had happened. */
    void wentLive();
}
