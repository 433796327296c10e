package org.ftrma.rma.replay;

import org.ftrma.core.control.FallbackReason;
import org.ftrma.core.session.ControlDescriptor;
import org.ftrma.core.session.ControlRegions;
import org.ftrma.core.session.Waiter;
import org.ftrma.rma.log.InFlightAccess;

/**
 * Check whether what a rank was killed in at another rank had happened (N of the paper). What was there before and
 * after is noted there, and nobody else has updated the place since: the lost rank has its update lock. One recovery;
 * data thread only.
 */
final class InFlightCheck {
    private final Waiter waiter;
    private final ControlRegions controls;
    private final ReplayContext job;
    private final int target;

    InFlightCheck(Waiter waiter, ControlRegions controls, ReplayContext job, int target) {
        this.waiter = waiter;
        this.controls = controls;
        this.job = job;
        this.target = target;
    }

    boolean hasHappened(InFlightAccess access) {
        if (access.isUnknown()) {
            throw waiter.fallBack(FallbackReason.ATOMIC_IN_FLIGHT, "at rank " + target
                + "; the log of what it did there was trimmed meanwhile");
        }
        return access.isKnownToHaveHappened() || (access.isUpdate() ? hasUpdated(access) : hasChangedLock(access));
    }

    private boolean hasUpdated(InFlightAccess access) {
        long present = job.valueAt(access.window(), target, access.type(), access.offset());
        if (present != access.old() && present != access.updated()) {
            throw waiter.fallBack(FallbackReason.ATOMIC_IN_FLIGHT,
                "rank " + target + ": " + access + ", where " + present + " is now; do other accesses than atomics"
                    + " change these bytes? --check-races looks for them");
        }
        return present == access.updated();
    }

    /**
     * Between changes of a shared lock's count only exclusive locks can have changed the word: then there was no shared
     * holder.
     */
    private boolean hasChangedLock(InFlightAccess access) {
        long word = controls.of(target).getLong(ControlDescriptor.lockOffset(access.window()));
        return isTaking(access) ? word == access.updated() : word != access.old();
    }

    /** Whether a shared lock was being taken, not given back. */
    static boolean isTaking(InFlightAccess access) {
        return ControlDescriptor.shared(access.updated()) > ControlDescriptor.shared(access.old());
    }
}
