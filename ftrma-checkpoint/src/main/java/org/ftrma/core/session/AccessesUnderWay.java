package org.ftrma.core.session;

import java.util.function.BooleanSupplier;

/**
 * Accesses of this member under way: ends them, once in each view, before an exception leaves for the program. Data
 * thread only.
 */
final class AccessesUnderWay {
    private Runnable action = () -> { };
    private BooleanSupplier areNone = () -> false;
    /** Whether they were ended since a view was entered: they are of that view, whatever was told since. */
    private boolean areEnded;

    /** They are ended by an action from now on; there are none where all accesses take effect at once. */
    void endWith(Runnable newAction, BooleanSupplier isImmediate) {
        action = newAction;
        areNone = isImmediate;
    }

    /** Ends them, unless that was done in this view. */
    void end() {
        if (!areEnded) {
            action.run();
            areEnded = true;
        }
    }

    /** As {@link #end}, unless none can be under way. */
    void endIfAny() {
        if (!areNone.getAsBoolean()) {
            end();
        }
    }

    /** A view is entered; returns whether the accesses of the last one were ended. */
    boolean enterView() {
        boolean wereEnded = areEnded;
        areEnded = false;
        return wereEnded;
    }
}
