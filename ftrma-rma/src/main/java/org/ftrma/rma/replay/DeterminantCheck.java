package org.ftrma.rma.replay;

import org.ftrma.core.control.FallbackReason;
import org.ftrma.core.session.Waiter;
import org.ftrma.rma.log.InFlightAccess;
import org.ftrma.rma.log.LogRecord;

/**
 * Compares what a replay executes with what was logged: where that differs, all go back, with both in the message. One
 * replay; data thread only.
 */
final class DeterminantCheck {
    private final Waiter waiter;
    private final ReplayContext job;

    DeterminantCheck(Waiter waiter, ReplayContext job) {
        this.waiter = waiter;
        this.job = job;
    }

    /** Whether a blocking access was logged with the counters that it has now. */
    boolean isOfThisMoment(LogRecord record, int window, int target) {
        return job.counters().match(record, window, target); // R11
    }

    /** The same of a lock, whose number says SC, and of what has none. */
    boolean isOfThisMomentButSc(LogRecord record, int target) {
        return job.counters().matchButSc(record, target);
    }

    /** The program did something else than what the rank was killed in. To be thrown. */
    RuntimeException mismatch(String executed, int window, int target, InFlightAccess last) {
        return waiter.fallBack(FallbackReason.DETERMINANT_MISMATCH, "executed: " + executed + " "
            + job.counters().describe(window, target) + "; under way when the rank was lost: " + last);
    }

    /** The program did something else than before. To be thrown. */
    RuntimeException mismatch(String executed, int window, int target, LogRecord logged) {
        return waiter.fallBack(FallbackReason.DETERMINANT_MISMATCH, "executed: " + executed + " "
            + job.counters().describe(window, target) + "; logged: " + logged);
    }
}
