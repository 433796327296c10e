package org.ftrma.messaging.pessimistic;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.ftrma.Channel;
import org.ftrma.core.control.FallbackReason;
import org.ftrma.core.session.Session;
import org.ftrma.core.session.StateMachine;
import org.ftrma.messaging.event.EventLog;
import org.ftrma.messaging.match.ReceiveRequest;
import org.ftrma.messaging.receive.MessageDeterminants;

/**
 * Nondeterministic outcomes that are logged as events (Open MPI-V, 3.2). Calls have numbers, the same when the program
 * is run again from an image; a receive is named by that of its post. A receive of any source is an event when it is
 * matched, not when it is complete; of calls that told of nothing only the newest becomes one, and only when something
 * leaves the rank. While there are events of a predecessor they are what calls tell. Data thread only; allocates only
 * in a replay.
 */
final class LoggedDeterminants implements MessageDeterminants {
    /** Kinds of events: those of {@link MessageDeterminants.Call}, and these. */
    private static final int MATCH = MessageDeterminants.Call.values().length;
    private static final int NOTHING_UP_TO = MATCH + 1;
    private static final int GAVE_UP = MATCH + 2;
    private final Session session;
    private final EventLog events;
    private final StateMachine<MessageLoggingState> state;
    private long clock;
    private Plan plan;
    private long lastValue;
    /** Events that are values which the program took from elsewhere. */
    private long values;

    /** What a predecessor's events say of the calls that are still to come. */
    private static final class Plan {
        /** Numbers of events, in the order of the calls. */
        long[] outcomes = {};
        int next;
        /** By the number of a receive: its source; or that it was ended. */
        final Map<Long, Integer> matches = new HashMap<>();
        final Map<Long, Boolean> ended = new HashMap<>();
    }

    LoggedDeterminants(Session session, EventLog events, StateMachine<MessageLoggingState> state) {
        this.state = state;
        this.session = session;
        this.events = events;
    }

    /** Nothing was called yet. */
    void clear() {
        clock = 0;
        plan = null;
        values = 0;
    }

    /** How many events are values which the program took from elsewhere; of a replacement those that it has seen. */
    long values() {
        return values;
    }

    long clock() {
        return clock;
    }

    void clock(long number) {
        clock = number;
    }

    /** Calls from now on tell what the events say that are after the present one. */
    void replay() {
        plan = new Plan();
        plan.outcomes = new long[(int) (events.end() - events.begin())];
        int count = 0;
        for (long number = events.begin(); number < events.end(); number++) {
            if (events.clock(number) <= clock) {
                continue;
            }
            if (events.kind(number) == GAVE_UP) {
                throw unrepeatable("had ended");
            }
            if (events.kind(number) == MATCH) {
                plan.matches.put(events.clock(number), (int) events.outcome(number));
            } else {
                plan.outcomes[count++] = number;
                if (events.kind(number) == Call.CANCEL.ordinal() && (events.outcome(number) & 1) != 0) {
                    plan.ended.put(events.outcome(number) >> 1, true);
                }
            }
        }
        plan.outcomes = Arrays.copyOf(plan.outcomes, count);
        endIfUsed();
    }

    private RuntimeException unrepeatable(String when) {
        return session.fallBack(FallbackReason.CAUGHT_EXCEPTION, "rank " + session.member + ": a wait for messages "
            + when);
    }

    @Override
    public void gaveUp() {
        if (state.is(MessageLoggingState.REPLAYING)) {
            throw unrepeatable("ends in the replay");
        }
        events.add(GAVE_UP, ++clock, 0);
        events.something();
    }

    boolean isReplaying() {
        return plan != null;
    }

    private void endIfUsed() {
        if (plan != null && plan.next == plan.outcomes.length && plan.matches.isEmpty()) {
            plan = null;
        }
    }

    /** The first event that an image does not cover which is taken now. */
    long mark() {
        long number = events.begin();
        while (number < events.end() && events.clock(number) <= clock) {
            number++;
        }
        return number;
    }

    @Override
    public long next(Call call) {
        clock++;
        return plan == null ? FREE : planned(call);
    }

    private long planned(Call call) {
        while (plan.next < plan.outcomes.length && events.clock(plan.outcomes[plan.next]) < clock) {
            plan.next++;
        }
        if (plan.next == plan.outcomes.length) {
            endIfUsed();
            return FREE;
        }
        long event = plan.outcomes[plan.next];
        int kind = events.kind(event);
        boolean isThis = events.clock(event) == clock;
        long outcome = NOTHING; // before the next event, whatever has come by now
        if (isThis && kind != NOTHING_UP_TO) {
            if (kind != call.ordinal()) {
                throw mismatch("call " + clock + " is " + call + ", and was " + Call.values()[kind] + " before");
            }
            outcome = events.outcome(event);
            if (call == Call.VALUE) {
                lastValue = outcome;
                values++;
                outcome = 0;
            }
        }
        if (isThis) {
            plan.next++;
            endIfUsed();
        }
        return outcome;
    }

    RuntimeException mismatch(String what) {
        return session.fallBack(FallbackReason.DETERMINANT_MISMATCH, "rank " + session.member + ": " + what);
    }

    @Override
    public void was(Call call, long outcome) {
        if (outcome == NOTHING) {
            events.nothing(NOTHING_UP_TO, clock);
        } else {
            events.add(call.ordinal(), clock, outcome);
            events.something();
        }
    }

    /** Any value may be one: it is told apart from the words that {@link #next} tells. */
    @Override
    public long value(long known) {
        if (known == NOTHING) {
            throw mismatch("call " + clock + " is a value, and was something else before");
        }
        return lastValue;
    }

    @Override
    public void wasValue(long value) {
        events.add(Call.VALUE.ordinal(), clock, value);
        values++;
        events.something();
    }

    @Override
    public void posted(ReceiveRequest receive) {
        receive.clock(++clock);
        if (plan != null) {
            receive.inert(plan.ended.containsKey(clock));
            if (receive.peer() == Channel.ANY_SOURCE) {
                Integer source = plan.matches.remove(clock);
                if (source != null) {
                    receive.forcedTo(source);
                }
                endIfUsed();
            }
        }
    }

    /** The source is an event now, whether or not all of the message is here: what is matched next depends on it. */
    @Override
    public void matched(ReceiveRequest receive, int source) {
        events.add(MATCH, receive.clock(), source);
    }
}
