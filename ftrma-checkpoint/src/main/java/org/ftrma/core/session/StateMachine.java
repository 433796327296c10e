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

    /** Begins in a state; {@link #allow} says what may follow. */
    public StateMachine(String name, S first, StateListener listener) {
        this.name = name;
        this.present = first;
        this.allowed = new EnumMap<>(first.getDeclaringClass());
        this.listener = listener;
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

    /** The state changes; not to what it is already. */
    public void become(S next) {
        if (!allowed.getOrDefault(present, Set.of()).contains(next)) {
            throw new IllegalStateException(name + " cannot become " + next + ": it is " + present + ", which "
                + allowed.getOrDefault(present, Set.of()) + " may follow");
        }
        S before = present;
        present = next;
        listener.changed(name, before, next);
    }
}
