package org.ftrma.core.checkpoint;

import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.image.Images;
import org.ftrma.core.session.IdleWork;
import org.ftrma.core.session.Inbox;
import org.ftrma.core.session.PeerFailureHandling;
import org.ftrma.core.session.Session;
import org.ftrma.core.session.StateListener;
import org.ftrma.options.JobOptions;
import org.ftrma.spi.Clock;

/**
 * Demand checkpoints of one computing rank (ftRMA, 6.2; design 6.4): at a step boundary it copies its state alone,
 * while the others run on; the checksum rank of its group takes the image into its parity in the background. The
 * coordinator says who takes one, and whether it counts. Data thread only.
 */
final class DemandCheckpoints {
    private final Clock clock;
    private final Inbox inbox;
    private final IdleWork idle;
    private final JobOptions options;
    private final PeerFailureHandling survivor;
    private final StateListener states;
    private final int member;
    private final UpdateGate gate;
    private final CutListener listener;
    private final CutObstacle obstacle;
    private final OwnSchedule schedule;
    private Images images;

    DemandCheckpoints(Session session, UpdateGate gate, CutListener listener, CutObstacle obstacle) {
        this.clock = session.clock;
        this.inbox = session.inbox;
        this.idle = session.idle;
        this.options = session.options;
        this.survivor = session.survivor;
        this.states = session.states;
        this.member = session.member;
        this.listener = listener;
        this.gate = gate;
        this.obstacle = obstacle;
        this.schedule = new OwnSchedule(clock, inbox, options, member);
    }

    /** To be called in each view: the committed image is restored. */
    void open(Images restored) {
        images = restored;
        gate.checkpointsInto(images.slots());
        schedule.open(images.layout().imageBytes());
    }

    /**
     * Asks for what this rank's logs need, and for one of its own if it is time; and takes one, if this rank was told
     * to.
     *
     * @param isCut whether all ranks have just taken one
     */
    void atBoundary(long step, boolean isCut) {
        inbox.drainIfReady();
        if (gate.mayAsk()) {
            gate.askForDemand(); // first: an image that is ready waits for those that were asked for
            if (schedule.due(step, isCut)) {
                inbox.send(new ControlMessage.DemandWanted(inbox.view(), member, false));
            }
        }
        ControlMessage.DemandTake order = inbox.demand();
        if (order != null && !gate.replaying() && !listener.replaying() && obstacle.now().isEmpty()) { // D4
            take(order, step);
        }
    }

    private void take(ControlMessage.DemandTake order, long step) {
        long began = clock.nanoTime();
        survivor.flushAll();
        try {
            long[] covered = gate.holdUpdates(() -> inbox.demand() == order);
            if (covered == null) {
                return;
            }
            listener.beforeDemandCopy();
            images.slots().committed(inbox.generation());
            if (!copy(order, step)) {
                return;
            }
            covered = gate.demandTaken(covered);
            long taken = clock.nanoTime() - began;
            states.demandTaken(taken);
            schedule.taken(taken);
            holdIfWatched();
            if (inbox.demand() == order) {
                inbox.forgetDemand();
                inbox.send(new ControlMessage.DemandReady(inbox.view(), order.tag(), covered));
            }
        } finally {
            gate.allowUpdates(); // D9
        }
    }

    /**
     * Others' atomic updates wait meanwhile, and no longer than the deadline: a copy that takes too long is given up.
     * Returns whether it is there.
     */
    private boolean copy(ControlMessage.DemandTake order, long step) {
        long mostNanos = options.deadlineNanos() / 2; // D9
        long began = clock.nanoTime();
        boolean whole = images.take(order.tag(), step, () -> {
            inbox.drainIfReady();
            return inbox.demand() == order && clock.nanoTime() - began <= mostNanos;
        });
        if (!whole && inbox.demand() == order) {
            inbox.forgetDemand();
            inbox.send(new ControlMessage.Note("gave its demand checkpoint up: the copy took more than half of "
                + "--deadline, "
                + options.deadlineNanos() / 1_000_000 + " ms"));
            inbox.send(new ControlMessage.DemandTooSlow(inbox.view(), order.tag()));
        }
        return whole;
    }

    /** How a failure is put into the middle of it. */
    private void holdIfWatched() {
        if (inbox.watched(ControlMessage.Watch.DEMAND)) {
            inbox.send(new ControlMessage.Held(inbox.view(), ControlMessage.Watch.DEMAND));
            idle.await(options.deadlineNanos(), "release in a watched demand checkpoint",
                () -> !inbox.watched(ControlMessage.Watch.DEMAND));
        }
    }
}
