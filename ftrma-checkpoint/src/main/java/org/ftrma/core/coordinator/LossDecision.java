package org.ftrma.core.coordinator;

import org.ftrma.core.control.FallbackReason;

/** Decision on a loss: see {@link LossPolicy}. Immutable. */
sealed interface LossDecision {
    /** The job has nothing to recover from, and ends. */
    record Unprotected() implements LossDecision {
    }

    /** The group has lost more than it can rebuild, and the job ends. */
    record Catastrophic() implements LossDecision {
    }

    /** The replacement of a checksum rank makes its parity anew. Nobody goes back. */
    record RebuildParity() implements LossDecision {
    }

    /** The replacement of a computing rank goes back to its image and replays; the others run on. */
    record RecoverLocally() implements LossDecision {
    }

    /**
     * All members go back to the committed generation.
     *
     * @param reason why the others do not run on, or null where nothing is logged, so that they never could
     */
    record RollBack(FallbackReason reason) implements LossDecision {
    }

    /** It is decided once more when the demand checkpoint is over that changes parities of the group in place. */
    record Defer() implements LossDecision {
    }
}
