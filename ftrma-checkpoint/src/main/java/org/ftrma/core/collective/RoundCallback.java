package org.ftrma.core.collective;

/**
 * Callback that moves data in the rounds of a barrier. In round r rank p has the signal of rank p - 2^r, which had
 * those of its earlier rounds. Data thread only.
 */
interface RoundCallback {
    /** Nothing. */
    RoundCallback NONE = (barrier, round, from) -> {
    };

    /** This rank is about to send its first signal of a barrier that it meets the others in. */
    default void begin(long barrier) { }

    /**
     * The signal of that rank is here, and all that it has gathered in earlier rounds. When this returns this rank has
     * gathered what its signal of the next round says.
     */
    void received(long barrier, int round, int from);
}
