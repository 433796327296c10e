package org.ftrma.rma.replay;

import java.lang.foreign.Arena;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.ftrma.PeerLostException;
import org.ftrma.core.control.FallbackReason;
import org.ftrma.core.session.PeerTable;
import org.ftrma.core.session.RecoveringRanks;
import org.ftrma.core.session.Waiter;
import org.ftrma.rma.log.Coverage;
import org.ftrma.rma.log.LogDescriptor;
import org.ftrma.rma.log.LogReader;
import org.ftrma.rma.log.LogRecord;
import org.ftrma.rma.log.LogRegion;
import org.ftrma.rma.log.SeenSignals;

/**
 * Replay of what others did to a lost rank's windows, out of their logs, where its replacement may first see it: what
 * they did before they entered a barrier when it enters that one (Algorithm 2 of the paper), what they did before they
 * gave locks back when it gets what followed from that (Algorithm 3, for the locks of all windows at all ranks).
 * Between two barriers the time is a phase. One recovery; data thread only; allocates.
 */
final class IncomingReplay {
    private final Waiter waiter;
    private final RecoveringRanks away;
    private final PeerTable peers;
    private final ReplayContext job;
    private final LogDescriptor layout;
    private final int self;
    private final int ranks;
    /** What the image includes of others' accesses if it was taken on demand; null: all that is not in their logs. */
    private final Coverage coverage;
    private final boolean hasScratch;
    private final ReplayCursor[] puts;
    private final ReplayCursor[] lockEvents;
    /** What was read of {@link #puts} and is not done yet, by source. */
    private final List<ArrayDeque<Incoming>> waiting = new ArrayList<>();
    private final LockOrder order;
    /** What a wait of another rank saw. */
    private final SeenSignals seen = new SeenSignals();
    private final ReplayedWindows windows;
    /** Barriers completed: what was done after fewer of them is there. */
    private long phase;
    /** The last phase in which lock events are missing. */
    private long lackedLockEvents = -1;
    /** Whether lock events of a rank are missing that is being recovered, too. */
    private boolean lacksRank;
    private long applied;

    IncomingReplay(Waiter waiter, RecoveringRanks away, PeerTable peers, int self, int ranks, ReplayContext job,
        LogDescriptor layout, Coverage coverage, boolean hasScratch) {
        this.waiter = waiter;
        this.away = away;
        this.peers = peers;
        this.ranks = ranks;
        this.job = job;
        this.layout = layout;
        this.self = self;
        this.coverage = coverage;
        this.hasScratch = hasScratch;
        this.puts = new ReplayCursor[ranks];
        this.lockEvents = new ReplayCursor[ranks];
        this.order = new LockOrder(ranks);
        this.windows = new ReplayedWindows(self, order, job::window, job::isScratch);
        for (int rank = 0; rank < ranks; rank++) {
            waiting.add(new ArrayDeque<>());
        }
    }

    /** How many accesses of others were done again. */
    long applied() {
        return applied;
    }

    /**
     * Finds out where the logs of another rank end.
     *
     * @param recoveriesOver the last recovery that was over when the image was taken: it includes what logs lack since
     *     then
     */
    void open(LogRegion region, Arena arena, long recoveriesOver) {
        LogReader put = new LogReader(region, arena).open(layout.putLog(self));
        if (put.hasGap() && (coverage == null // R20
            || !coverage.includesUpTo(region.home(), put.gapEc(), put.gapGnc(), put.gapUpdates(), hasScratch))) {
            throw waiter.fallBack(FallbackReason.LOG_GAP,
                layout.logName(region.home(), layout.putLog(self)) + " lacks records up to epoch "
                + put.gapEc());
        }
        puts[region.home()] = new ReplayCursor(put, false);
        LogReader locks = new LogReader(region, arena).open(layout.lockLog());
        if (locks.hasGap() && locks.gapUpdates() > recoveriesOver) { // D20, R17
            lackedLockEvents = Math.max(lackedLockEvents, locks.gapGnc());
        }
        lockEvents[region.home()] = new ReplayCursor(locks, false);
    }

    /** A rank is being recovered, too: it did nothing here, and what it knows of the order of locks is gone. */
    void leaveOut(int rank) {
        puts[rank] = null;
        lockEvents[rank] = null;
        lacksRank = true;
    }

    /**
     * The replay begins after so many barriers. What was put before the last one and not completed there may be missing
     * in the image.
     */
    void begin(long barriers) {
        read(barriers);
        phase = Math.min(barriers, firstPhase());
        endPhases(barriers);
    }

    /** Does what others did here before they entered the barrier of that number: phase by phase. */
    void endPhases(long number) {
        read(number);
        while (phase < number) {
            List<ArrayDeque<Incoming>> ready = new ArrayList<>();
            waiting.forEach(accesses -> ready.add(first(accesses, access -> access.gnc() <= phase))); // R15
            readLockEvents();
            apply(ready);
            try {
                windows.endPhase();
            } catch (ReplayedWindows.ConflictException e) {
                throw waiter.fallBack(e.reason(), e.getMessage());
            }
            order.endPhase();
            phase = Math.min(number, Math.max(phase + 1, firstPhase()));
        }
    }

    private long firstPhase() {
        long first = Long.MAX_VALUE;
        for (ArrayDeque<Incoming> accesses : waiting) {
            first = accesses.isEmpty() ? first : Math.min(first, accesses.peek().gnc());
        }
        return first;
    }

