package org.ftrma.rma.log;

/**
 * Counters of one rank by which its accesses are ordered (section 3.2.3 of the paper): EC, the epochs closed towards
 * each target; GC, the flushes issued; GNC, the collectives; and the locks taken and given back. Fills them into
 * determinants. Part of an {@link AccessLog}; data thread only; allocates nothing.
 */
final class Epochs {
    long gc;
    /** Flushes of all targets: they close an epoch also at those that this rank has not talked to. */
    long flushesOfAll;
    long gnc;
    /** Locks taken and given back: what orders accesses of different ranks between two barriers. */
    long lockEvents;

    Epochs(long gnc) {
        this.gnc = gnc;
    }

    /** The determinant of a put to another rank. */
    Determinant put(Peer peer, int window, long offset) {
        Determinant put = peer.put.next(LogDescriptor.PUT, window, offset, lockEvents, gnc);
        return peer.locks.length == 0 ? put : put.sc(peer.sc(window)); // without locks SC was never set
    }

    /** The counters of what goes to LP, or to the log of locks. */
    Determinant issued(Determinant access, Peer peer) {
        return access.ec(peer.epoch()).lockEvents(lockEvents).sc(peer.sc(access.window())).gnc(gnc);
    }

    /** The counters of a get that has arrived. */
    Determinant arrived(Determinant access, Peer peer) {
        return access.ec(peer.epoch()).gc(gc).sc(peer.sc(access.window())).gnc(gnc);
    }

    /** The counters of an outcome at this rank itself; peer: what it knows of itself, or null. */
    Determinant ownOutcome(Determinant access, Peer peer) {
        return access.ec(0).gc(gc).sc(Peer.sc(peer, access.window())).gnc(gnc);
    }

    /** Whether an access of now, at another rank, has the counters of a determinant that {@link #arrived} filled. */
    boolean isPresent(Determinant access, Peer peer) {
        return access.ec() == peer.epoch() && access.gc() == gc && access.gnc() == gnc
            && access.sc() == peer.sc(access.window());
    }
}
