package org.ftrma.rma.log;

import java.util.Arrays;

/**
 * Ends of the logs of one rank; drops what is before such marks when an image includes it. Part of an {@link
 * AccessLog}; data thread only; allocates the marks.
 */
final class LogEnds {
    private final RankLogs logs;
    private final LockLog locks;
    private final InFlight inFlight;
    private final LostPeers lostPeers;

    LogEnds(RankLogs logs, LockLog locks, InFlight inFlight, LostPeers lostPeers) {
        this.logs = logs;
        this.locks = locks;
        this.inFlight = inFlight;
        this.lostPeers = lostPeers;
    }

    /** Where all logs of this rank end now. */
    LogMarks all() {
        LogMarks marks = ofResults();
        for (int rank = 0; rank < logs.ranks; rank++) {
            Peer peer = logs.peers[rank];
            if (peer != null) {
                peer.puts.reservation().cancel();
                peer.staged.segment = null;
                marks.puts(rank, peer.puts.mark());
            }
        }
        marks.collectives(logs.collectives == null ? 0 : logs.collectives.mark());
        marks.locks(locks.mark());
        return marks;
    }

    /** Where this rank's results end now, by the rank that keeps them. */
    LogMarks ofResults() {
        LogMarks marks = new LogMarks(logs.ranks);
        for (int rank = 0; rank < logs.ranks; rank++) {
            Peer peer = logs.peers[rank];
            marks.results(rank, peer == null || peer.results == null ? 0 : peer.results.mark());
        }
        marks.ownResults(logs.ownResults == null ? 0 : logs.ownResults.mark());
        return marks;
    }

    /** Drops of all logs what is before the marks. */
    void trim(LogMarks marks) {
        trimResults(marks);
        for (int rank = 0; rank < logs.ranks; rank++) {
            if (logs.peers[rank] != null) {
                trim(logs.peers[rank].puts, marks.puts(rank));
            }
        }
        trim(logs.collectives, marks.collectives());
        locks.trim(marks.locks());
    }

    /** Drops of the results what is before the marks, in those logs that are still those of the marks. */
    void trimResults(LogMarks marks) {
        inFlight.tailsMove();
        for (int rank = 0; rank < logs.ranks; rank++) {
            Peer peer = logs.peers[rank];
            if (peer != null && !marks.isLost(rank)) { // L23
                peer.lostResults = false;
                trim(peer.results, marks.results(rank));
            }
        }
        if (!marks.areOwnResultsLost()) {
            lostPeers.buddyKeepsAll();
            trim(logs.ownResults, marks.ownResults());
        }
    }

    /** Whether a buffer was taken from a log and not put yet. */
    boolean isAnyStaged() {
        return Arrays.stream(logs.peers).anyMatch(peer -> peer != null && peer.staged.segment != null);
    }

    static void trim(LogWriter writer, long mark) {
        if (writer != null && mark != 0) {
            writer.trimTo(mark);
        }
    }
}
