package org.ftrma.rma.replay;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.LongUnaryOperator;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.core.collective.CollectiveReplay;
import org.ftrma.core.collective.Collectives;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.control.FallbackReason;
import org.ftrma.core.control.RecoveryFigures;
import org.ftrma.core.session.ControlDescriptor;
import org.ftrma.core.session.Inbox;
import org.ftrma.core.session.RecoveringRanks;
import org.ftrma.core.session.Session;
import org.ftrma.core.session.StateListener;
import org.ftrma.core.session.Waiter;
import org.ftrma.rma.log.AccessLog;
import org.ftrma.rma.log.Coverage;
import org.ftrma.rma.log.InFlightAccess;
import org.ftrma.rma.log.LogDescriptor;
import org.ftrma.rma.log.LogMarks;
import org.ftrma.rma.log.LogRecord;
import org.ftrma.rma.log.LogRegion;
import org.ftrma.rma.log.SeenSignals;
import org.ftrma.rma.window.WindowImpl;
import org.ftrma.rma.window.WindowReplay;
import org.ftrma.spi.Clock;

/**
 * The re-execution of a lost rank by its replacement, from its image to where the others need it (design 6.1). Results
 * of gets, atomics and collectives come out of the logs that others hold; what others put into this rank's windows is
 * done again at the same synchronizations; the others wait until {@link #goLive}. One recovery of one replacement; data
 * thread only; may allocate.
 *
 * <p>The frontier is the last barrier that any survivor saw this rank enter. Barriers before it are passed without
 * waiting: all others have entered them. At the frontier this rank opens, unless it is known to have passed it, too.
 */
public final class Replay implements CollectiveReplay, WindowReplay, AutoCloseable {
    private final Clock clock;
    private final Inbox inbox;
    private final Waiter waiter;
    private final RecoveringRanks away;
    private final StateListener states;
    private final ReplayContext job;
    private final Collectives collectives;
    private final LogDescriptor layout;
    private final Arena arena = Arena.ofConfined();
    private final int self;
    private final int ranks;
    private final ReplayedResults results;
    private final IncomingReplay incoming;
    private final long[] closedEpochs;
    private final ReplayedCollectives collectiveResults;
    private final SeenSignals seen = new SeenSignals();
    private final PostponedGets postponed;
    private final long firstStep;
    private final DeterminantCheck check;
    private final ReplayFigures figures = new ReplayFigures();
    private long began;
    private boolean isLive;

    public Replay(Session session, ReplayContext job, Collectives collectives, LogDescriptor layout, long imageStep,
        Coverage coverage, boolean hasScratch) {
        this.clock = session.clock;
        this.inbox = session.inbox;
        this.waiter = session.waiter;
        this.away = session.away;
        this.states = session.states;
        this.ranks = session.ranks;
        this.check = new DeterminantCheck(waiter, job);
        this.firstStep = imageStep;
        this.job = job;
        this.collectives = collectives;
        this.layout = layout;
        this.self = session.member;
        this.closedEpochs = new long[ranks];
        this.results = new ReplayedResults(waiter, session.controls, self, ranks, job, figures);
        this.postponed = new PostponedGets(waiter, results::of,
            () -> figures.count(RecoveryFigures.RESULTS_REPLAYED));
        results.deliverFirst(postponed);
        this.collectiveResults = new ReplayedCollectives(session, job, collectives, layout, arena,
            () -> figures.count(RecoveryFigures.RESULTS_REPLAYED));
        this.incoming = new IncomingReplay(waiter, away, session.peers, self, ranks, job, layout, coverage, hasScratch);
    }

    public void figure(RecoveryFigures figure, long value) {
        figures.set(figure, value);
    }

    /** What was to be agreed on with the survivors, from that moment on, is: replay begins. */
    public void agreed(long since) {
        incoming.begin(collectives.entered());
        began = clock.nanoTime();
        figure(RecoveryFigures.AGREE_NANOS, began - since);
    }

