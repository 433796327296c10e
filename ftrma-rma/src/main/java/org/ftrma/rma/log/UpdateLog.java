package org.ftrma.rma.log;

import org.ftrma.DataType;

/**
 * How atomic accesses are logged: what changes a target's window in LP, for the recovery of the target; the outcome in
 * LG, for the own recovery. Part of an {@link AccessLog}; data thread only; allocates nothing.
 */
final class UpdateLog {
    private final AccessLog log;

    UpdateLog(AccessLog log) {
        this.log = log;
    }

    /** An atomic access of one element is done. */
    void done(Determinant access, int target, long operand, long old, long updated) {
        logUpdate(access, target, operand, old, updated);
        logOutcome(access, target, operand, old, updated);
    }

    /** For the target's recovery. */
    void logUpdate(Determinant access, int target, long operand, long old, long updated) {
        if (target != log.self && (old != updated || setsUndefined(access, operand, old))) {
            Peer peer = log.peer(target);
            peer.touched = true;
            peer.lastGnc(log.epochs.gnc);
            peer.updates++;
            Determinant numbered = log.epochs.issued(access, peer).numbered(peer.updates);
            log.note(peer.puts.appendUpdate(numbered, operand, old, updated));
        }
    }

    /**
     * Whether it sets a place of which the target's replacement has no value: a scratch window is in no image. Of a
     * compare-and-swap the operand is what was expected.
     */
    private boolean setsUndefined(Determinant access, long operand, long old) {
        if (!log.home.isScratch(access.window())) {
            return false;
        }
        DataType type = LogDescriptor.type(access.code());
        return access.kind() == LogDescriptor.COMPARE_AND_SWAP ? type.normalized(old) == type.normalized(operand)
            : LogDescriptor.replaces(LogDescriptor.op(access.code()), type, operand);
    }

    /** For the own recovery. */
    private void logOutcome(Determinant access, int target, long operand, long old, long updated) {
        LogWriter results = log.results(target);
        if (results == null) {
            return;
        }
        boolean isNoted = target != log.self && (old != updated || log.inFlight.isBegun());
        if (isNoted) {
            log.inFlight.count(target); // L28
        }
        log.note(log.outcomes.log(results, log.outcome(access, target), operand, old, updated));
        if (isNoted) {
            log.inFlight.end(target);
        }
    }
}
