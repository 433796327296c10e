package org.ftrma.ucx;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.ftrma.MisuseException;
import org.ftrma.PeerLostException;
import org.ftrma.spi.Wait;
import org.ftrma.ucp.Ucp;
import org.ftrma.ucp.UcsStatus;

/**
 * Operations under way on the data worker: what happens to an operation after it was started, and how its end is waited
 * for. Data thread only. Hot path: allocates nothing, parameter blocks and scratch words are made once.
 */
final class Operations {
    /**
     * How many operations of any peer that could not be sent at once may wait in UCX: what comes then waits for the
     * oldest. A power of two.
     */
    private static final int MAX_QUEUED = 256;

    private final Arena arena;
    private final OperationParams params;
    private final RequestTable requests = new RequestTable();
    private Wait wait;
    private long worker;
    private MemorySegment scratchSegment;
    private long scratch;
    /** Requests that nobody asks about, as a ring; 0: none. */
    private final long[] queued = new long[MAX_QUEUED];
    private final NetworkPeer[] queuedPeers = new NetworkPeer[MAX_QUEUED];
    private int nextQueued;
    /**
     * The request of a wait under way, which {@link Wait#turn} may end by renewing the fabric, or by revoking the peer;
     * else 0.
     */
    private long waitedFor;
    private NetworkPeer waitedPeer;

    Operations(Arena arena, Wait wait) {
        this.arena = arena;
        this.params = new OperationParams(arena);
        this.wait = wait;
        newScratch();
    }

    void waitWith(Wait newWait) {
        wait = newWait;
    }

    /** From here on operations are those of this worker; no other has any. */
    void useWorker(long newWorker) {
        worker = newWorker;
    }

    /**
     * The exception for a peer that was found lost. Told to the waiting side before it is thrown; that may renew the
     * fabric.
     */
    PeerLostException lost(int peer, String message) {
        PeerLostException loss = new PeerLostException(peer, message);
        wait.lost(loss);
        return loss;
    }

    OperationParams params() {
        return params;
    }

    int progress() {
        return Ucp.workerProgress(worker);
    }

    /** Address of 16 bytes: an operand, then a result. */
    long scratch() {
        return scratch;
    }

    MemorySegment scratchSegment() {
        return scratchSegment;
    }

    /** The old words stay allocated: an operation that nobody waits for any more may still write there. */
    private void newScratch() {
        scratchSegment = arena.allocate(2 * Long.BYTES, Long.BYTES);
        scratch = scratchSegment.address();
    }

    /** Waits for the end of an operation by what starting it returned. */
    void await(long started, NetworkPeer peer, String what) {
        if (started == 0) {
            return;
        }
        peer.check(statusOf(started, peer, what), what);
    }

    private byte statusOf(long started, NetworkPeer peer, String what) {
        return UcsStatus.isRequest(started) ? awaitRequest(started, peer, what) : UcsStatus.of(started);
    }

    private byte awaitRequest(long request, NetworkPeer peer, String what) {
        byte status = Ucp.requestCheckStatus(request);
        if (status == UcsStatus.UCS_INPROGRESS) {
            boolean complete = false;
            waitedFor = request;
            waitedPeer = peer;
            wait.begin(what, peer.number());
            try {
                while (status == UcsStatus.UCS_INPROGRESS) {
                    if (Ucp.workerProgress(worker) == 0) {
                        wait.turn();
                        if (waitedFor == 0 && peer.isRevoked()) {
                            return UcsStatus.UCS_ERR_CANCELED;
                        }
                        if (waitedFor == 0) {
                            throw new MisuseException(what + ": the fabric was renewed while peer=" + peer.number()
                                + " was waited for");
                        }
                    }
                    status = Ucp.requestCheckStatus(request);
                }
                complete = true;
            } finally {
                if (!complete && waitedFor != 0) {
                    Ucp.requestFree(request);
                    newScratch();
                    peer.dirty = true; // it goes on, and the next flush completes it
                }
                waitedFor = 0;
            }
        }
        Ucp.requestFree(request);
        return status;
    }

    /** Lets an operation go on by itself; its buffers are busy until the next flush. */
    void release(long started, NetworkPeer peer, String what) {
        peer.dirty = true;
        if (started != 0) {
            if (UcsStatus.isRequest(started)) {
                peer.busyLocally = true;
                queue(started, peer, what);
            } else {
                peer.check(UcsStatus.of(started), what);
            }
        }
    }

    /** A program that never flushes, or whose peer is slower, must not fill the memory with requests. */
    private void queue(long request, NetworkPeer peer, String what) {
        int slot = nextQueued;
        long oldest = queued[slot];
        NetworkPeer oldestPeer = queuedPeers[slot];
        queued[slot] = request;
        queuedPeers[slot] = peer;
        nextQueued = slot + 1 & MAX_QUEUED - 1;
        if (oldest != 0) {
            oldestPeer.note(awaitRequest(oldest, oldestPeer, what), what);
        }
    }