    /**
     * To be called when all survivors have confirmed that they leave this rank alone: finds out where the logs end. A
     * rank that is away has accessed nothing here, nor this one anything there. If one is lost meanwhile it is called
     * again.
     *
     * @param marks where the image stands in the results that others keep
     * @param recoveriesOver the last recovery that was over when the image was taken
     */
    public void begin(LogMarks marks, long recoveriesOver) {
        for (int rank = 0; rank < ranks; rank++) {
            if (rank != self && away.has(rank)) {
                incoming.leaveOut(rank);
                results.leaveOut(rank);
            } else if (rank != self) {
                LogRegion region = job.region(rank);
                closedEpochs[rank] = region.f(self) >>> 1;
                results.open(region, marks, arena);
                incoming.open(region, arena, recoveriesOver);
                collectiveResults.lookAt(rank);
            }
        }
        int buddy = layout.buddy(self);
        if (buddy != self) {
            results.openOwn(job.region(buddy), marks, arena);
            collectiveResults.openResults();
        }
    }

    /**
     * Last epochs of this rank, by target, that are known to be complete there: accesses of theirs are not sent again.
     */
    public long[] closedEpochs() {
        return closedEpochs;
    }

    /**
     * At a barrier: whether it was passed before and is passed again at once. Otherwise the recovery is over, and the
     * barrier is like any other. The frontier was passed if there are results from after it, or if a lock was given
     * back after it that is held here: who had the lock then may have changed what this rank read before.
     */
    @Override
    public boolean passesBarrier(long number) {
        long frontier = collectiveResults.frontier();
        if (number < frontier || number == frontier && (results.anyLeft() || job.lockWasGivenBack())) { // R21, R22
            incoming.endPhases(number); // what came after it is done again later
            return true;
        }
        goLive();
        return false;
    }

    @Override
    public boolean resultIsLogged(long number) {
        return collectiveResults.isLogged(number);
    }

    @Override
    public void result(long number, int piece, MemorySegment destination, long offset, long length) {
        collectiveResults.result(number, piece, destination, offset, length);
    }

    @Override
    public boolean postpones(WindowImpl window, int target, MemorySegment destination, long destinationOffset,
        long offset, long length) {
        if (results.of(target) == null) {
            return false;
        }
        postponed.add(window, target, destination, destinationOffset, offset, length, job.counters().openEpoch(target));
        return true;
    }

    @Override
    public void answer(int target) {
        String missing = postponed.answer(target);
        if (missing != null) {
            openAt(missing);
        }
    }

    /** The result of the replayed access. */
    @Override
    public long value() {
        return results.value();
    }

    @Override
    public boolean isReplaying() {
        return true;
    }

    /** Whether what was just replayed had happened, but was not logged. */
    @Override
    public boolean isUnlogged() {
        return results.isUnlogged();
    }

    /** The update must be the one that this rank was killed in, and that had happened. */
    private void finish(String executed, int window, int target, DataType type, long offset, LongUnaryOperator update) {
        InFlightAccess last = results.last(target);
        if (!last.isUpdate() || last.window() != window || last.type() != type || last.offset() != offset
            || update.applyAsLong(last.old()) != last.updated()) {
            throw check.mismatch(executed, window, target, last);
        }
        results.consumeLast(target, last.old());
    }

    @Override
    public boolean replaysRead(int window, int target, DataType type, long offset) {
        LogRecord record = results.next(target);
        String executed = type == DataType.INT64 ? "getLong" : "getInt";
        if (record == null) {
            openAt(executed + " window=" + window + " target=" + target + " offset=" + offset);
            return false;
        }
        if (record.kind() != LogDescriptor.GET_LONG || record.code() != LogDescriptor.readCode(type)
            || record.window() != window || record.offset() != offset
            || !check.isOfThisMoment(record, window, target)) {
            throw check.mismatch(executed + " window=" + window + " target=" + target + " offset=" + offset, window,
                target, record);
        }
        results.consume(target, record.value(0));
        return true;
    }

    /** Whether the atomic access had taken effect before, with the result in {@link #value}. */
    @Override
    public boolean replaysAtomic(int window, int target, AtomicOp op, DataType type, long offset, long operand) {
        if (op != AtomicOp.NO_OP && results.last(target) != null) {
            finish(describe(op, type, window, target, offset) + " operand=" + operand, window, target, type, offset,
                old -> op.apply(type, old, operand));
            return true;
        }
        LogRecord record = results.next(target);
        if (record == null) {
            openAt(describe(op, type, window, target, offset));
            return false;
        }
        if (record.kind() != LogDescriptor.ATOMIC || record.window() != window || record.offset() != offset
            || record.code() != LogDescriptor.code(op, type) || record.value(0) != operand
            || !check.isOfThisMoment(record, window, target)) {
            throw check.mismatch(describe(op, type, window, target, offset) + " operand=" + operand, window, target,
                record);
        }
        effect(window, target, offset, record);
        return true;
    }

