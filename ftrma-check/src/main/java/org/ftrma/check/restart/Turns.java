package org.ftrma.check.restart;

import java.lang.foreign.ValueLayout;
import java.util.function.LongSupplier;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.DeadlineException;
import org.ftrma.Job;
import org.ftrma.Window;
import org.ftrma.check.layer.Meeting;
import org.ftrma.spi.Clock;

/**
 * The order of accesses at each target: tickets drawn in the first run of a step, used again in the second. An access
 * waits for nothing but accesses that came before it in the first run, so the second run cannot lock up as long as it
 * makes the same calls; where it does not, the wait ends at the deadline. An access that throws gives its turn back.
 * Data thread only.
 *
 * <pre>
 *   at each target:  0 the next ticket to draw   8 the ticket whose turn it is
 *                   16 + 8 (t mod 512): 1 + the rank that drew ticket t; after them the word of the meeting
 * </pre>
 */
final class Turns {
    private static final long NEXT = 0;
    private static final long NOW = 8;
    private static final long OWNERS = 16;
    private static final int KEPT_OWNERS = 512;
    private static final long MEETING = OWNERS + 8L * KEPT_OWNERS;

    private final StepRecord record;
    private final Window window;
    private final Clock clock;
    private final long deadlineNanos;
    private final int rank;
    private final int ranks;

    /** @param deadlineNanos the longest wait for a turn */
    Turns(Job job, StepRecord record, Clock clock, long deadlineNanos) {
        this.record = record;
        this.clock = clock;
        this.deadlineNanos = deadlineNanos;
        this.rank = job.rank();
        this.ranks = job.ranks();
        window = job.allocateWindow("verify-restart turns", MEETING + Meeting.BYTES);
    }

    /** Where ranks meet at ends of steps. */
    Meeting meeting(Job job) {
        return new Meeting(job, window, MEETING, clock, deadlineNanos);
    }

    /** To be called while no rank makes accesses. */
    void reset() {
        window.memory().set(ValueLayout.JAVA_LONG, NEXT, 0);
        window.memory().set(ValueLayout.JAVA_LONG, NOW, 0);
    }

    private boolean applies(int target) {
        return (record.recording() || record.comparing()) && target >= 0 && target < ranks;
    }

    /** An access, complete when it returns. A target that does not exist is for the access itself to refuse. */
    long inTurn(int target, LongSupplier access) {
        if (!applies(target)) {
            return access.getAsLong();
        }
        await(target);
        long result;
        try {
            result = access.getAsLong();
        } catch (RuntimeException | Error e) {
            giveBack(target, e);
            throw e;
        }
        pass(target);
        return result;
    }

    /** The taking of a lock. It may block, so that in the first run the ticket is drawn once it is held. */
    void locking(int target, Runnable lock) {
        if (record.comparing() || !applies(target)) {
            inTurn(target, () -> {
                lock.run();
                return 0;
            });
            return;
        }
        try {
            lock.run();
        } catch (RuntimeException | Error e) {
            // The second run will meet the same, and has a ticket for it.
            await(target);
            giveBack(target, e);
            throw e;
        }
        await(target);
        pass(target);
    }

    /**
     * The taking of the locks of all targets at once, outside of a second run: there they are taken one by one, each in
     * its turn, since nobody can have the turns of several targets at a time.
     */
    void lockingAll(int targets, Runnable lock) {
        lock.run();
        for (int target = 0; target < targets && record.recording(); target++) {
            await(target);
            pass(target);
        }
    }

    private void await(int target) {
        long ticket;
        if (record.comparing()) {
            ticket = record.kept();
        } else {
            ticket = window.fetchAndOp(AtomicOp.SUM, DataType.INT64, 1, target, NEXT);
            window.putLong(rank + 1, target, OWNERS + 8 * (ticket % KEPT_OWNERS));
            record.keep(ticket);
        }
        long end = clock.nanoTime() + deadlineNanos;
        for (int turn = 0; now(target) != ticket; turn++) {
            if (clock.nanoTime() - end > 0) {
                throw late(target, ticket);
            }
            clock.relax(Math.min(turn, Clock.IDLE - 1));
        }
    }

    private long now(int target) {
        return window.fetchAndOp(AtomicOp.NO_OP, DataType.INT64, 0, target, NOW);
    }

    private DeadlineException late(int target, long ticket) {
        long now = now(target);
        boolean isKept = window.fetchAndOp(AtomicOp.NO_OP, DataType.INT64, 0, target, NEXT) - now <= KEPT_OWNERS;
        long owner = isKept ? window.getLong(target, OWNERS + 8 * (now % KEPT_OWNERS)) - 1 : -1;
        return new DeadlineException("--verify-restart: step " + record.step() + ": waited " + deadlineNanos / 1_000_000
            + " ms for turn " + ticket
            + " of the accesses to rank " + target + ", to make " + record.last()
            + " in the order of the step's first run (--deadline): turn " + now
            + " is that of " + (owner < 0 ? "another rank" : "rank " + owner) + ", which has not made its access"
            + (record.comparing() ? " again: it does something else than the first time, or waits for what comes later"
            : ""));
    }

    /** After an access that threw: what it threw counts. */
    private void giveBack(int target, Throwable why) {
        try {
            pass(target);
        } catch (RuntimeException e) {
            why.addSuppressed(e);
        }
    }

    private void pass(int target) {
        window.fetchAndOp(AtomicOp.SUM, DataType.INT64, 1, target, NOW);
    }
}