    /** A handle for {@link #test}, or 0 if the operation is complete. */
    long track(long started, NetworkPeer peer, String what) {
        peer.dirty = true;
        if (UcsStatus.isRequest(started)) {
            return requests.add(started, peer);
        }
        peer.check(UcsStatus.of(started), what);
        return 0;
    }

    /** Whether an operation is complete, by its handle. */
    boolean test(long request) {
        int slot = requests.slot(request);
        if (requests.request(slot) == RequestTable.GIVEN_UP) {
            NetworkPeer peer = requests.peer(slot);
            requests.remove(slot);
            throw NetworkPeer.revocation(peer.number());
        }
        byte status = Ucp.requestCheckStatus(requests.request(slot));
        if (status == UcsStatus.UCS_INPROGRESS) {
            Ucp.workerProgress(worker);
            status = Ucp.requestCheckStatus(requests.request(slot));
            if (status == UcsStatus.UCS_INPROGRESS) {
                return false;
            }
        }
        return ended(slot, status);
    }

    private boolean ended(int slot, byte status) {
        NetworkPeer peer = requests.peer(slot);
        Ucp.requestFree(requests.request(slot));
        requests.remove(slot);
        peer.check(status, "request");
        return true;
    }

    void flush(NetworkPeer peer) {
        long endpoint = peer.endpoint();
        if (peer.dirty || peer.signalled) {
            await(Ucp.epFlushNbx(endpoint, params.none()), peer, "flush");
            peer.flushed();
        }
    }

    void flushLocal(NetworkPeer peer) {
        if (peer.busyLocally) {
            flush(peer);
        } else {
            peer.endpoint();
        }
    }

    /**
     * Starts all flushes before it waits for any. A lost peer does not keep the others from being flushed; the first
     * loss is thrown at the end.
     *
     * @param signals whether a peer is flushed, too, to which nothing but signals was started
     */
    void flushAll(List<NetworkPeer> peers, boolean signals) {
        for (int i = 0; i < peers.size(); i++) {
            NetworkPeer peer = peers.get(i);
            forgetFlush(peer); // of an earlier call that was left by an exception
            if ((peer.dirty || signals && peer.signalled) && peer.usable()) {
                peer.flushing = Ucp.epFlushNbx(peer.endpoint(), params.none());
            }
        }
        NetworkPeer firstLost = null;
        for (int i = 0; i < peers.size(); i++) {
            NetworkPeer peer = peers.get(i);
            if (peer.dirty || signals && peer.signalled) {
                long started = peer.flushing;
                peer.flushing = 0;
                peer.note(started == 0 ? UcsStatus.UCS_OK : statusOf(started, peer, "flush"), "flush");
                if (peer.usable()) {
                    peer.flushed();
                } else if (firstLost == null) {
                    firstLost = peer;
                }
            }
        }
        if (firstLost != null) {
            firstLost.endpoint();
        }
    }

    /** Gives back the request of a {@link #flushAll} that was left by an exception. */
    static void forgetFlush(NetworkPeer peer) {
        if (UcsStatus.isRequest(peer.flushing)) {
            Ucp.requestFree(peer.flushing);
        }
        peer.flushing = 0;
    }

    /** Gives back the requests of one peer, whose endpoint is closed; who asks about one hears that it is lost. */
    void abandon(NetworkPeer peer) {
        if (waitedFor != 0 && waitedPeer == peer) {
            Ucp.requestFree(waitedFor);
            waitedFor = 0;
            newScratch();
        }
        for (int slot = 0; slot < MAX_QUEUED; slot++) {
            if (queued[slot] != 0 && queuedPeers[slot] == peer) {
                Ucp.requestFree(queued[slot]);
                queued[slot] = 0;
                queuedPeers[slot] = null;
            }
        }
        for (int slot = 0; slot < requests.slots(); slot++) {
            long request = requests.request(slot);
            if (request != 0 && request != RequestTable.GIVEN_UP && requests.peer(slot) == peer
                && Ucp.requestCheckStatus(request) == UcsStatus.UCS_INPROGRESS) {
                Ucp.requestFree(request);
                requests.giveUp(slot);
            }
        }
    }

    /** Gives back all requests: their endpoints are closed. */
    void abandonAll() {
        if (waitedFor != 0) {
            Ucp.requestFree(waitedFor); // renew inside a wait: whoever waits is about to leave
            waitedFor = 0;
        }
        for (int slot = 0; slot < MAX_QUEUED; slot++) {
            if (queued[slot] != 0) {
                Ucp.requestFree(queued[slot]);
                queued[slot] = 0;
                queuedPeers[slot] = null;
            }
        }
        for (int slot = 0; slot < requests.slots(); slot++) {
            if (requests.request(slot) != 0) {
                if (requests.request(slot) != RequestTable.GIVEN_UP) {
                    Ucp.requestFree(requests.request(slot));
                }
                requests.remove(slot);
            }
        }
        newScratch();
    }
}
