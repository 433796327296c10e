package org.ftrma.messaging.pessimistic;

import org.ftrma.core.session.StateMachine;
import org.ftrma.messaging.event.EventLog;
import org.ftrma.messaging.send.ReleaseGate;

/** Makes all events of a rank stable before anything leaves it. Data thread only; allocates nothing. */
final class StableGate implements ReleaseGate {
    private final StateMachine<MessageLoggingState> state;
    private final EventLog events;

    StableGate(StateMachine<MessageLoggingState> state, EventLog events) {
        this.state = state;
        this.events = events;
    }

    private void release() {
        if (!state.is(MessageLoggingState.OFF)) {
            events.makeStable();
        }
    }

    @Override
    public void beforeMessage(int target) {
        release();
    }

    @Override
    public void beforeAnswer(int source) {
        release(); // the answer leaves the rank, too
    }

    @Override
    public void beforeReport() {
        release();
    }
}
