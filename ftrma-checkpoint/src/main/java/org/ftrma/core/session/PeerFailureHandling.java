package org.ftrma.core.session;

import org.ftrma.DeadlineException;
import org.ftrma.PeerLostException;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.options.JobOptions;
import org.ftrma.spi.Fabric;

/**
 * Continuation of this member after an access to a lost peer, where accesses do not take effect when they are issued.
 * The access ends with an exception; this member goes on when the peer is back, if one member can be recovered while
 * the others run on. Data thread only.
 */
public final class PeerFailureHandling {
    private final AccessGate gate;
    private final Fabric fabric;
    private final Inbox inbox;
    private final Waiter waiter;
    private final PeerTable peers;
    private final RecoveringRanks away;
    private final int ranks;
    private final int members;

    PeerFailureHandling(AccessGate gate, Fabric fabric, Inbox inbox, Waiter waiter, PeerTable peers,
        RecoveringRanks away, JobOptions options) {
        this.gate = gate;
        this.fabric = fabric;
        this.inbox = inbox;
        this.waiter = waiter;
        this.peers = peers;
        this.away = away;
        this.ranks = options.ranks();
        this.members = ranks + options.checksums();
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
        inbox.drain();
        do {
            peers.awaitReturn(peer);
        } while (peer < ranks && !peers.connect(peer));
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
        flush(peer, false);
    }

    /** Sources of what was put to a peer may be reused. If it is lost meanwhile, nobody reads them. */
    public void flushLocal(int peer) {
        flush(peer, true);
    }

    private void flush(int peer, boolean isLocal) {
        gate.repeatable(true);
        try {
            if (isLocal) {
                fabric.flushLocal(peer);
            } else {
                fabric.flush(peer);
            }
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
        waiter.untold();
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
                    fabric.flushAll();
                } else {
                    fabric.completeAll();
                }
                gate.repeatable(false);
                return;
            } catch (DeadlineException e) {
                throw repeatable(e);
            } catch (PeerLostException e) {
                gate.repeatable(false);
                boolean isLeftOut = e.peer() >= ranks || away.isReplaying();
                if (isLeftOut) {
                    fabric.forget(e.peer()); // nobody puts there
                }
                if (!isLeftOut || !gate.wasCutOff(e.peer())) {
                    awaitBack(e);
                }
            }
        }
    }

    /** This member is about to connect to others. Who has not cut off the process before it may not be connected to. */
    void connects() {
        if (gate.isOpen() && inbox.recovery() > 0) {
            inbox.send(new ControlMessage.AskAlone(inbox.view(), inbox.recovery()));
            waiter.await("the others' word that they have cut off the lost rank",
                () -> gate.isLeftAlone(inbox.recovery())); // R6
        }
    }

    /** Nothing is under way to anybody any more. Of who is lost nothing is waited for. */
    public void quiesce() {
        for (int peer = 0; peer < members && gate.isOpen(); peer++) {
            try {
                fabric.flush(peer);
            } catch (PeerLostException e) {
                // it ended with the loss
            }
        }
    }
}
