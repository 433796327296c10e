package org.ftrma.testkit;

import java.util.Set;
import org.ftrma.core.coordinator.CoordinatorRules;
import org.ftrma.core.coordinator.LossDecision;
import org.ftrma.core.coordinator.LossSnapshot;

/** The coordinator's rules without those that injected bugs break. The thread that runs the simulation calls it. */
final class BuggyCoordinatorRules extends CoordinatorRules {
    private final Set<ProtocolBug> faults;

    BuggyCoordinatorRules(Set<ProtocolBug> faults) {
        this.faults = faults;
    }

    @Override
    public boolean generationCounts(int parities, int checksums) {
        return faults.contains(ProtocolBug.COMMIT_EARLY) || super.generationCounts(parities, checksums);
    }

    /** Ranks are told when no parity includes the image yet; for the coordinator itself it counts when all do. */
    @Override
    public boolean demandCounts(int parities, int checksums) {
        return faults.contains(ProtocolBug.DEMAND_TRIM_EARLY) && parities == 0
            || super.demandCounts(parities, checksums);
    }

    @Override
    public boolean flushCounts(int images, int ranks) {
        return faults.contains(ProtocolBug.FLUSH_NAMED_EARLY) || super.flushCounts(images, ranks);
    }

    @Override
    public boolean cutWaits(boolean intoParity) {
        return !faults.contains(ProtocolBug.DEMAND_BESIDE_CUT) && super.cutWaits(intoParity);
    }

    @Override
    public boolean demandMayBegin(boolean besideCut) {
        return faults.contains(ProtocolBug.DEMAND_BESIDE_CUT) || super.demandMayBegin(besideCut);
    }

    @Override
    public boolean waitsForAll() {
        return !faults.contains(ProtocolBug.GO_AT_ONCE) && super.waitsForAll();
    }

    @Override
    public boolean mustConfirmLoss(int rank) {
        return !faults.contains(ProtocolBug.ACKS_NOT_AWAITED) && super.mustConfirmLoss(rank);
    }

    @Override
    public boolean needEachOther(boolean mayHaveMet) {
        return !faults.contains(ProtocolBug.PAIR_FORGOTTEN) && super.needEachOther(mayHaveMet);
    }

    /**
     * With HALF_PARITY_USED a rank is rebuilt as if its own demand image were not half in the parities of its group.
     */
    @Override
    public LossDecision onLoss(LossSnapshot loss) {
        boolean isOverlooked = faults.contains(ProtocolBug.HALF_PARITY_USED)
            && loss.halfParity() == LossSnapshot.HalfParity.OF_THE_LOST;
        return super.onLoss(isOverlooked ? loss.with(LossSnapshot.HalfParity.NONE) : loss);
    }
}
