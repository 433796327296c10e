package org.ftrma.messaging;

import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.session.Session;

/**
 * Of which ranks one rank wants a checkpoint: of those that its send log keeps most for, when that runs low, or that it
 * lacks messages for; and of itself, when its events do. Each is asked for again only after an answer. One view; data
 * thread only.
 */
final class MessageNeeds {
    private static final int PAUSE = 4;
    private final Session session;
    private final boolean[] asked;
    private final long[] notBefore;
    private long boundary;

    MessageNeeds(Session session) {
        this.session = session;
        this.asked = new boolean[session.ranks];
        this.notBefore = new long[session.ranks];
    }

    /** At a step boundary. */
    void ask(LoggedSender sender, boolean eventsRunLow) {
        boundary++;
        int low = session.options.logLowPercent();
        boolean isLow = 100L * sender.log().used() > (long) low * sender.log().size();
        if (200L * sender.log().used() > (long) low * sender.log().size()) {
            sender.trim();
            isLow = 100L * sender.log().used() > (long) low * sender.log().size();
        }
        int most = -1;
        for (int rank = 0; rank < session.ranks; rank++) {
            if (sender.lacksFor(rank)) {
                ask(rank, true);
            }
            if (sender.log().chunks(rank) > 1 && (most < 0 || sender.log().chunks(rank) > sender.log().chunks(most))) {
                most = rank;
            }
        }
        if (isLow && most >= 0) {
            ask(most, false);
        }
        if (eventsRunLow) {
            ask(session.member, false);
        }
    }

    private void ask(int rank, boolean isUrgent) {
        if (!asked[rank] && boundary >= notBefore[rank]) {
            asked[rank] = true;
            session.inbox.send(new ControlMessage.DemandWanted(session.inbox.view(), rank, isUrgent));
        }
    }

    /** A checkpoint of that rank was committed or given up, whoever had asked for it. */
    void answered(int rank, boolean isCommitted) {
        if (asked[rank]) {
            asked[rank] = false;
            notBefore[rank] = boundary + (isCommitted ? 1 : PAUSE);
        }
    }
}