    /** Reads what was done after fewer barriers than that. */
    private void read(long number) {
        for (int rank = 0; rank < ranks; rank++) {
            ReplayCursor cursor = puts[rank];
            while (cursor != null && cursor.has() && cursor.record().gnc() < number) {
                boolean included = coverage != null && coverage.includes(rank, cursor.record(), job::isScratch);
                Incoming access = included ? null : Incoming.of(rank, cursor.record(), job.region(rank).isMapped());
                if (access != null) {
                    waiting.get(rank).add(access);
                }
                cursor.consume();
            }
        }
    }

    /** Takes the first accesses of a rank that fit. */
    private static ArrayDeque<Incoming> first(ArrayDeque<Incoming> accesses, Predicate<Incoming> fits) {
        ArrayDeque<Incoming> found = new ArrayDeque<>();
        while (!accesses.isEmpty() && fits.test(accesses.peek())) {
            found.add(accesses.poll());
        }
        return found;
    }

    /** The lock events of the others in the present phase. */
    private void readLockEvents() {
        for (int rank = 0; rank < ranks; rank++) {
            if (lockEvents[rank] != null && away.has(rank)) {
                leaveOut(rank);
            }
            ReplayCursor cursor = lockEvents[rank];
            while (cursor != null && cursor.has() && cursor.record().gnc() <= phase) {
                cursor = followed(cursor, rank);
            }
        }
    }

    private void follow(int rank, LogRecord event) {
        switch (event.kind()) {
            case LogDescriptor.LOCK -> order.take(rank, event.window(), (int) event.offset(), event.sc(),
                event.isShared(), event.lockEvents());
            case LogDescriptor.UNLOCK -> order.release(rank, event.window(), (int) event.offset(), event.sc(),
                event.isShared(), event.lockEvents());
            default -> order.signal(rank, event.lockEvents());
        }
    }

    /** Takes an event, and returns the cursor at the next one; null if its rank is lost just now. */
    private ReplayCursor followed(ReplayCursor cursor, int rank) {
        try {
            long gnc = cursor.record().gnc();
            long event = cursor.record().lockEvents();
            if (cursor.record().kind() == LogDescriptor.WAIT) {
                cursor.readWait(seen);
                if (gnc == phase) {
                    order.see(rank, seen, event);
                }
                return cursor;
            }
            if (gnc == phase) {
                follow(rank, cursor.record());
            }
            cursor.consume();
            return cursor;
        } catch (PeerLostException e) {
            peers.requireAway(e);
            leaveOut(rank);
            return null;
        }
    }

    /** The lost rank gets a lock by its lock event of that number: it sees from now on what came before. */
    void locked(int window, int home, long acquisition, boolean shared, long event) {
        order.take(self, window, home, acquisition, shared, event);
        acquired("got a lock", event);
    }

    /** The lost rank saw signals by its lock event of that number: it sees from now on what came before them. */
    void waited(SeenSignals signals, long event) {
        order.see(self, signals, event);
        acquired("saw a signal", event); // R37
    }

    /** Does again what came before that (SC), and nothing that came after it. */
    private void acquired(String how, long event) {
        read(phase + 1);
        readLockEvents();
        long[] before = order.before(self, event);
        List<ArrayDeque<Incoming>> ready = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            long events = order.of(before, rank); // R16
            ready.add(first(waiting.get(rank), access -> access.lockEvents() < events));
        }
        if (lacksRank && mayLackOrder()) { // R35
            throw waiter.fallBack(FallbackReason.SECOND_FAILURE,
                "this rank " + how + ", and the lock events of a rank that was lost, too, are gone");
        }
        if ((order.isIncomplete() || lackedLockEvents >= phase) // R17
            && waiting.stream().anyMatch(accesses -> !accesses.isEmpty())) {
            throw waiter.fallBack(FallbackReason.LOG_GAP,
                "this rank " + how + ", and the lock events of a rank that was recovered before are not complete");
        }
        apply(ready);
    }

    /** Whether what waits may come before this rank's lock by locks of a rank whose events are gone. */
    private boolean mayLackOrder() {
        for (int rank = 0; rank < ranks; rank++) {
            int source = rank;
            if (waiting.get(rank).stream().anyMatch(access -> order.mayComeBefore(source, access.lockEvents()))) {
                return true;
            }
        }
        return false;
    }

    /**
     * The lost rank gave a lock back by its newest lock event, of that number: what others do when they have it comes
     * after what it did.
     */
    void gaveBack(int window, int home, long acquisition, boolean shared, long event) {
        order.release(self, window, home, acquisition, shared, event);
    }

    private void apply(List<ArrayDeque<Incoming>> ready) {
        applied += ready.stream().mapToInt(ArrayDeque::size).sum();
        try {
            windows.apply(ready);
        } catch (ReplayedWindows.ConflictException e) {
            throw waiter.fallBack(e.reason(), e.getMessage());
        }
    }

    /** The lost rank is about to put to its own window, after so many lock events. */
    void ownPut(int window, long offset, long length, long events) {
        try {
            windows.ownPut(window, offset, length, events);
        } catch (ReplayedWindows.ConflictException e) {
            throw waiter.fallBack(e.reason(), e.getMessage());
        }
    }

    /**
     * What the lost rank did to its own window must be there when its program goes on: it may read it directly, or put
     * from there.
     */
    void ownUpdate(int window, long offset, Incoming.Update update, long events) {
        try {
            windows.ownUpdate(window, offset, update, events);
        } catch (ReplayedWindows.ConflictException e) {
            throw waiter.fallBack(e.reason(), e.getMessage());
        }
    }
}
