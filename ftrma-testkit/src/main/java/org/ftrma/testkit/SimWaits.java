package org.ftrma.testkit;

import java.util.function.IntPredicate;
import org.ftrma.PeerLostException;
import org.ftrma.spi.Wait;

/**
 * Waits of one fabric's blocking calls, and the loss of a peer, after which they fail until the next renewal. The
 * process's thread only.
 */
final class SimWaits {
    private final SimProcess process;
    private final IntPredicate isImmediate;
    private Wait wait;
    private int lostPeer = -1;
    /** Within a turn of a wait. */
    private boolean isTurning;

    /** {@code isImmediate}: whether accesses to a peer take effect at once. */
    SimWaits(SimProcess process, IntPredicate isImmediate) {
        this.process = process;
        this.isImmediate = isImmediate;
    }

    void with(Wait newWait) {
        wait = newWait;
    }

    /** Fails within a turn of another wait, as a fabric over a network may: it knows of one wait at a time. */
    void begin(String what, int peer) {
        if (isTurning && !isImmediate.test(peer)) {
            throw new IllegalStateException(what + " peer=" + peer + ": begins to wait within a turn of another wait ("
                + process.doing + ")");
        }
        wait.begin(what, peer);
    }

    /** One turn of a blocking call. */
    void turn(String what) {
        process.doing = what;
        isTurning = true;
        try {
            wait.turn();
        } finally {
            isTurning = false;
        }
    }

    /** A peer is lost. What is under way to others goes on until the fabric is renewed. */
    PeerLostException lost(int peer, String what) {
        if (!isImmediate.test(peer)) {
            lostPeer = peer;
        }
        PeerLostException loss = new PeerLostException(peer, what + " peer=" + peer + ": the peer is gone");
        wait.lost(loss);
        return loss;
    }

    /** After a loss nothing works until the next renewal. */
    void checkLost(String what) {
        if (lostPeer >= 0) {
            throw lost(lostPeer, what);
        }
    }

    /** A peer that was revoked is lost no more. */
    void revoked(int peer) {
        lostPeer = lostPeer == peer ? -1 : lostPeer;
    }

    void renewed() {
        lostPeer = -1;
    }
}
