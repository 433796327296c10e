package org.ftrma.core.session;

import org.ftrma.DeadlineException;
import org.ftrma.PeerLostException;
import org.ftrma.core.control.ControlMessage;

/**
 * What becomes of accesses of this member to a peer that is lost, where these do not take effect when they are issued:
 * they end with an exception, and this member goes on when the peer is back, if one member can be recovered while the
 * others run on. Data thread only.
 */
public final class Survivor {
    private final Session session;
    private final AccessGate gate;

    Survivor(Session session, AccessGate gate) {
        this.session = session;
        this.gate = gate;
    }

    /**
     * Whether this member goes on after an access that ended with the loss of its peer, which was cut off, and will be
     * recovered. If not, the exception is for whoever made the access.
     */
    public boolean isPossible() {
        return gate.isOpen();
    }

    /** Whether what was under way to a peer has ended with its last loss. */
    public boolean wasCutOff(int peer) {
        return gate.wasCutOff(peer);
    }

    /**
     * Waits, between two accesses, until the peer is back to which an access ended with this.
     *
     * @throws PeerLostException that one, if this member does not go on
     */
    public void awaitBack(PeerLostException loss) {
        if (!gate.isOpen()) {
            throw loss;
        }
        awaitBack(loss.peer());
    }

    /** As above: the peer was lost in an access that is over. */
    public void awaitBack(int peer) {
        session.inbox.drain();
        do {
            session.awaitReturn(peer);
        } while (peer < session.ranks && !session.connect(peer));
    }

    /** A call did not come to its end, and can be neither repeated nor left out: each later one is refused. */
    public void cannotGoOn(Throwable why) {
        gate.endsWith(why);
    }

    /** The program was left: what it may not do any more is no matter. */
    public void programLeft() {
        gate.mayGoOn();
    }

    /** Completes the accesses to a peer. If it is lost meanwhile, what was put there is done again by its recovery. */
    public void flush(int peer) {
        gate.repeatable(true);
        try {
            session.fabric.flush(peer);
            gate.repeatable(false);
        } catch (PeerLostException e) {
            gate.repeatable(false);
            awaitBack(e);
        } catch (DeadlineException e) {
            throw repeatable(e);
        }
    }

    /** A flush ended at the deadline: the accesses are under way, and a later one completes them. */
    private DeadlineException repeatable(DeadlineException e) {
        gate.repeatable(false);
        session.waiter.untold();
        return e;
    }

    /** As {@link #flush}, of all peers. */
    public void flushAll() {
        flushAll(true);
    }

    /** As {@link #flushAll}, but for signals, which their readers wait for. */
    public void completeAll() {
        flushAll(false);
    }

    private void flushAll(boolean signals) {
        while (true) {
            gate.repeatable(true);
            try {
                if (signals) {
                    session.fabric.flushAll();
                } else {
                    session.fabric.completeAll();
                }
                gate.repeatable(false);
                return;
            } catch (DeadlineException e) {
                throw repeatable(e);
            } catch (PeerLostException e) {
                gate.repeatable(false);
                boolean isLeftOut = e.peer() >= session.ranks || session.away.isReplaying();
                if (isLeftOut) {
                    session.fabric.forget(e.peer()); // nobody puts there
                }
                if (!isLeftOut || !gate.wasCutOff(e.peer())) {
                    awaitBack(e);
                }
            }
        }
    }

    /** Sources of what was put to a peer may be reused. If it is lost meanwhile, nobody reads them. */
    public void flushLocal(int peer) {
        gate.repeatable(true);
        try {
            session.fabric.flushLocal(peer);
            gate.repeatable(false);
        } catch (PeerLostException e) {
            gate.repeatable(false);
            awaitBack(e);
        } catch (DeadlineException e) {
            throw repeatable(e);
        }
    }

    /** This member is about to connect to others. Who has not cut off the process before it may not be connected to. */
    void connects() {
        if (gate.isOpen() && session.inbox.recovery() > 0) {
            awaitLeftAlone();
        }
    }

    private void awaitLeftAlone() {
        session.inbox.send(new ControlMessage.AskAlone(session.inbox.view(), session.inbox.recovery()));
        session.waiter.timeoutNanos(Long.MAX_VALUE);
        session.waiter.beginAsleep("the others' word that they have cut off the lost rank");
        while (!gate.isLeftAlone(session.inbox.recovery())) {
            session.fabric.progress();
            session.waiter.turn();
        }
        session.waiter.timeoutNanos(session.options.deadlineNanos());
    }

    /** Nothing is under way to anybody any more. Of who is lost nothing is waited for. */
    public void quiesce() {
        for (int peer = 0; peer < session.ranks + session.options.checksums() && gate.isOpen(); peer++) {
            try {
                session.fabric.flush(peer);
            } catch (PeerLostException e) {
                // it ended with the loss
            }
        }
    }
}
