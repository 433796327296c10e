package org.ftrma.rma.log;

import org.ftrma.LockType;

/** Sees the locks of windows that this rank takes and gives back. Data thread; allocates nothing. */
public interface LockObserver {
    /** Sees nothing. */
    LockObserver NONE = new LockObserver() {
        @Override
        public void holds(int window, int target, LockType type, long acquisition) {
            // nobody logs it
        }

        @Override
        public boolean beginShared(int target) {
            return true;
        }

        @Override
        public void changing(int window, int target, long word, long changed) {
            // nobody logs it
        }

        @Override
        public void gaveUp(int target) {
            // nobody logs it
        }

        @Override
        public void locked(int window, int target, LockType type, long acquisition, boolean known) {
            // nobody logs it
        }

        @Override
        public void leaving(int window, int target, LockType type) {
            // nobody logs it
        }

        @Override
        public void unlocked(int window, int target, LockType type, boolean known) {
            // nobody logs it
        }
    };

    /** A lock that is held since before the first access that this sees, with the number of its acquisition (SC). */
    void holds(int window, int target, LockType type, long acquisition);

    /**
     * Before the count of a shared lock is changed; {@link #locked}, {@link #unlocked} or {@link #gaveUp} follows.
     * Nobody else changes it until then.
     *
     * @return false if somebody does now: this is to be called again later
     */
    boolean beginShared(int target);

    /** The lock's word is about to be changed from one value to another. */
    void changing(int window, int target, long word, long changed);

    /** The word was not changed. */
    void gaveUp(int target);

    /**
     * A lock is held.
     *
     * @param acquisition its number (SC)
     * @param known whether the log says so already
     */
    void locked(int window, int target, LockType type, long acquisition, boolean known);

    /** The rank is about to give one lock back, or had done so before it was lost; {@link #unlocked} follows. */
    void leaving(int window, int target, LockType type);

    /** A lock was released; known: the log says so already. */
    void unlocked(int window, int target, LockType type, boolean known);
}
