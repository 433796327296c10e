package org.ftrma.rma.log;

/**
 * Logs of one rank: its puts, which it keeps, and its results, which their targets and its buddy keep. They are opened
 * when something is logged first. Part of an {@link AccessLog}; data thread only; allocates nothing once a peer is
 * known.
 */
final class RankLogs {
    final int self;
    final int ranks;
    final int buddy;
    final LogDescriptor layout;
    final LogHome home;
    /** By rank; null: this rank has not talked to it. */
    final Peer[] peers;
    final LogRegion own;
    private final Epochs epochs;
    private final boolean logsResults;
    /** Results that no other rank but the buddy holds; null: none was logged. */
    LogWriter ownResults;
    /** Results of collectives, which this rank keeps for another one; null: none was logged. */
    LogWriter collectives;
    private long drops;
    private long gaps;
    private long droppedEver;

    RankLogs(int self, LogDescriptor layout, LogHome home, Epochs epochs, boolean logsResults) {
        this.self = self;
        this.ranks = layout.ranks();
        this.buddy = layout.buddy(self);
        this.layout = layout;
        this.home = home;
        this.peers = new Peer[ranks];
        this.own = home.region(self);
        this.epochs = epochs;
        this.logsResults = logsResults;
    }

    Peer peer(int rank) {
        Peer peer = peers[rank];
        return peer != null ? peer : meet(rank);
    }

    private Peer meet(int rank) {
        LogWriter puts = new LogWriter(own, layout.putLog(rank), () -> home.flush(rank));
        peers[rank] = new Peer(rank, puts, 1 + epochs.flushesOfAll);
        return peers[rank];
    }

    void expectLike(RankLogs other) {
        for (Peer peer : other.peers) {
            if (peer != null) {
                meet(peer.rank).staged.packing = peer.staged.packing;
            }
        }
    }

    LogRegion region(Peer peer) {
        if (peer.region == null) {
            peer.region = home.region(peer.rank);
        }
        return peer.region;
    }

    boolean areResultsLogged() {
        return logsResults;
    }

    /** Where results of accesses to a target are logged; null if they are not, or this rank is alone. */
    LogWriter results(int target) {
        if (!logsResults) {
            return null;
        }
        if (target == self) {
            return ownResults();
        }
        Peer peer = peer(target);
        if (peer.results == null) {
            peer.results = new LogWriter(region(peer), layout.getLog(self), null);
        }
        return peer.results;
    }

    LogWriter ownResults() {
        if (ownResults == null && buddy != self && logsResults) {
            ownResults = new LogWriter(region(peer(buddy)), layout.buddyLog(), null); // L4
        }
        return ownResults;
    }

    LogWriter collectives() {
        if (collectives == null) {
            collectives = new LogWriter(own, layout.collectiveLog(), null);
        }
        return collectives;
    }

    /** The counters of an access whose outcome is known now. */
    Determinant outcome(Determinant access, int target) {
        return target == self ? epochs.ownOutcome(access, peers[self]) : epochs.arrived(access, peers[target]);
    }

    /** A record was appended, or its log was dropped for want of room. */
    void note(boolean appended) {
        if (!appended) {
            lacks(); // L19
            droppedEver++;
        }
    }

    /** A log lacks something from now on, for want of room or since the program was told what no replay repeats. */
    void lacks() {
        drops++;
        gaps++;
    }

    /** How often a log began to lack something. */
    long gaps() {
        return gaps;
    }

    /** How often a log began to lack something since the last trim. */
    long drops() {
        return drops;
    }

    /** How often a log was dropped for want of room. */
    long droppedEver() {
        return droppedEver;
    }

    void trimmed() {
        drops = 0;
    }
}
