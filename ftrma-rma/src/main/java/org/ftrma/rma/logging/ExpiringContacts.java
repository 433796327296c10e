package org.ftrma.rma.logging;

import java.util.BitSet;
import java.util.List;
import org.ftrma.core.session.OpenedPeers;
import org.ftrma.options.JobOptions;
import org.ftrma.rma.log.AccessLog;
import org.ftrma.rma.log.IdlePeers;
import org.ftrma.rma.window.WindowImpl;

/**
 * Gives up ranks that this one has left alone for the whole time between two cuts that count: should both be lost,
 * neither needs a log of the other one, and they are recovered side by side. Before that is said all of theirs is
 * closed, so that the next access of any kind asks for their keys first, as the very first one did. At step boundaries
 * only, where no access is under way. Data thread only.
 */
final class ExpiringContacts {
    private final OpenedPeers opened;
    private final boolean recoversLocally;
    private final List<WindowImpl> windows;
    private final LogRegions regions;
    /** Whether a generation counts since the last boundary. */
    private boolean isDue;

    ExpiringContacts(OpenedPeers opened, JobOptions options, List<WindowImpl> windows, LogRegions regions) {
        this.opened = opened;
        this.recoversLocally = options.protocol().recoversLocally();
        this.windows = windows;
        this.regions = regions;
    }

    void enterView() {
        isDue = false;
    }

    /** The generation of the newest cut counts. */
    void committed(AccessLog log) {
        log.idlePeers().committed();
        isDue = recoversLocally;
    }

    /** At a step boundary of a rank that does not replay, whose logs are trimmed. */
    void atBoundary(AccessLog log) {
        if (!isDue) {
            return;
        }
        isDue = false;
        IdlePeers idle = log.idlePeers();
        BitSet left = opened.asked();
        for (int rank = left.nextSetBit(0); rank >= 0; rank = left.nextSetBit(rank + 1)) {
            if (idle.isNear(rank) || !idle.isIdle(rank)) {
                left.clear(rank);
            } else {
                leave(log, rank);
            }
        }
        if (!left.isEmpty()) {
            opened.renounce(left);
        }
    }

    private void leave(AccessLog log, int rank) {
        log.idlePeers().leave(rank);
        windows.forEach(window -> window.close(rank));
        regions.setAside(rank);
    }

    /**
     * A replacement that has found out where logs end does not know whether its predecessor had given a rank up; if it
     * had, it left no results there.
     */
    void resumed(AccessLog log, int rank) {
        if (!log.idlePeers().isNear(rank) && !log.idlePeers().hasResults(rank)) {
            leave(log, rank);
        }
    }
}
