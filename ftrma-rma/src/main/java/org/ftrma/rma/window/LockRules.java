package org.ftrma.rma.window;

/** The rule of window locks that tests break, to show that it is found. Immutable; any thread. */
public class LockRules {
    /** The rules as they must be. */
    public LockRules() {
        // there is nothing to set
    }

    /**
     * Whether a rank releases an exclusive lock, given whether the lock's word names it with the number of its
     * acquisition.
     */
    public boolean releases(boolean isNamed) {
        return isNamed;
    }
}
