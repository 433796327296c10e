package org.ftrma.testkit;

import java.util.Set;
import org.ftrma.checkpoint.Fault;
import org.ftrma.checkpoint.coordinator.CoordinatorRules;

/** The coordinator's rules without those that injected bugs break. The thread that runs the simulation calls it. */
final class BuggyCoordinatorRules extends CoordinatorRules {
    private final Set<Fault> faults;

    BuggyCoordinatorRules(Set<Fault> faults) {
        this.faults = faults;
    }

    @Override
    public boolean generationCounts(int parities, int checksums) {
        return faults.contains(Fault.COMMIT_EARLY) || super.generationCounts(parities, checksums);
    }

    /** Ranks are told when no parity includes the image yet; for the coordinator itself it counts when all do. */
    @Override
    public boolean demandCounts(int parities, int checksums) {
        return faults.contains(Fault.DEMAND_TRIM_EARLY) && parities == 0 || super.demandCounts(parities, checksums);
    }

    @Override
    public boolean flushCounts(int images, int ranks) {
        return faults.contains(Fault.FLUSH_NAMED_EARLY) || super.flushCounts(images, ranks);
    }

    @Override
    public boolean cutWaits(boolean intoParity) {
        return !faults.contains(Fault.DEMAND_BESIDE_CUT) && super.cutWaits(intoParity);
    }

    @Override
    public boolean demandMayBegin(boolean besideCut) {
        return faults.contains(Fault.DEMAND_BESIDE_CUT) || super.demandMayBegin(besideCut);
    }

    @Override
    public boolean waitsForAll() {
        return !faults.contains(Fault.GO_AT_ONCE) && super.waitsForAll();
    }

    @Override
    public boolean mustConfirmLoss(int rank) {
        return !faults.contains(Fault.ACKS_NOT_AWAITED) && super.mustConfirmLoss(rank);
    }

    @Override
    public boolean rebuildsFromHalfParity() {
        return faults.contains(Fault.HALF_PARITY_USED) || super.rebuildsFromHalfParity();
    }
}
