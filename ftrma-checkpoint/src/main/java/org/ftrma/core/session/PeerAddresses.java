package org.ftrma.core.session;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.ftrma.MisuseException;
import org.ftrma.PeerLostException;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.control.MessageCodec;
import org.ftrma.spi.Fabric;

/**
 * Exchange of addresses by which members let each other in where each peer has a way of its own
 * ({@link Fabric#mustAsk}): asks others for theirs, and answers those who ask this member. Data thread only, but for
 * {@link #answer}.
 */
final class PeerAddresses {
    private static final byte[] NOBODY = {};
    private final Fabric fabric;
    private final Inbox inbox;
    private final Waiter waiter;
    private final AccessGate gate;
    private final RecoveringRanks away;
    /** By member: what it gave; {@link #NOBODY}: nobody is there; null: it was not asked, or has not answered. */
    private final byte[][] given;
    private final boolean[] asked;
    /** By member that asked: the newest incarnation that did. Guarded by itself. */
    private final Map<Integer, Integer> newest = new HashMap<>();

    PeerAddresses(Fabric fabric, Inbox inbox, Waiter waiter, AccessGate gate, RecoveringRanks away, int members) {
        this.fabric = fabric;
        this.inbox = inbox;
        this.waiter = waiter;
        this.gate = gate;
        this.away = away;
        this.given = new byte[members][];
        this.asked = new boolean[members];
    }

    /** Whoever is met in the new view is asked anew. */
    void enterView() {
        Arrays.fill(given, null);
        Arrays.fill(asked, false);
    }

    /** The process that was asked is lost. */
    void lost(int peer) {
        given[peer] = null;
        asked[peer] = false;
    }

    /** Asks a peer, if that is needed and was not done yet, and does not wait. */
    void ask(int peer, byte[] itsAddress) {
        if (!asked[peer] && fabric.mustAsk(itsAddress)) {
            asked[peer] = true;
            inbox.send(new ControlMessage.AskAddress(inbox.view(), peer, fabric.address()));
        }
    }

    void told(ControlMessage.OfAccess message) {
        if (message instanceof ControlMessage.AddressWanted m) {
            answer(m);
        } else if (message instanceof ControlMessage.AddressFor m && m.member() >= 0 && m.member() < given.length
            && asked[m.member()]) {
            given[m.member()] = m.address().length == 0 ? NOBODY : m.address();
        }
    }

    /**
     * What to connect to a peer with; null if a loss was heard of while that was asked.
     *
     * @param itsAddress what it tells all
     * @throws PeerLostException if no process plays it
     */
    byte[] of(int peer, byte[] itsAddress) {
        if (!fabric.mustAsk(itsAddress)) {
            return itsAddress;
        }
        int known = away.losses();
        ask(peer, itsAddress);
        waiter.await("the address for this member", peer, Waiter.ASLEEP, waiter.deadlineFromNow(),
            () -> given[peer] != null || away.losses() != known);
        if (away.losses() != known) {
            return null;
        }
        byte[] address = given[peer];
        if (address == NOBODY) {
            lost(peer);
            PeerLostException loss = new PeerLostException(peer, "peer=" + peer + " is gone: no process plays it");
            gate.lost(loss);
            throw loss;
        }
        return address;
    }

    /**
     * The answer to a frame that asks for an address; null if it does not, or if the data thread has to see to
     * something before. Any thread: so nobody waits for the next call of this member's program.
     */
    byte[] answer(byte[] frame) {
        if (!MessageCodec.isOf(frame, ControlMessage.AddressWanted.class)) {
            return null;
        }
        try {
            ControlMessage.AddressWanted question = (ControlMessage.AddressWanted) MessageCodec.decode(frame);
            return isNewest(question) ? MessageCodec.encode(answerTo(question)) : null;
        } catch (MessageCodec.MalformedException | RuntimeException e) {
            return null; // the data thread finds the same, and can say so
        }
    }

    /**
     * As above, where that could not be answered at once: the process that played the peer before may have to be cut
     * off. It is dead, or counts as dead, and whoever accessed it was told.
     */
    private void answer(ControlMessage.AddressWanted question) {
        if (isNewest(question)) {
            try {
                inbox.send(answerTo(question));
            } catch (MisuseException e) {
                gate.replaced(question.member());
                inbox.send(answerTo(question));
            }
        }
    }

    private ControlMessage.AddressGiven answerTo(ControlMessage.AddressWanted question) {
        return new ControlMessage.AddressGiven(question.view(), question.member(), question.incarnation(),
            fabric.addressFor(question.member(), question.address()));
    }

    /** Whether no later incarnation of that member has asked. */
    private boolean isNewest(ControlMessage.AddressWanted question) {
        synchronized (newest) {
            return newest.merge(question.member(), question.incarnation(), Math::max) == question.incarnation();
        }
    }
}
