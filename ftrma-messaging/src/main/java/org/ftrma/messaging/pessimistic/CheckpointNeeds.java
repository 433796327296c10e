package org.ftrma.messaging.pessimistic;

import java.util.Arrays;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.session.Inbox;
import org.ftrma.messaging.event.EventLog;
import org.ftrma.messaging.send.LoggedSender;
import org.ftrma.messaging.transport.SendLog;

/**
 * Asks for checkpoints of single ranks: of the one that this rank's send log keeps most for, when that runs low; of
 * those that it lacks messages for; and of this rank, when its events run low. Each is asked for again only after an
 * answer. Data thread only.
 */
final class CheckpointNeeds {
    private static final int PAUSE = 4;
    private final Inbox inbox;
    private final int member;
    private final int lowPercent;
    private final LoggedSender sender;
    private final SendLog log;
    private final EventLog events;
    private final boolean[] asked;
    private final long[] notBefore;
    private long boundary;

    /** The log runs low from {@code lowPercent} on. */
    CheckpointNeeds(Inbox inbox, int member, int ranks, int lowPercent, LoggedSender sender, SendLog log,
        EventLog events) {
        this.inbox = inbox;
        this.member = member;
        this.lowPercent = lowPercent;
        this.sender = sender;
        this.log = log;
        this.events = events;
        this.asked = new boolean[ranks];
        this.notBefore = new long[ranks];
    }

    /** A new view: nothing was asked for. */
    void clear() {
        Arrays.fill(asked, false);
        Arrays.fill(notBefore, 0);
        boundary = 0;
    }

    /** At a step boundary. */
    void ask() {
        boundary++;
        boolean isLow = isUsed(lowPercent, 100);
        if (isUsed(lowPercent, 200)) {
            sender.trim();
            isLow = isUsed(lowPercent, 100);
        }
        int most = -1;
        for (int rank = 0; rank < asked.length; rank++) {
            if (sender.lacksFor(rank)) {
                ask(rank, true);
            }
            if (log.chunks(rank) > 1 && (most < 0 || log.chunks(rank) > log.chunks(most))) {
                most = rank;
            }
        }
        if (isLow && most >= 0) {
            ask(most, false);
        }
        if (events.runsLow()) {
            ask(member, false);
        }
    }

    /** Whether so many parts of the whole log are in use. */
    private boolean isUsed(long parts, long whole) {
        return whole * log.used() > parts * log.size();
    }

    private void ask(int rank, boolean isUrgent) {
        if (!asked[rank] && boundary >= notBefore[rank]) {
            asked[rank] = true;
            inbox.send(new ControlMessage.DemandWanted(inbox.view(), rank, isUrgent));
        }
    }

    /** A checkpoint of that rank was committed or given up, whichever rank had asked for it. */
    void answered(int rank, boolean isCommitted) {
        if (asked[rank]) {
            asked[rank] = false;
            notBefore[rank] = boundary + (isCommitted ? 1 : PAUSE);
        }
    }
}
