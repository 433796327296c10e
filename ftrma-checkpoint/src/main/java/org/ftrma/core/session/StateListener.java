package org.ftrma.core.session;

/** Hears of each change of a state of one member: of its program, of its access logging. Data thread; may not throw. */
@FunctionalInterface
public interface StateListener {
    /** Hears nothing. */
    StateListener NONE = (what, from, to) -> { };

    /** The state of this changed. */
    void changed(String what, Enum<?> from, Enum<?> to);
}
