package org.ftrma.checkpoint;

import java.util.List;
import org.ftrma.checkpoint.control.Message;
import org.ftrma.checkpoint.log.Coverage;

/**
 * Demand checkpoints of one computing rank (ftRMA, 6.2; design 6.4): at a step boundary it copies its state alone, while the others run on; the
 * checksum rank of its group takes the image into its parity in the background. The coordinator says who takes one, and whether it counts. Data thread
 * only.
 */
final class DemandCheckpoints {
    private final Session session;
    private final Logging logging;
    private Images images;
    private List<WindowImpl> windows;

    DemandCheckpoints(Session session, Logging logging) {
        this.session = session;
        this.logging = logging;
    }

    /** To be called in each view: the committed image is restored. */
    void open(Images restored, List<WindowImpl> allWindows) {
        images = restored;
        windows = allWindows;
        logging.checkpointsInto(images.slots());
    }

    /** Asks for what this rank's logs need; and takes one, if this rank was told to. */
    void atBoundary(long step) {
        session.inbox.drainIfReady();
        logging.askForDemand(); // first: an image that is ready waits for those that were asked for
        Message.DemandTake order = session.inbox.demand();
        if (order != null && !logging.replaying() && !holdsExclusiveLock()) {
            take(order, step);
        }
    }

    /** The image has locks that this rank holds, but the program may have half done what an exclusive one guards. */
    private boolean holdsExclusiveLock() {
        for (WindowImpl window : windows) {
            if (window.locks.exclusiveHeld() > 0) {
                return true;
            }
        }
        return false;
    }

    private void take(Message.DemandTake order, long step) {
        session.fabric.flushAll();
        try {
            Coverage covered = logging.holdUpdates(() -> session.inbox.demand() == order);
            if (covered == null) {
                return;
            }
            images.slots().committed(session.inbox.generation());
            if (!copy(order, step)) {
                return;
            }
            covered = logging.demandTaken(covered);
            holdIfWatched();
            if (session.inbox.demand() == order) {
                session.inbox.forgetDemand();
                session.inbox.send(new Message.DemandReady(session.inbox.view(), order.tag(), covered.toLongs()));
            }
        } finally {
            logging.allowUpdates();
        }
    }

    /** Others' atomic updates wait meanwhile, and no longer than the deadline: a copy that takes too long is given up. Returns whether it is there. */
    private boolean copy(Message.DemandTake order, long step) {
        long mostNanos = session.options.deadlineNanos() / 2;
        long began = session.clock.nanoTime();
        boolean whole = images.take(order.tag(), step, () -> {
            session.inbox.drainIfReady();
            return session.inbox.demand() == order && session.clock.nanoTime() - began <= mostNanos;
        });
        if (!whole && session.inbox.demand() == order) {
            session.inbox.forgetDemand();
            session.inbox.send(new Message.Note("gave its demand checkpoint up: the copy took more than half of --deadline, "
                + session.options.deadlineNanos() / 1_000_000 + " ms"));
        }
        return whole;
    }

    /** How a failure is put into the middle of it. */
    private void holdIfWatched() {
        if (session.inbox.watched(Message.Watch.DEMAND)) {
            session.inbox.send(new Message.Held(session.inbox.view(), Message.Watch.DEMAND));
            session.waiter.beginAsleep("release in a watched demand checkpoint");
            while (session.inbox.watched(Message.Watch.DEMAND)) {
                session.fabric.progress();
                session.waiter.turn();
            }
        }
    }
}
