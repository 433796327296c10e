package org.ftrma.core.checkpoint;

import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.image.Images;
import org.ftrma.core.session.Session;

/**
 * Demand checkpoints of one computing rank (ftRMA, 6.2; design 6.4): at a step boundary it copies its state alone,
 * while the others run on; the checksum rank of its group takes the image into its parity in the background. The
 * coordinator says who takes one, and whether it counts. Data thread only.
 */
final class DemandCheckpoints {
    private final Session session;
    private final UpdateGate gate;
    private final CutListener listener;
    private final CutObstacle obstacle;
    private final OwnSchedule schedule;
    private Images images;

    DemandCheckpoints(Session session, UpdateGate gate, CutListener listener, CutObstacle obstacle) {
        this.listener = listener;
        this.session = session;
        this.gate = gate;
        this.obstacle = obstacle;
        this.schedule = new OwnSchedule(session);
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
        session.inbox.drainIfReady();
        if (gate.mayAsk()) {
            gate.askForDemand(); // first: an image that is ready waits for those that were asked for
            if (schedule.due(step, isCut)) {
                session.inbox.send(new ControlMessage.DemandWanted(session.inbox.view(), session.member, false));
            }
        }
        ControlMessage.DemandTake order = session.inbox.demand();
        if (order != null && !gate.replaying() && !listener.replaying() && obstacle.now().isEmpty()) {
            take(order, step);
        }
    }

    private void take(ControlMessage.DemandTake order, long step) {
        long began = session.clock.nanoTime();
        session.survivor.flushAll();
        try {
            long[] covered = gate.holdUpdates(() -> session.inbox.demand() == order);
            if (covered == null) {
                return;
            }
            listener.beforeDemandCopy();
            images.slots().committed(session.inbox.generation());
            if (!copy(order, step)) {
                return;
            }
            covered = gate.demandTaken(covered);
            long taken = session.clock.nanoTime() - began;
            session.states.demandTaken(taken);
            schedule.taken(taken);
            holdIfWatched();
            if (session.inbox.demand() == order) {
                session.inbox.forgetDemand();
                session.inbox.send(new ControlMessage.DemandReady(session.inbox.view(), order.tag(), covered));
            }
        } finally {
            gate.allowUpdates();
        }
    }

    /**
     * Others' atomic updates wait meanwhile, and no longer than the deadline: a copy that takes too long is given up.
     * Returns whether it is there.
     */
    private boolean copy(ControlMessage.DemandTake order, long step) {
        long mostNanos = session.options.deadlineNanos() / 2;
        long began = session.clock.nanoTime();
        boolean whole = images.take(order.tag(), step, () -> {
            session.inbox.drainIfReady();
            return session.inbox.demand() == order && session.clock.nanoTime() - began <= mostNanos;
        });
        if (!whole && session.inbox.demand() == order) {
            session.inbox.forgetDemand();
            session.inbox.send(new ControlMessage.Note("gave its demand checkpoint up: the copy took more than half of "
                + "--deadline, "
                + session.options.deadlineNanos() / 1_000_000 + " ms"));
            session.inbox.send(new ControlMessage.DemandTooSlow(session.inbox.view(), order.tag()));
        }
        return whole;
    }

    /** How a failure is put into the middle of it. */
    private void holdIfWatched() {
        if (session.inbox.watched(ControlMessage.Watch.DEMAND)) {
            session.inbox.send(new ControlMessage.Held(session.inbox.view(), ControlMessage.Watch.DEMAND));
            session.waiter.beginAsleep("release in a watched demand checkpoint");
            while (session.inbox.watched(ControlMessage.Watch.DEMAND)) {
                session.progress();
                session.waiter.turn();
            }
        }
    }
}
