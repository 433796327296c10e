package org.ftrma.core.session;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * A state with a name, of which it is known what may follow it. All changes go through {@link #become}, which refuses
 * what the table does not have, and tells whoever listens. Data thread only.
 *
 * @param <S> the states
 */
public final class StateMachine<S extends Enum<S>> {
    private final String name;
    private final Map<S, Set<S>> allowed;
    private final StateListener listener;
    private S present;

    /** Begins in a state, and says so; {@link #allow} says what may follow. */
    public StateMachine(String name, S first, StateListener listener) {
        this.name = name;
        this.present = first;
        this.allowed = new EnumMap<>(first.getDeclaringClass());
        this.listener = listener;
        listener.begins(name, first);
    }

    /** These may follow that state. */
    @SafeVarargs
    public final StateMachine<S> allow(S from, S... next) {
        Set<S> after = allowed.computeIfAbsent(from, state -> EnumSet.noneOf(state.getDeclaringClass()));
        for (S one : next) {
            after.add(one);
        }
        return this;
    }

    public S now() {
        return present;
    }

    public boolean is(S state) {
        return present == state;
    }

    /** Whether the table has a change from the present state to that one. */
    public boolean mayBecome(S next) {
        return allowed.getOrDefault(present, Set.of()).contains(next);
    }

    /**
     * The state changes; to what it is already only where the table says so: then the same has begun anew.
     *
     * @throws IllegalStateException if the table has no such change: whoever asks for it is wrong
     */
    public void become(S next) {
        if (!mayBecome(next)) {
            throw new IllegalStateException(name + " cannot become " + next + ": it is " + present + ", which "
                + allowed.getOrDefault(present, Set.of()) + " may follow");
        }
        S before = present;
        present = next;
        listener.changed(name, before, next);
    }

    /**
     * Runs work in a state, if the table has the change to it, and then goes back to the present one; unless the work
     * has led to another state.
     */
    void during(S state, Runnable work) {
        S before = present;
        if (mayBecome(state)) {
            become(state);
        }
        try {
            work.run();
        } finally {
            if (is(state) && before != state) {
                become(before);
            }
        }
    }
}
