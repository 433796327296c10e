package org.ftrma.rma.replay;

import java.lang.foreign.Arena;
import org.ftrma.core.control.RecoveryFigures;
import org.ftrma.core.session.ControlRegions;
import org.ftrma.core.session.Waiter;
import org.ftrma.rma.log.InFlightAccess;
import org.ftrma.rma.log.LogMarks;
import org.ftrma.rma.log.LogRecord;
import org.ftrma.rma.log.LogRegion;
import org.ftrma.rma.log.SeenSignals;

/**
 * The results that a lost rank had got, out of the logs that others hold, one after the other for each target; and what
 * it was killed in, where that had happened and is not logged. One replay; data thread only.
 */
final class ReplayedResults {
    private final Waiter waiter;
    private final ControlRegions controls;
    private final ReplayContext job;
    private final ReplayFigures figures;
    private final int self;
    private final ReplayCursor[] results;
    private ReplayCursor ownResults;
    /** What this rank was killed in, and had happened, by target. */
    private final InFlightAccess[] inFlight;
    private PostponedGets postponed;
    private boolean unlogged;
    private long value;

    ReplayedResults(Waiter waiter, ControlRegions controls, int self, int ranks, ReplayContext job,
        ReplayFigures figures) {
        this.waiter = waiter;
        this.controls = controls;
        this.job = job;
        this.figures = figures;
        this.self = self;
        this.results = new ReplayCursor[ranks];
        this.inFlight = new InFlightAccess[ranks];
    }

    /** Gets that were put off take their results before the next access of their target does. */
    void deliverFirst(PostponedGets gets) {
        postponed = gets;
    }

    /** A rank is being recovered, too: this one had got nothing there. */
    void leaveOut(int rank) {
        results[rank] = null;
        inFlight[rank] = null;
    }

    /**
     * Finds out what another rank holds, and what this one was killed in there. Its update locks are free then.
     *
     * @param marks where the image stands in the results
     */
    void open(LogRegion region, LogMarks marks, Arena arena) {
        int rank = region.home();
        InFlightAccess access = region.inFlight(self);
        boolean hasHappened = access != null && new InFlightCheck(waiter, controls, job, rank).hasHappened(access);
        inFlight[rank] = hasHappened ? access : null; // R13
        region.resolve(inFlight[rank]);
        results[rank] = ReplayCursor.after(waiter, region, region.layout().getLog(self), marks.results(rank), arena);
    }

    /** The same of the results that the buddy holds. */
    void openOwn(LogRegion buddy, LogMarks marks, Arena arena) {
        ownResults = ReplayCursor.after(waiter, buddy, buddy.layout().buddyLog(), marks.ownResults(), arena);
    }

    /**
     * The results to come from a target (LG), or of accesses to this rank itself (at the buddy); null if this rank is
     * alone.
     */
    ReplayCursor of(int target) {
        return target == self ? ownResults : results[target];
    }

    /** Whether any result is left that this rank got before it died, but for gets that are under way. */
    boolean anyLeft() {
        for (int target = 0; target < results.length; target++) {
            next(target);
        }
        for (int target = 0; target < results.length; target++) {
            if (results[target] != null && results[target].has() || inFlight[target] != null) {
                return true;
            }
        }
        return ownResults != null && ownResults.has();
    }

    /** The next result of a target, or null. */
    LogRecord next(int target) {
        postponed.deliverArrived(target);
        ReplayCursor cursor = of(target);
        return cursor != null && cursor.has() ? cursor.record() : null;
    }

    void consume(int target, long result) {
        value = result;
        unlogged = false;
        of(target).consume();
        figures.count(RecoveryFigures.RESULTS_REPLAYED);
    }

    /** The next own result is that of a wait for a signal. */
    void consumeWait(SeenSignals seen) {
        ownResults.readWait(seen);
        value = seen.value();
        unlogged = false;
        figures.count(RecoveryFigures.RESULTS_REPLAYED);
    }

    /** What this rank was killed in, if the log of that target has no more results. */
    InFlightAccess last(int target) {
        return next(target) == null ? inFlight[target] : null;
    }

    void consumeLast(int target, long result) {
        value = result;
        unlogged = true;
        inFlight[target] = null;
        figures.count(RecoveryFigures.RESULTS_REPLAYED);
    }

    /** The result of the replayed access. */
    long value() {
        return value;
    }

    /** Whether what was just replayed had happened, but was not logged. */
    boolean isUnlogged() {
        return unlogged;
    }
}
