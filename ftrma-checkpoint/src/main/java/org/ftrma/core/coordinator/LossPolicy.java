package org.ftrma.core.coordinator;

import org.ftrma.core.control.FallbackReason;
import org.ftrma.core.coordinator.LossSnapshot.HalfParity;
import org.ftrma.core.coordinator.LossSnapshot.Recovery;
import org.ftrma.core.coordinator.LossSnapshot.Waiting;
import org.ftrma.options.Protocol;

/**
 * Decides what the loss of a member leads to, as a function of how things stand: the same snapshot always leads to the
 * same decision, and nothing else is looked at. docs/internals/failure-matrix.md has it as a list ("What a loss leads
 * to"), which a test compares with it. Any thread.
 */
final class LossPolicy {
    private LossPolicy() {
    }

    static LossDecision decide(LossSnapshot loss) {
        if (loss.protocol() == Protocol.NONE) {
            return new LossDecision.Unprotected();
        }
        if (loss.lostOfGroup() > loss.losses()) { // M21, R2
            return new LossDecision.Catastrophic();
        }
        return loss.isBesideTheRun() ? ofChecksum(loss) : ofAnyOther(loss); // M19, R5
    }

    /** Nobody needs to go back for a parity, if its group can make it anew as it is. */
    private static LossDecision ofChecksum(LossSnapshot loss) {
        if (loss.waiting() == Waiting.A_MATE || loss.leavesTooFew()) {
            return new LossDecision.RollBack(FallbackReason.SECOND_FAILURE);
        }
        // When the others have changed their parities, it is known which one to make.
        return loss.halfParity() == HalfParity.OF_A_MATE ? new LossDecision.Defer() : new LossDecision.RebuildParity();
    }

    /**
     * A computing rank; or a checksum rank before all run, or one that keeps logs: all go back then, as nobody gets
     * on without it.
     */
    private static LossDecision ofAnyOther(LossSnapshot loss) {
        if (loss.protocol() == Protocol.COORDINATED || loss.protocol() == Protocol.ML) {
            return new LossDecision.RollBack(null);
        }
        if (loss.waiting() != Waiting.NOBODY) {
            return new LossDecision.RollBack(FallbackReason.SECOND_FAILURE);
        }
        if (loss.isRunning() && loss.halfParity() == HalfParity.OF_A_MATE) { // R4
            return new LossDecision.Defer();
        }
        FallbackReason obstacle = obstacle(loss);
        return obstacle == null ? new LossDecision.RecoverLocally() : new LossDecision.RollBack(obstacle);
    }

    /** Why the others cannot run on while this rank is recovered, or null. */
    private static FallbackReason obstacle(LossSnapshot loss) {
        if (!loss.isRunning()) {
            return FallbackReason.WHILE_RESTORING;
        }
        if (loss.protocol() == Protocol.PUTS) {
            return FallbackReason.ONLY_PUTS_LOGGED;
        }
        if (!loss.hasGeneration()) {
            return FallbackReason.BEFORE_FIRST_CHECKPOINT;
        }
        if (loss.halfParity() == HalfParity.OF_THE_LOST) { // D15, R4
            return FallbackReason.DEMAND_INTERRUPTED;
        }
        // R3
        return loss.recovery() != Recovery.OF_ANOTHER && !loss.leavesTooFew() ? null : FallbackReason.SECOND_FAILURE;
    }
}
