package org.ftrma.rma.replay;

/**
 * The rules of replay that a replacement keeps, as it must: tests break one at a time, to show that it is found.
 * Immutable; any thread.
 */
public class ReplayRules {
    /** The rules as they must be. */
    public ReplayRules() {
        // there is nothing to set
    }

    /** Up to which barrier what others did is done again, at a barrier of that number that is passed. */
    public long replayedUpTo(long barrier) {
        return barrier;
    }

    /** Whether a replacement remembers the signals that its predecessor sent at barriers. */
    public boolean remembersSignals() {
        return true;
    }

    /** Whether a record answers an access only if it has its counters (EC, GC, SC, GNC). */
    public boolean comparesCounters() {
        return true;
    }

    /** Whether a lock makes seen only what came before its acquisition (SC). */
    public boolean ordersByLocks() {
        return true;
    }

    /** Whether a wait makes seen what came before the signals that it saw. */
    public boolean ordersBySignals() {
        return true;
    }

    /** Whether two accesses that nothing orders are a conflict. */
    public boolean findsConflicts() {
        return true;
    }

    /** Whether the atomic updates of a location must form one path. */
    public boolean followsPaths() {
        return true;
    }
}
