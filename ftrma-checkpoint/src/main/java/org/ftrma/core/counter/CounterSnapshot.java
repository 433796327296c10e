package org.ftrma.core.counter;

import java.util.List;
import java.util.Map;

/**
 * What the counters of a process said at one moment. Immutable; any thread.
 *
 * @param member the member that the process plays or played; -1: none
 * @param incarnation how often a process was given that member before
 * @param numbers by counter
 * @param states in the order in which they began
 */
public record CounterSnapshot(int member, int incarnation, Map<Counter, Long> numbers, List<State> states) {
    /**
     * A state with a name.
     *
     * @param what of what
     * @param name the state's name
     * @param ordinal its number among its kind
     * @param changes how often it changed
     * @param sinceNanos when it did last, or began; nanoseconds of the job's clock
     * @param isChanging whether it was being written, so that what is told may be of two states
     */
    public record State(String what, String name, int ordinal, long changes, long sinceNanos, boolean isChanging) {
        @Override
        public String toString() {
            return what + " " + name + (isChanging ? " (changing)" : "");
        }
    }

    /** One of the numbers. */
    public long get(Counter counter) {
        return numbers.get(counter);
    }

    /** The state of that name; null if the process has none. */
    public State state(String what) {
        return states.stream().filter(state -> state.what.equals(what)).findFirst().orElse(null);
    }

    /** What the process is at, in one line. */
    public String text() {
        StringBuilder text = new StringBuilder(member == CounterDescriptor.NO_MEMBER ? "no member"
            : "incarnation " + incarnation + ", view " + get(Counter.VIEW) + ", generation " + get(Counter.GENERATION)
                + ", step " + get(Counter.STEP));
        for (int i = 0; i < states.size(); i++) {
            text.append(i == 0 ? "; " : ", ").append(states.get(i));
        }
        return text.toString();
    }
}
