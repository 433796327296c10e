package org.ftrma.messaging.pessimistic;

import org.ftrma.messaging.event.EventLog;
import org.ftrma.messaging.send.ReleaseGate;

/** Makes all events of a rank stable before anything leaves it. Data thread only; allocates nothing. */
final class StableGate implements ReleaseGate {
    private final LoggingPhase phase;
    private final EventLog events;

    StableGate(LoggingPhase phase, EventLog events) {
        this.phase = phase;
        this.events = events;
    }

    private void release() {
        if (phase.logs()) {
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