    /** As {@link #replaysAtomic}. */
    @Override
    public boolean replaysSwap(int window, int target, DataType type, long offset, long expected, long desired) {
        if (results.last(target) != null) {
            finish("compareAndSwap window=" + window + " target=" + target + " offset=" + offset, window, target, type,
                offset,
                old -> AccessLog.swapped(type, expected, desired, old));
            return true;
        }
        LogRecord record = results.next(target);
        if (record == null) {
            openAt("compareAndSwap window=" + window + " target=" + target + " offset=" + offset);
            return false;
        }
        // What would be written by one that failed is in no log, and nowhere else.
        if (record.kind() != LogDescriptor.COMPARE_AND_SWAP || record.window() != window || record.offset() != offset
            || record.code() != LogDescriptor.code(AtomicOp.REPLACE, type) || record.value(0) != expected
            || record.value(2) != AccessLog.swapped(type, expected, desired, record.value(1))
            || !check.isOfThisMoment(record, window, target)) {
            throw check.mismatch("compareAndSwap " + type + " window=" + window + " target=" + target + " offset="
                + offset + " expected=" + expected + " desired=" + desired, window, target, record);
        }
        effect(window, target, offset, record);
        return true;
    }

    /**
     * What this rank did to its own window must be there when the program goes on: it may read it directly, or put from
     * there.
     */
    private void effect(int window, int target, long offset, LogRecord record) {
        if (target == self) {
            incoming.ownUpdate(window, offset, Incoming.Update.of(record), job.counters().lockEvents());
        }
        results.consume(target, record.value(1));
    }

    /**
     * The number of a lock's acquisition as the log has it, or -1 if it has none: this rank was lost before it held the
     * lock.
     */
    @Override
    public long loggedLock(int window, int target, boolean exclusive) {
        LogRecord record = results.next(target);
        if (record == null) {
            InFlightAccess last = results.last(target);
            if (last == null) {
                return -1;
            }
            if (exclusive || !isLock(last, window, true)) {
                throw check.mismatch((exclusive ? "exclusive" : "shared") + " lock window=" + window + " target="
                    + target, window, target, last);
            }
            results.consumeLast(target, Integer.toUnsignedLong(ControlDescriptor.acquisitions(last.updated())));
            return taken(window, target, results.value(), true);
        }
        if (record.kind() != LogDescriptor.LOCK || record.window() != window || record.value(0) != (exclusive ? 1 : 0)
            || !check.isOfThisMomentButSc(record, target)) {
            throw check.mismatch((exclusive ? "exclusive" : "shared") + " lock window=" + window + " target=" + target,
                window, target, record);
        }
        long acquisition = record.sc();
        results.consume(target, acquisition);
        return taken(window, target, acquisition, !exclusive);
    }

    private long taken(int window, int target, long acquisition, boolean shared) {
        incoming.locked(window, target, acquisition, shared, job.counters().lockEvents() + 1);
        return acquisition;
    }

    private static boolean isLock(InFlightAccess access, int window, boolean taking) {
        return !access.isUpdate() && access.window() == window && InFlightCheck.isTaking(access) == taking;
    }

    /** Whether the log says that the lock was released; it tells that of shared locks only. */
    @Override
    public boolean loggedUnlock(int window, int target, boolean shared) {
        LogRecord record = shared ? results.next(target) : null;
        if (record == null) {
            InFlightAccess last = shared ? results.last(target) : null;
            if (last == null) {
                return false;
            }
            if (!isLock(last, window, false)) {
                throw check.mismatch("unlock window=" + window + " target=" + target, window, target, last);
            }
            results.consumeLast(target, 0);
            return true;
        }
        if (record.kind() != LogDescriptor.UNLOCK || record.window() != window
            || !check.isOfThisMomentButSc(record, target)) {
            throw check.mismatch("unlock window=" + window + " target=" + target, window, target, record);
        }
        results.consume(target, 0);
        return true;
    }

    @Override
    public boolean isWaitNext() {
        LogRecord record = results.next(self);
        return record != null && record.kind() == LogDescriptor.WAIT;
    }

