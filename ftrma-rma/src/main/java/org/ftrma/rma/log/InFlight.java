package org.ftrma.rma.log;

import org.ftrma.DataType;

/**
 * Accesses of a rank at others that must not be done twice: atomic updates, and changes of a shared lock's count.
 * Should it be killed in the middle of one, its replacement can tell whether that had happened (N of the paper, which
 * all go back for): the values before and after are written down at the target first, and nobody else updates the same
 * place meanwhile, for which there are {@linkplain LogDescriptor update locks} at every rank. What a rank does to its
 * own memory needs no such note: its outcome is logged before it is done, and what dies with the rank is done again.
 * Data thread only; nothing is allocated.
 */
final class InFlight {
    private final RankLogs logs;
    /** Where something is noted, or null. */
    private Peer noted;
    /** Where an update lock is held, or null, and which. */
    private LogRegion locked;
    private int lock;

    InFlight(RankLogs logs) {
        this.logs = logs;
    }

    /**
     * Takes an update lock of the target, unless somebody else has it, or it is left to others: then nothing was done.
     * Losses may be heard of before it is taken.
     */
    boolean begin(int target, int which) {
        logs.results(target); // may have to be opened
        LogRegion region = logs.region(logs.peer(target));
        if (!region.lockUpdates(which)) { // L11
            return false;
        }
        locked = region;
        lock = which;
        return true;
    }

    /** As {@link #begin}, of an atomic update: not while the target copies its memory. */
    boolean beginUpdate(int target, int which) {
        if (locked != null) {
            // taken before a loss was heard of, and nothing was done: the target waits for it, if it wants to copy
            giveUp(target); // D8
        }
        if (target == logs.self) {
            return begin(target, which);
        }
        // Asked before, too: who copies must find all update locks free, though many try.
        if (isHeld(target) || !begin(target, which)) { // D7
            return false;
        }
        if (isHeld(target)) {
            giveUp(target);
            return false;
        }
        return true;
    }

    private boolean isHeld(int target) {
        return logs.region(logs.peer(target)).isHeld();
    }

    /** The update lock is given back: nothing was done. */
    void giveUp(int target) {
        if (noted != null) {
            clear(target);
        }
        locked.unlockUpdates(lock);
        locked = null;
    }

    /**
     * What is done next may have happened from now on, and if so, has changed what is there from one value to the
     * other.
     */
    void note(int target, long what, int window, DataType type, long offset, long old, long updated) {
        if (target == logs.self) {
            return;
        }
        Peer peer = logs.peer(target);
        LogRegion region = logs.region(peer);
        if (peer.noted.clearing) {
            region.complete(); // two writes of a word have no order where memory is not mapped
            peer.noted.clearing = false;
        }
        region.note(LogDescriptor.place(window, type, offset), old, updated);
        noted = peer;
        // L10
        region.setN(logs.results(target).tail() | what);
        region.complete();
    }

    /** Whether an update lock is held: something is under way. */
    boolean isBegun() {
        return locked != null;
    }

    /**
     * The target knows the number of an update that is done: before its outcome is logged, for from then on nobody
     * looks whether it is over.
     */
    void count(int target) {
        Peer peer = logs.peer(target);
        logs.region(peer).setUpdates(peer.updates);
    }

    /** It is done and logged. */
    void end(int target) {
        if (target != logs.self && (noted != null || logs.peer(target).noted.happened)) {
            clear(target);
        }
        if (locked != null) {
            locked.unlockUpdates(lock);
            locked = null;
        }
    }

    private void clear(int target) {
        Peer peer = logs.peer(target);
        noted = null;
        peer.noted.happened = false;
        logs.region(peer).setN(0);
        // lands by itself; until then a failure here only costs a fallback
        peer.noted.clearing = !logs.region(peer).isMapped();
    }

    /** Whether something is under way at a rank, which is lost. It is over then. */
    boolean endsAt(Peer peer) {
        boolean ends = noted == peer;
        if (ends || locked != null && locked.home() == peer.rank) {
            noted = null;
            locked = null;
        }
        return ends;
    }

    /**
     * Logs are trimmed: within a wait, tails move without a record, and N cannot tell any more whether there is one.
     */
    void tailsMove() {
        if (noted != null) {
            // L12
            logs.region(noted).setN(-1L);
            logs.region(noted).complete();
        }
    }
}
