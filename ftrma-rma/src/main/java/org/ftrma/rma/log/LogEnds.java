package org.ftrma.rma.log;

import java.util.Arrays;

/**
 * Where the logs of one rank end, and how what is before such marks is dropped when an image includes it. Part of an
 * {@link AccessLog}; data thread only; allocates the marks.
 */
final class LogEnds {
    private final AccessLog log;

    LogEnds(AccessLog log) {
        this.log = log;
    }

    /** Where all logs of this rank end now. */
    LogMarks all() {
        LogMarks marks = ofResults();
        for (int rank = 0; rank < log.ranks; rank++) {
            Peer peer = log.peers[rank];
            if (peer != null) {
                peer.puts.reservation().cancel();
                peer.staged = null;
                marks.puts(rank, peer.puts.mark());
            }
        }
        marks.collectives(log.collectives == null ? 0 : log.collectives.mark());
        marks.locks(log.locks.mark());
        return marks;
    }

    /** Where this rank's results end now, by the rank that keeps them. */
    LogMarks ofResults() {
        LogMarks marks = new LogMarks(log.ranks);
        for (int rank = 0; rank < log.ranks; rank++) {
            Peer peer = log.peers[rank];
            marks.results(rank, peer == null || peer.results == null ? 0 : peer.results.mark());
        }
        marks.ownResults(log.ownResults == null ? 0 : log.ownResults.mark());
        return marks;
    }

    /** Drops of all logs what is before the marks. */
    void trim(LogMarks marks) {
        trimResults(marks);
        for (int rank = 0; rank < log.ranks; rank++) {
            if (log.peers[rank] != null) {
                trim(log.peers[rank].puts, marks.puts(rank));
            }
        }
        trim(log.collectives, marks.collectives());
        log.locks.trim(marks.locks());
    }

    /** Drops of the results what is before the marks, in those logs that are still those of the marks. */
    void trimResults(LogMarks marks) {
        log.inFlight.tailsMove();
        for (int rank = 0; rank < log.ranks; rank++) {
            Peer peer = log.peers[rank];
            if (peer != null && !marks.isLost(rank)) {
                peer.lostResults = false;
                trim(peer.results, marks.results(rank));
            }
        }
        if (!marks.areOwnResultsLost()) {
            log.lostPeers.buddyKeepsAll();
            trim(log.ownResults, marks.ownResults());
        }
    }

    /** Whether a buffer was taken from a log and not put yet. */
    boolean isAnyStaged() {
        return Arrays.stream(log.peers).anyMatch(peer -> peer != null && peer.staged != null);
    }

    static void trim(LogWriter writer, long mark) {
        if (writer != null && mark != 0) {
            writer.trimTo(mark);
        }
    }
}
