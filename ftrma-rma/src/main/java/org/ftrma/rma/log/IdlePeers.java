package org.ftrma.rma.log;

/**
 * Ranks that one rank has left alone for the whole time between two cuts, and since: all that it did there is in the
 * images of the later cut, when that counts. Accesses are told by the records that they leave, which a cut lets none
 * escape: what is repeated after it has a record of its own ({@link LogWriter#mark}). A rank is busy at another one,
 * too, while it holds a lock there, or has an epoch or a get there that is not over. Part of an {@link AccessLog}; data
 * thread only.
 */
public final class IdlePeers {
    private final RankLogs logs;
    private final LostPeers lostPeers;
    /** Cuts of this log that count. */
    private long cuts;

    IdlePeers(RankLogs logs, LostPeers lostPeers) {
        this.logs = logs;
        this.lostPeers = lostPeers;
    }

    /** An image of this rank is taken, and one of each other rank that includes the same. */
    public void cut() {
        for (Peer peer : logs.peers) {
            if (peer != null) {
                peer.cuts.cut(accesses(peer));
            }
        }
    }

    /** The generation of the newest cut counts. */
    public void committed() {
        cuts++;
        for (Peer peer : logs.peers) {
            if (peer != null) {
                peer.cuts.committed();
            }
        }
    }

    /** Whether nothing was accessed there since the last cut but one that counts; at a step boundary. */
    public boolean isIdle(int rank) {
        Peer peer = logs.peers[rank];
        return cuts > 1 && !hasResults(rank)
            && (peer == null || peer.cuts.wereAlready(accesses(peer)));
    }

    /** Whether a rank keeps something for this one, or this one for it, whatever they access. */
    public boolean isNear(int rank) {
        return rank == logs.self || rank == logs.buddy || logs.layout.buddyOf(logs.self) == rank;
    }

    private static boolean isLocked(Peer peer) {
        for (long lock : peer.locks) {
            if (lock != 0) {
                return true;
            }
        }
        return false;
    }

    private long accesses(Peer peer) {
        boolean isBusy = peer.touched || !peer.pending.isEmpty() || peer.noted.happened || isLocked(peer)
            || peer.staged.segment != null;
        return isBusy ? CutCounts.UNKNOWN : peer.puts.records() + (peer.results == null ? 0 : peer.results.records())
            + logs.gaps();
    }

    /** Whether results of this rank are there that no image includes, or lacking, or about to be logged. */
    public boolean hasResults(int rank) {
        Peer peer = logs.peers[rank];
        return peer != null && (peer.noted.happened
            || peer.results != null && (!peer.results.isEmpty() || peer.results.gap().isOpen()));
    }

    /** The log region there is opened anew before the next access. */
    public void leave(int rank) {
        if (logs.peers[rank] != null) {
            lostPeers.close(logs.peers[rank]);
        }
    }
}
