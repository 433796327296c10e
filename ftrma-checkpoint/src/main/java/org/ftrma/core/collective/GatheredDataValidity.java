package org.ftrma.core.collective;

import java.util.Arrays;

/**
 * Validity of the data that others have gathered in their buffers, at the moment when a signal says so. The process
 * that plays a rank gathers that before it sends the signal, and keeps it until the collective after the next one. But
 * a signal outlives its sender: a replacement passes what its predecessor had passed, and has gathered nothing of it.
 * It is at most one barrier ahead of who knew its predecessor, since it needs that one's signals too. So a rank
 * believes nobody of whose loss it hears in barrier n before barrier n + 2. A rank that comes back knows of nobody's
 * losses before: it believes nobody until it is past the barrier after the one in which it goes on.
 *
 * <p>For each round that one from which its signal comes. Data thread only.
 */
final class GatheredDataValidity {
    private final long[] from;
    private boolean isReplaying;

    GatheredDataValidity(int rounds) {
        from = new long[rounds];
    }

    /** In a new view: all go on together. */
    void open() {
        Arrays.fill(from, 0);
        isReplaying = false;
    }

    /** Who signals this rank in that round was lost; this rank has entered {@code entered} barriers. */
    void lost(int round, long entered) {
        from[round] = entered + 2; // R36
    }

    /** This rank begins to come back, or has done so. */
    void replays(boolean begins, long entered) {
        if (isReplaying && !begins) {
            Arrays.fill(from, entered + 2);
        }
        isReplaying = begins;
    }

    /** Whether who signalled this rank in a round of a barrier has gathered what the signal says. */
    boolean holds(int round, long barrier) {
        return !isReplaying && barrier >= from[round];
    }
}
