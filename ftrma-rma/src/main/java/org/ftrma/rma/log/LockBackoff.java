package org.ftrma.rma.log;

import org.ftrma.spi.Clock;

/**
 * Backoff of a rank from a lock that others wait for over a network. Who has the lock's word mapped takes it again a
 * few nanoseconds after it gave it back; who reaches it over a network asks once in a round trip, and would find it
 * taken nearly always. So beside the word stands who waits over a network, or 0: who has the word mapped and finds
 * somebody there does not take the lock for a while. Nothing depends on it but how long others wait: what stands there
 * may be old, or that of a rank that was lost, which costs that while once. Data thread only; allocates nothing.
 */
public final class LockBackoff {
    /** Many times what a round trip takes, also where processes share cores; short beside what a loss costs. */
    public static final long LONGEST_NANOS = 5_000_000;

    private final Clock clock;
    private boolean begun;
    private long since;

    /** Nobody waits. */
    public LockBackoff(Clock clock) {
        this.clock = clock;
    }

    /** Another lock is wanted, or the same one once more. */
    public void begin() {
        begun = false;
    }

    /**
     * Whether the lock is to be left to others.
     *
     * @param waiting what stands beside its word now
     */
    public boolean isDue(long waiting) {
        if (waiting == 0) {
            begun = false;
            return false;
        }
        if (!begun) {
            begun = true;
            since = clock.nanoTime();
            return true;
        }
        return clock.nanoTime() - since < LONGEST_NANOS;
    }

    /** When it is not due: whether that is so although somebody stands there. */
    public boolean hasWaited() {
        return begun;
    }
}
