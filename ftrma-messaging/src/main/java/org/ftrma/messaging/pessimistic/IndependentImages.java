package org.ftrma.messaging.pessimistic;

import java.util.function.BooleanSupplier;
import org.ftrma.core.checkpoint.UpdateGate;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.image.Slots;
import org.ftrma.core.session.Inbox;
import org.ftrma.core.session.MembershipListener;
import org.ftrma.core.session.StateMachine;

/** Takes part in checkpoints of this rank alone, and asks for those of others. Data thread only. */
final class IndependentImages implements UpdateGate, MembershipListener {
    private final Inbox inbox;
    private final int member;
    private final StateMachine<MessageLoggingState> state;
    private final ImageMarks marks;
    private final CheckpointNeeds needs;
    private Slots slots;

    IndependentImages(Inbox inbox, int member, StateMachine<MessageLoggingState> state, ImageMarks marks,
        CheckpointNeeds needs) {
        this.inbox = inbox;
        this.member = member;
        this.state = state;
        this.marks = marks;
        this.needs = needs;
    }

    @Override
    public boolean replaying() {
        return state.is(MessageLoggingState.REPLAYING);
    }

    @Override
    public boolean mayAsk() {
        return state.is(MessageLoggingState.LOGGING) && inbox.generation() > 0;
    }

    @Override
    public void askForDemand() {
        needs.ask();
    }

    @Override
    public void checkpointsInto(Slots images) {
        slots = images;
    }

    @Override
    public long[] holdUpdates(BooleanSupplier isWanted) {
        return new long[0];
    }

    @Override
    public long[] demandTaken(long[] covered) {
        marks.copiedAlone();
        return covered;
    }

    @Override
    public void allowUpdates() {
        // nobody updates what an image has
    }

    @Override
    public void demandCommitted(ControlMessage.DemandCommitted m) {
        if (m.member() == member) {
            slots.latest(m.tag());
            marks.committedAlone();
        }
        needs.answered(m.member(), true);
    }

    @Override
    public void demandAbandoned(ControlMessage.DemandAbandoned m) {
        if (m.member() == member) {
            marks.abandonedAlone();
        }
        needs.answered(m.member(), false);
    }
}
