package org.ftrma.core.counter;

import java.util.List;
import java.util.Map;

/**
 * Counters of a process at one moment. Immutable; any thread.
 *
 * @param member the member that the process plays or played; -1: none
 * @param incarnation how often a process was given that member before
 * @param numbers by counter
 * @param host where it runs or ran; empty: nobody has said so
 * @param states in the order in which they began
 * @param waits by what is waited for, those that took more than a moment
 */
public record CounterSnapshot(int member, int incarnation, String host, Map<Counter, Long> numbers,
    List<State> states, List<Waits> waits) {
    /**
     * Waits of one kind.
     *
     * @param what what was waited for
     * @param count how often
     * @param nanos for how long in all
     */
    public record Waits(String what, long count, long nanos) {
    }

    private static final long A_MOMENT_NANOS = 100_000_000;

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

    /**
     * What the process waits for, where it did so at its last heartbeat or since: for longer than a moment; null: it
     * does not.
     */
    public String waitsFor() {
        long kind = get(Counter.WAIT_KIND);
        long seen = get(Counter.WAIT_SEEN);
        return seen == 0 || kind < 0 || kind >= waits.size() || seen - get(Counter.HEARTBEAT) < -A_MOMENT_NANOS ? null
            : waits.get((int) kind).what;
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
