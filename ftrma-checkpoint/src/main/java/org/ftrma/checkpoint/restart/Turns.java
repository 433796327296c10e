package org.ftrma.checkpoint.restart;

import java.lang.foreign.ValueLayout;
import java.util.function.LongSupplier;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.Job;
import org.ftrma.Window;

/**
 * The order of accesses at each target: tickets drawn in the first run of a step, used again in the second. An access waits for nothing but accesses
 * that came before it in the first run, so the second run cannot lock up as long as it makes the same calls. Data thread only.
 *
 * <pre>
 *   at each target:  0 the next ticket to draw   8 the ticket whose turn it is
 * </pre>
 */
final class Turns {
    private static final long NEXT = 0;
    private static final long NOW = 8;

    private final StepRecord record;
    private final Window window;

    Turns(Job job, StepRecord record) {
        this.record = record;
        window = job.allocateWindow("verify-restart turns", 16);
    }

    /** To be called while no rank makes accesses. */
    void reset() {
        window.memory().set(ValueLayout.JAVA_LONG, NEXT, 0);
        window.memory().set(ValueLayout.JAVA_LONG, NOW, 0);
    }

    /** An access, complete when it returns. */
    long inTurn(int target, LongSupplier access) {
        if (!record.recording() && !record.comparing()) {
            return access.getAsLong();
        }
        await(target);
        long result = access.getAsLong();
        pass(target);
        return result;
    }

    /** The taking of a lock. It may block, so that in the first run the ticket is drawn once it is held. */
    void locking(int target, Runnable lock) {
        if (record.comparing()) {
            await(target);
        }
        lock.run();
        if (record.recording()) {
            await(target);
        }
        if (record.recording() || record.comparing()) {
            pass(target);
        }
    }

    private void await(int target) {
        long ticket = record.comparing() ? record.kept() : window.fetchAndOp(AtomicOp.SUM, DataType.INT64, 1, target, NEXT);
        if (record.recording()) {
            record.keep(ticket);
        }
        while (window.fetchAndOp(AtomicOp.NO_OP, DataType.INT64, 0, target, NOW) != ticket) {
            Thread.yield();
        }
    }

    private void pass(int target) {
        window.fetchAndOp(AtomicOp.SUM, DataType.INT64, 1, target, NOW);
    }
}
