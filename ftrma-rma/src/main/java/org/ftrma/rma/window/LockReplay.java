package org.ftrma.rma.window;

/** Replay of locks by a rank that recovers, in place of taking them and giving them back. Data thread. */
interface LockReplay {
    /** Of a rank that does not recover: it takes each lock, and gives it back. */
    LockReplay NONE = new LockReplay() {
        @Override
        public boolean isReplaying() {
            return false;
        }

        @Override
        public long loggedLock(int window, int target, boolean exclusive) {
            return -1;
        }

        @Override
        public boolean loggedUnlock(int window, int target, boolean shared) {
            return false;
        }

        @Override
        public boolean isUnlogged() {
            return false;
        }

        @Override
        public void openAt(String access) {
            // it is where the others need it
        }

        @Override
        public void gaveBack(int window, int target, boolean shared, long acquisition) {
            // what it does next is not ordered by a replay
        }
    };

    /** Whether there is something to replay. */
    boolean isReplaying();

    /**
     * The number of a lock's acquisition as the log has it, or -1 if it has none: this rank was lost before it held the
     * lock.
     */
    long loggedLock(int window, int target, boolean exclusive);

    /** Whether the log says that the lock was released; it tells that of shared locks only. */
    boolean loggedUnlock(int window, int target, boolean shared);

    /** Whether what was just replayed had happened, but was not logged. */
    boolean isUnlogged();

    /** At an access that no log answers: this rank was lost in it, and is where the others need it. */
    void openAt(String access);

    /**
     * This rank gives a lock back, which is its newest lock event: what others do when they have it comes after what
     * this rank did.
     */
    void gaveBack(int window, int target, boolean shared, long acquisition);
}
