package org.ftrma.rma.log;

/** Logs and epochs of a rank towards one other rank. Data thread only. */
final class Peer {
    final int rank;
    final LogWriter puts;
    LogRegion region;
    LogWriter results;
    /**
     * The determinant of the newest put to it. Its EC is that of the next one, too: the present epoch. The counters
     * that seldom change need not be filled in for each put.
     */
    final Determinant put = new Determinant();
    long flushes;
    /** Results of this rank were lost there since the last committed image. */
    boolean lostResults;
    /** The last epoch that the target knows to be closed. */
    long closed;
    /** Accesses of epochs up to this one are not sent again. */
    long suppressed;
    boolean touched;
    /** Atomic updates of the target's windows that changed them, ever: the number of the newest one. */
    long updates;
    /** The number of the lock event that this rank's newest signal there is, or a predecessor's. */
    long signals;
    final PendingGets pending = new PendingGets();
    /** Number of the acquisition of each window's lock there, 0: not held; with {@link LogDescriptor#SHARED}. */
    long[] locks = {};
    final StagedPut staged;
    final NotedAccess noted = new NotedAccess();
    final CutCounts cuts = new CutCounts();

    Peer(int rank, LogWriter puts, long epoch) {
        this.rank = rank;
        this.puts = puts;
        this.staged = new StagedPut(puts);
        epoch(epoch);
    }

    /** The present epoch, from 1: one more than the flushes of this target and of all. */
    long epoch() {
        return put.ec();
    }

    void epoch(long present) {
        put.ec(present);
    }

    /** The barriers that were completed before the newest put or update. */
    long lastGnc() {
        return put.gnc();
    }

    void lastGnc(long barriers) {
        put.gnc(barriers);
    }

    /** Number of the acquisition of a window's lock there, with {@link LogDescriptor#SHARED}; 0: not held. */
    long sc(int window) {
        return window < locks.length ? locks[window] : 0;
    }

    /** The same of a rank that may not be known. */
    static long sc(Peer peer, int window) {
        return peer == null ? 0 : peer.sc(window);
    }
}
