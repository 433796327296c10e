package org.ftrma.core.checkpoint;

import java.util.function.BooleanSupplier;

/**
 * The rules of checkpoints that a rank keeps, as it must: tests break one at a time, to show that it is found.
 * Immutable; any thread.
 */
public class CheckpointRules {
    /** The rules as they must be. */
    public CheckpointRules() {
        // there is nothing to set
    }

    /** Before a rank says that it has come to a cut: its accesses have landed. */
    public void completeAccesses(Runnable flushAll) {
        flushAll.run();
    }

    /** After its own copy a rank goes on when all have copied. Returns whether it may; else the cut was given up. */
    public boolean othersHaveCopied(BooleanSupplier awaitResume) {
        return awaitResume.getAsBoolean();
    }

    /** Whether all agree ahead on the boundary at which they cut. */
    public boolean agreesOnCuts() {
        return true;
    }

    /** Whether an image stays in its slot while it is written to disk. */
    public boolean keepsSlotOfWrittenImage() {
        return true;
    }
}
