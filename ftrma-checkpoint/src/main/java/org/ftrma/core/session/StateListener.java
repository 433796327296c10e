package org.ftrma.core.session;

import org.ftrma.Counters;

/**
 * Hears what one member does: each change of a state that has a name, and the numbers that go with it. On the member's
 * data thread, or, before that plays a member, the thread that waits for one; may not throw.
 */
@FunctionalInterface
public interface StateListener {
    /** Hears nothing. */
    StateListener NONE = (what, from, to) -> { };

    /** The state of this changed. */
    void changed(String what, Enum<?> from, Enum<?> to);

    /** This has a state from now on, the first one. */
    default void begins(String what, Enum<?> first) { }

    /** The process plays a member from now on. */
    default void plays(int member, int incarnation) { }

    /** The newest view that the member was told of, which starts from this generation, taken after that step. */
    default void told(int view, int timeline, long generation, long generationStep) { }

    /** A generation was committed. */
    default void committed(long generation) { }

    /** The program is in this step; 0: before the first one. Once a step: it may not take longer than a store. */
    default void step(long step) { }

    /**
     * What the member has counted so far: between steps now and then, and at the end of its program.
     *
     * @param logBytes memory that logs at this member take now
     * @param peakLogBytes the most that they took
     */
    default void counted(Counters counters, long logBytes, long peakLogBytes) { }

    /** A cut with the others held the member up for so long. */
    default void checkpointed(long blockedNanos) { }

    /** A demand checkpoint held the member up for so long. */
    default void demandTaken(long nanos) { }

    /** A parity was made, in so long. */
    default void parityMade(long nanos) { }

    /** The member has replayed what it had lost. figures: by ordinal of RecoveryFigures. */
    default void recovered(long[] figures) { }

    /**
     * The member waits, and not for a moment.
     *
     * @param what as it is called in messages
     * @param peer for whom; -1: for no member in particular
     * @param nanos since the last time that this was told of the wait; -1: it is told of it for the first time
     * @param nowNanos the clock's time
     */
    default void waits(String what, int peer, long nanos, long nowNanos) { }
}
