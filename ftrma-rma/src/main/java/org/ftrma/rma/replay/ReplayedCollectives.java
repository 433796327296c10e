package org.ftrma.rma.replay;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import org.ftrma.PeerLostException;
import org.ftrma.core.collective.Collectives;
import org.ftrma.core.control.FallbackReason;
import org.ftrma.core.session.ControlDescriptor;
import org.ftrma.core.session.ControlRegions;
import org.ftrma.core.session.PeerTable;
import org.ftrma.core.session.RecoveringRanks;
import org.ftrma.core.session.Session;
import org.ftrma.core.session.Waiter;
import org.ftrma.rma.log.LogDescriptor;
import org.ftrma.rma.log.LogReader;
import org.ftrma.rma.log.LogRecord;
import org.ftrma.rma.log.LogRegion;
import org.ftrma.spi.RemoteMemory;

/**
 * Barriers and collectives of a rank that replays: how far its predecessor had come, by the signals that it sent, and
 * the results that its buddy keeps. One replay; data thread only.
 */
final class ReplayedCollectives {
    private final Waiter waiter;
    private final RecoveringRanks away;
    private final PeerTable peers;
    private final ControlRegions controls;
    private final int member;
    private final int ranks;
    private final ReplayContext job;
    private final Collectives collectives;
    private final LogDescriptor layout;
    private final Arena arena;
    private final Runnable taken;
    /** Ranks whose logs were opened. */
    private final BitSet survivors = new BitSet();
    /** In the log of the buddy, or of another survivor that was ahead of it. */
    private ReplayCursor results;
    /** Results up to this number were logged and are lost, or were dropped. */
    private long lacked;
    private long frontier;

    /**
     * Nothing is known yet.
     *
     * @param taken run whenever a piece of a result was taken from the log
     */
    ReplayedCollectives(Session session, ReplayContext job, Collectives collectives, LogDescriptor layout, Arena arena,
        Runnable taken) {
        this.waiter = session.waiter;
        this.away = session.away;
        this.peers = session.peers;
        this.controls = session.controls;
        this.member = session.member;
        this.ranks = session.ranks;
        this.job = job;
        this.collectives = collectives;
        this.layout = layout;
        this.arena = arena;
        this.taken = taken;
    }

    /** The last barrier that any survivor saw this rank enter. */
    long frontier() {
        return frontier;
    }

    /**
     * Takes into account how far a survivor saw this rank get. The signal of a round tells of the ranks whose signals
     * of earlier rounds its sender had by then: one of the rounds tells each rank of this one, though those that this
     * one sent signals to may be lost, too. Who has passed a barrier has the signals of all its rounds.
     */
    void lookAt(int rank) {
        survivors.set(rank);
        RemoteMemory control = controls.of(rank);
        int distance = (rank - member + ranks) % ranks;
        int round = 31 - Integer.numberOfLeadingZeros(distance);
        frontier = Math.max(frontier, // R33
            Math.max(ControlDescriptor.number(control.getLong(ControlDescriptor.barrierOffset(0, round))),
                ControlDescriptor.number(control.getLong(ControlDescriptor.barrierOffset(1, round)))));
    }

    /** Opens the log of results, at the buddy; opened anew it has what was logged since. */
    void openResults() {
        LogRegion region = job.region(layout.buddy(member));
        LogReader reader = new LogReader(region, arena).open(layout.collectiveLog());
        lacked = reader.hasGap() ? reader.gapGnc() : 0;
        results = new ReplayCursor(reader, false);
    }

    /**
     * Whether the result of this barrier's collective must come from the log. For the last one before the frontier, and
     * for that at the frontier if this rank had passed it, the log may be behind: as long as it is, what all
     * contributed is still in place. So whoever collects that asks again afterwards. But a rank that is being
     * recovered, too, cannot be read: then the result is looked for at all survivors. If the log lacks it for another
     * reason, that says nothing of what others have done since.
     */
    boolean isLogged(long number) {
        if (number > frontier) {
            return false;
        }
        boolean mayBeBehind = number >= frontier - 1;
        if (mayBeBehind && !isAt(number)) {
            openResults();
        }
        if (number <= lacked && number < frontier) {
            throw waiter.fallBack(FallbackReason.LOG_GAP, "the result of collective " + number
                + " is not logged: those up to " + lacked + " were lost");
        }
        return !mayBeBehind || isAt(number) || away.isAny() && isAtAnotherSurvivor(number); // R24
    }

    private boolean isAtAnotherSurvivor(long number) {
        for (int rank = survivors.nextSetBit(0); rank >= 0; rank = survivors.nextSetBit(rank + 1)) {
            if (!away.has(rank) && isAt(number, rank)) {
                return true;
            }
        }
        return false;
    }

    /** Whether that survivor has the result; if so, it is taken from there. */
    private boolean isAt(long number, int survivor) {
        try {
            LogReader reader = new LogReader(job.region(survivor), arena).open(layout.collectiveLog());
            if (reader.hasGap() && number <= reader.gapGnc()) {
                return false;
            }
            results = new ReplayCursor(reader, false);
            return isAt(number);
        } catch (PeerLostException e) {
            peers.requireAway(e);
            return false;
        }
    }

    private boolean isAt(long number) {
        while (results.has() && results.record().gnc() < number) {
            results.consume();
        }
        return results.has() && results.record().gnc() == number;
    }

    /** Takes a piece of a collective's result from the log. */
    void result(long number, int piece, MemorySegment destination, long offset, long length) {
        long done = 0;
        while (done < length) {
            if (!isAt(number)) {
                throw waiter.fallBack(FallbackReason.LOG_GAP, "the result of collective " + number + " is not logged");
            }
            LogRecord record = results.record();
            if (record.offset() >>> 32 != piece || record.length() > length - done) {
                throw waiter.fallBack(FallbackReason.DETERMINANT_MISMATCH, "executed: collective " + number
                    + ", piece " + piece + " of " + length + " bytes; logged: " + record);
            }
            MemorySegment.copy(record.data(), record.dataOffset(), destination, offset + done, record.length());
            done += record.length();
            results.consume();
        }
        taken.run();
    }
}
