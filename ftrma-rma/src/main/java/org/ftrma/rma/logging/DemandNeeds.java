package org.ftrma.rma.logging;

import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.session.Inbox;
import org.ftrma.options.JobOptions;
import org.ftrma.rma.log.AccessLog;

/**
 * Chooses the ranks whose demand checkpoints one rank wants: those that it keeps most log memory for, as many as are
 * enough, when that runs low; and those whose recovery would need what its logs lack, itself included. Each is asked
 * for again only after an answer, and ever more seldom where the last one did not help. One view; data thread only.
 */
final class DemandNeeds {
    private static final int LONGEST_PAUSE = 64;
    /** Until the rank that is asked comes to a boundary, until others of its group do, and until the parity is made. */
    private static final int ROOM_STEPS = 3;
    /**
     * Where there is less room than for so many steps, logs run low from two thirds on of what they otherwise do from.
     */
    private static final int AMPLE_STEPS = 6;

    private final Inbox inbox;
    private final JobOptions options;
    private final int member;
    private final int ranks;
    private final boolean[] asked;
    private final boolean[] answered;
    private final long[] notBefore;
    private final long[] pause;
    /** Chunks that were kept for a rank when it was asked for. */
    private final long[] kept;
    private long boundary;
    /** Chunks in use at the last boundary, and by how many more they were most than at the one before. */
    private long used;
    private long mostGrown;
    /** Who was asked for with the word that it is urgent. */
    private final boolean[] urged;

    DemandNeeds(Inbox inbox, JobOptions options, int member) {
        this.inbox = inbox;
        this.options = options;
        this.member = member;
        this.ranks = options.ranks();
        this.asked = new boolean[ranks];
        this.answered = new boolean[ranks];
        this.notBefore = new long[ranks];
        this.pause = new long[ranks];
        this.urged = new boolean[ranks];
        this.kept = new long[ranks];
    }

    /** At a step boundary. */
    void ask(AccessLog log) {
        boundary++;
        grow(log);
        boolean isShort = !hasRoomForSteps(log, ROOM_STEPS);
        int low = options.logLowPercent();
        low = hasRoomForSteps(log, AMPLE_STEPS) ? low : low * 2 / 3; // D1
        for (int rank = 0; rank < ranks; rank++) {
            boolean lacks = rank == member ? log.demand().lacksResults() : log.demand().lacksFor(rank);
            if (answered[rank]) {
                answered[rank] = false;
                boolean helped = !lacks && (rank == member || log.demand().chunksFor(rank) < kept[rank]
                    || kept[rank] <= 1);
                pause[rank] = helped ? 0 : Math.min(LONGEST_PAUSE, 2 * pause[rank] + 1);
                notBefore[rank] = boundary + pause[rank];
            }
            if (lacks) { // D21
                ask(log, rank, true);
            }
            if (asked[rank] && !urged[rank] && (isShort || lacks)) {
                send(rank, true);
            }
        }
        long expected = 0;
        for (int rank = 0; rank < ranks; rank++) {
            expected += rank != member && asked[rank] ? log.demand().chunksFor(rank) : 0;
        }
        while (log.demand().usesMoreThan(low, expected)) {
            int most = mostKeptFor(log);
            if (most < 0) {
                return;
            }
            expected += log.demand().chunksFor(most);
            ask(log, most, isShort);
        }
    }

    private void grow(AccessLog log) {
        long now = log.demand().usedChunks();
        mostGrown = Math.max(mostGrown, now - used);
        used = now;
    }

    /** Whether some more steps would fit: as large ones as there were, for a trim hides what the last one took. */
    private boolean hasRoomForSteps(AccessLog log, int steps) {
        return log.demand().hasRoomFor(steps * mostGrown);
    }

    private int mostKeptFor(AccessLog log) {
        int most = -1;
        for (int rank = 0; rank < ranks; rank++) {
            if (rank != member && !asked[rank] && boundary >= notBefore[rank]
                && log.demand().chunksFor(rank) > 0
                && (most < 0 || log.demand().chunksFor(rank) > log.demand().chunksFor(most))) {
                most = rank;
            }
        }
        return most;
    }

    private void ask(AccessLog log, int rank, boolean isUrgent) {
        if (!asked[rank] && boundary >= notBefore[rank]) {
            asked[rank] = true;
            kept[rank] = log.demand().chunksFor(rank);
            send(rank, isUrgent);
        }
    }

    private void send(int rank, boolean isUrgent) {
        urged[rank] = isUrgent;
        inbox.send(new ControlMessage.DemandWanted(inbox.view(), rank, isUrgent));
    }

    /** A demand checkpoint of that rank was committed or given up, whoever had asked for it. */
    void answered(int rank, boolean isCommitted) {
        answered[rank] = asked[rank] && isCommitted;
        asked[rank] = false;
    }
}
