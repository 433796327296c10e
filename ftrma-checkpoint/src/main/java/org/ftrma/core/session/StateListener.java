package org.ftrma.core.session;

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
    default void begins(String what, Enum<?> first) {
        // only who keeps states needs the first one
    }

    /** The process plays a member from now on. */
    default void plays(int member, int incarnation) {
        // only who keeps numbers needs it
    }

    /** The newest view that the member was told of, which starts from this generation, taken after that step. */
    default void told(int view, int timeline, long generation, long generationStep) {
        // only who keeps numbers needs it
    }

    /** A generation was committed. */
    default void committed(long generation) {
        // only who keeps numbers needs it
    }

    /** The program is in this step; 0: before the first one. Once a step: it may not take longer than a store. */
    default void step(long step) {
        // only who keeps numbers needs it
    }
}
