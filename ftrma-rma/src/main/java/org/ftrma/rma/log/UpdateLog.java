package org.ftrma.rma.log;

import org.ftrma.DataType;

/**
 * Logs atomic accesses: what changes a target's window in LP, for the recovery of the target; the outcome in LG, for
 * the own recovery. Part of an {@link AccessLog}; data thread only; allocates nothing.
 */
final class UpdateLog {
    private final RankLogs logs;
    private final Epochs epochs;
    private final InFlight inFlight;
    private final ResultRecorder recorder;

    UpdateLog(RankLogs logs, Epochs epochs, InFlight inFlight, ResultRecorder recorder) {
        this.logs = logs;
        this.epochs = epochs;
        this.inFlight = inFlight;
        this.recorder = recorder;
    }

    /** An atomic access of one element is done. */
    void done(Determinant access, int target, long operand, long old, long updated) {
        logUpdate(access, target, operand, old, updated);
        logOutcome(access, target, operand, old, updated);
    }

    /** For the target's recovery. */
    void logUpdate(Determinant access, int target, long operand, long old, long updated) {
        if (target != logs.self && (old != updated || setsUndefined(access, operand, old))) {
            Peer peer = logs.peer(target);
            peer.touched = true;
            peer.lastGnc(epochs.gnc);
            peer.updates++;
            Determinant numbered = epochs.issued(access, peer).numbered(peer.updates);
            logs.note(peer.puts.appendUpdate(numbered, operand, old, updated));
        }
    }

    /**
     * Whether it sets a place of which the target's replacement has no value: a scratch window is in no image. Of a
     * compare-and-swap the operand is what was expected.
     */
    private boolean setsUndefined(Determinant access, long operand, long old) {
        if (!logs.home.isScratch(access.window())) {
            return false;
        }
        DataType type = LogDescriptor.type(access.code());
        return access.kind() == LogDescriptor.COMPARE_AND_SWAP ? type.normalized(old) == type.normalized(operand)
            : LogDescriptor.replaces(LogDescriptor.op(access.code()), type, operand);
    }

    /** For the own recovery. */
    private void logOutcome(Determinant access, int target, long operand, long old, long updated) {
        LogWriter results = logs.results(target);
        if (results == null) {
            return;
        }
        boolean isNoted = target != logs.self && (old != updated || inFlight.isBegun());
        if (isNoted) {
            inFlight.count(target); // L28
        }
        logs.note(recorder.log(results, logs.outcome(access, target), operand, old, updated));
        if (isNoted) {
            inFlight.end(target);
        }
    }
}