    @Override
    public boolean replaysWait(int window, long offset) {
        LogRecord record = results.next(self);
        if (record == null) {
            openAt("waitUntil window=" + window + " offset=" + offset);
            return false;
        }
        if (record.kind() != LogDescriptor.WAIT || record.window() != window || record.offset() != offset
            || !check.isOfThisMoment(record, window, self)) {
            throw check.mismatch("waitUntil window=" + window + " offset=" + offset, window, self, record);
        }
        results.consumeWait(seen);
        incoming.waited(seen, job.counters().lockEvents() + 1);
        return true;
    }

    @Override
    public SeenSignals seen() {
        return seen;
    }

    /** Whether a value that the program cannot determine again was logged: it is in {@link #value}. */
    public boolean replaysValue() {
        LogRecord record = results.next(self);
        if (record == null) {
            return false;
        }
        if (record.kind() != LogDescriptor.NONDETERMINISTIC || !check.isOfThisMomentButSc(record, self)) {
            throw check.mismatch("nondeterministic value", 0, self, record);
        }
        results.consume(self, record.value(0));
        return true;
    }

    /**
     * This rank is about to wait for one that is being recovered, too, and may wait for this one. It never accessed
     * that one before: so it is where it was when it was lost, and lets the others in.
     */
    public void waitsFor(int peer) {
        if (!isLive && (results.anyLeft() || collectives.entered() < collectiveResults.frontier())) { // R32
            throw fallBack(FallbackReason.SECOND_FAILURE, "rank " + peer + " is needed, which is being recovered, too");
        }
        goLive();
    }

    /**
     * At an access that no log answers: accesses return only when their result is logged, so this rank died in this
     * one, and is where it was. The others are let in, since the access may depend on what they do here.
     */
    @Override
    public void openAt(String access) {
        if (isLive) {
            return; // it waited for another one since the access was begun
        }
        if (results.anyLeft() || collectives.entered() < collectiveResults.frontier()) {
            throw fallBack(FallbackReason.DETERMINANT_MISMATCH,
                "executed: " + access + "; logged: nothing, although this rank had got further");
        }
        goLive();
    }

    /**
     * This rank gives a lock back, which is its newest lock event: what others do when they have it comes after what
     * this rank did.
     */
    @Override
    public void gaveBack(int window, int target, boolean shared, long acquisition) {
        incoming.gaveBack(window, target, acquisition, shared, job.counters().lockEvents());
    }

    /** A put of this rank into its own window, which is about to be done. */
    @Override
    public void ownPut(int window, long offset, long length) {
        incoming.ownPut(window, offset, length, job.counters().lockEvents());
    }

    /**
     * The rest of what others put here is done, the others are told that this rank is back, and the job goes on. To be
     * called before this rank waits for others, or does what depends on what they do here from now on.
     */
    public void goLive() {
        if (isLive) {
            return;
        }
        if (results.anyLeft()) {
            throw fallBack(FallbackReason.DETERMINANT_MISMATCH,
                "the program waits for others although results of earlier accesses are left");
        }
        if (job.ownLockWasPassedOn()) { // R22
            throw fallBack(FallbackReason.UNORDERED_CONFLICT,
                "this rank goes on under a lock of its own window, which others had after it");
        }
        incoming.endPhases(Long.MAX_VALUE);
        collectives.pullSignals(); // R23
        job.rebuildLocks(); // R25
        figure(RecoveryFigures.REPLAY_NANOS, clock.nanoTime() - began);
        figure(RecoveryFigures.PUTS_APPLIED, incoming.applied());
        figure(RecoveryFigures.PUTS_SUPPRESSED, job.suppressedPuts());
        figure(RecoveryFigures.STEPS_REPEATED, job.step() - firstStep);
        isLive = true;
        job.wentLive();
        states.recovered(figures.all());
        inbox.send(new ControlMessage.WentLive(inbox.view(), inbox.recovery(), job.step(),
            figures.all()));
        close();
        postponed.issue();
    }

    @Override
    public void close() {
        arena.close();
    }

    /**
     * Replay is impossible: tells the coordinator, and waits for the view in which all go back. Never returns; to be
     * thrown.
     */
    RuntimeException fallBack(FallbackReason reason, String text) {
        return waiter.fallBack(reason, text);
    }

    static String describe(AtomicOp op, DataType type, int window, int target, long offset) {
        return op + " " + type + " window=" + window + " target=" + target + " offset=" + offset;
    }
}
