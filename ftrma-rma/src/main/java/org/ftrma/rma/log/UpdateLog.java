package org.ftrma.rma.log;

import org.ftrma.AtomicOp;

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
        if (target != log.self && (old != updated || replacesUndefined(access))) {
            Peer peer = log.peer(target);
            peer.touched = true;
            peer.lastGnc(log.epochs.gnc);
            peer.updates++;
            Determinant numbered = log.epochs.issued(access, peer).numbered(peer.updates);
            log.note(peer.puts.appendUpdate(numbered, operand, old, updated));
        }
    }

    /** A scratch window is in no image, so that the value before says nothing to the target's replacement. */
    private boolean replacesUndefined(Determinant access) {
        return access.kind() == LogDescriptor.ATOMIC && LogDescriptor.op(access.code()) == AtomicOp.REPLACE
            && log.home.isScratch(access.window());
    }

    /** For the own recovery. */
    private void logOutcome(Determinant access, int target, long operand, long old, long updated) {
        LogWriter results = log.results(target);
        if (results != null) {
            log.note(log.outcomes.log(results, log.outcome(access, target), operand, old, updated));
            if (target != log.self && (old != updated || log.inFlight.isBegun())) {
                log.inFlight.end(target);
            }
        }
    }
}
