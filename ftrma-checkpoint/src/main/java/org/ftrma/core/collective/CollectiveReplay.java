package org.ftrma.core.collective;

import java.lang.foreign.MemorySegment;

/** Replay of barriers and collectives by a rank that recovers, in place of meeting the others. Data thread. */
public interface CollectiveReplay {
    /** Of a rank that does not recover: it meets the others. */
    CollectiveReplay NONE = new CollectiveReplay() {
        @Override
        public boolean passesBarrier(long number) {
            return false;
        }

        @Override
        public boolean resultIsLogged(long number) {
            return false;
        }

        @Override
        public void result(long number, int piece, MemorySegment destination, long offset, long length) {
            throw new IllegalStateException("collective " + number + ": nothing is replayed");
        }
    };

    /**
     * Whether the barrier of that number was passed before and is passed again at once. If not, the recovery is over
     * when this returns.
     */
    boolean passesBarrier(long number);

    /** Whether the result of the collective that ends with the barrier of that number must come from the log. */
    boolean resultIsLogged(long number);

    /** Takes one piece of such a result from the log. */
    void result(long number, int piece, MemorySegment destination, long offset, long length);
}
