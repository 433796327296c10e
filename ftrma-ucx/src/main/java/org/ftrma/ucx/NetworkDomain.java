package org.ftrma.ucx;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ftrma.FtrmaException;
import org.ftrma.spi.Holes;
import org.ftrma.spi.Wait;
import org.ftrma.ucp.Ucp;
import org.ftrma.ucp.UcpEpParams;
import org.ftrma.ucp.UcsStatus;
import org.openucx.jucx.UcxException;
import org.openucx.jucx.ucp.UcpContext;
import org.openucx.jucx.ucp.UcpEndpointParams;
import org.openucx.jucx.ucp.UcpParams;
import org.openucx.jucx.ucp.UcpWorker;

/**
 * Everything that needs a network: a data worker, whose endpoints carry this member's accesses, and
 * {@link Entrances}, where others' arrive. Data thread only.
 *
 * <p>Endpoints are in UCX's peer error mode: the death of a peer ends the operations under way with an error. They are
 * made by jucx, whose error handler looks classes up by their names from the calling Java frame: below a foreign call
 * it finds none and crashes. So they get one of ours before anything is progressed.
 */
final class NetworkDomain implements AutoCloseable {
    private static final Pattern LANE = Pattern.compile("lane\\[\\d+\\]:\\s+\\d+:(\\S+?)\\.\\d+ ");

    private final String transports;
    private final UcpContext context;
    private final Arena arena = Arena.ofShared();
    private final List<NetworkPeer> peers = new ArrayList<>();
    private final Map<Long, NetworkPeer> peersById = new HashMap<>();
    private final MemorySegment errorHandler = UcpEpParams.errorHandler(this::endpointFailed, arena);
    private final Operations operations;
    private long nextPeerId = 1;
    private final Entrances entrances;
    /** Whether {@link #peers} has such as were revoked. */
    private boolean anyRevoked;
    private UcpWorker worker;

    NetworkDomain(UcxOptions options, Wait wait, Refusals refusals) {
        UcxRuntime.guardAgainstFatalErrors();
        this.operations = new Operations(arena, wait);
        this.transports = options.networkTransports() + "/" + options.networkDevices();
        UcpParams contextParams = new UcpParams().requestRmaFeature().requestAtomic32BitFeature()
            .requestAtomic64BitFeature()
            .requestWakeupFeature().setMtWorkersShared(true)
            .setConfig("TLS", options.networkTransports()).setConfig("NET_DEVICES", options.networkDevices())
            // Since 1.16 UCX chooses protocols in another way by default, which has no atomics for endpoints in the
            // peer error mode over transports without atomics of their own (tcp).
            .setConfig("PROTO_ENABLE", "n")
            .setConfig("ALLOC_PRIO", "mmap") // zeroed, and ours alone
            .setConfig("ATOMIC_MODE", "cpu"); // of one kind with those of peers that have the memory mapped
        try {
            context = new UcpContext(contextParams);
        } catch (UcxException e) {
            arena.close();
            String none = NetworkDevices.whyUcxFindsNone(NetworkDevices.LISTED);
            throw UcxRuntime.setupFailed((none.isEmpty() ? "" : none + "; ") + "UCX context with UCX_TLS="
                + options.networkTransports() + " UCX_NET_DEVICES=" + options.networkDevices(), e);
        }
        entrances = new Entrances(context, refusals);
        try {
            openWorker();
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private void openWorker() {
        try {
            worker = context.newWorker(new OneThreadAtATime());
            operations.useWorker(worker.getNativeId());
        } catch (UcxException e) {
            throw UcxRuntime.setupFailed("UCX data worker", e);
        }
    }

    /** By which others come in. */
    Entrances entrances() {
        return entrances;
    }

    /** The transports that endpoints use, or those allowed while there is none. */
    String transports() {
        for (NetworkPeer peer : peers) {
            if (peer.usable()) {
                Matcher lane = LANE.matcher(Ucp.epInfo(peer.rawEndpoint()));
                StringBuilder found = new StringBuilder();
                while (lane.find()) {
                    found.append(found.isEmpty() ? "" : ",").append(lane.group(1));
                }
                return found.toString();
            }
        }
        return transports;
    }

    Operations operations() {
        return operations;
    }

    /** Flushes every connection, or where signals do not count those that had something else. */
    void flushAll(boolean signals) {
        forgetRevoked();
        operations.flushAll(peers, signals);
    }

    // ---- memory ----

    UcxMemory allocate(long bytes, Holes holes) {
        Pages.requireAvailable(bytes);
        UcxMemory memory = UcxMemory.allocate(context, bytes);
        try {
            Pages.outside(holes, memory.address(), bytes, Pages::prepare);
            return memory;
        } catch (FtrmaException e) {
            memory.close();
            throw e;
        }
    }

    UcxMemory register(long address, long bytes) {
        return UcxMemory.register(context, address, bytes);
    }

    // ---- connections ----

    /** Starts a connection to a peer's service worker. */
    NetworkPeer connect(int number, byte[] address) {
        forgetRevoked();
        NetworkPeer peer = new NetworkPeer(number, operations);
        long id = nextPeerId++;
        peersById.put(id, peer);
        try {
            peer.opened(worker.newEndpoint(new UcpEndpointParams().setUcpAddress(UcxRuntime.direct(address))
                .setPeerErrorHandlingMode()));
        } catch (UcxException e) {
            peersById.remove(id);
            throw operations.lost(number, "peer=" + number + " cannot be connected: " + e.getMessage());
        }
        peers.add(peer);
        handleErrors(peer, id);
        return peer;
    }

    private void handleErrors(NetworkPeer peer, long id) {
        try (Arena temporary = Arena.ofConfined()) {
            long status = Ucp.epModifyNb(peer.rawEndpoint(), UcpEpParams.handledBy(errorHandler, id, temporary));
            if (status != UcsStatus.UCS_OK) {
                throw new FtrmaException(FtrmaException.Category.FATAL,
                    "peer=" + peer.number() + ": UCX takes no error handler: "
                    + UcxRuntime.describe((byte) status));
            }
        }
    }

    /** Called by UCX, from within any call of the data thread. */
    private void endpointFailed(long id, byte status) {
        NetworkPeer peer = peersById.get(id);
        if (peer != null) {
            peer.fail(status);
        }
    }

    NetworkMemory attach(NetworkPeer peer, KeyDescriptor key) {
        NetworkMemory memory = new NetworkMemory(operations, peer, peer.unpack(key.network()), key.address(),
            key.bytes());
        memory.probe(); // connects now, so that a peer that is gone is noticed here
        return memory;
    }

    /** Closes one connection without asking the peer. */
    void disconnect(NetworkPeer peer) {
        closeEndpoint(peer);
        Operations.forgetFlush(peer);
        peer.destroyKeys();
        peers.remove(peer);
        peersById.values().remove(peer);
    }

    /**
     * Closes one connection for ever: what is under way is lost for who waits for it. May be called while one waits,
     * for all peers even: so this one is only forgotten later.
     */
    void revoke(NetworkPeer peer) {
        peer.markRevoked();
        closeEndpoint(peer);
        Operations.forgetFlush(peer);
        operations.abandon(peer);
        peer.destroyKeys();
        peersById.values().remove(peer);
        anyRevoked = true;
    }

    private void forgetRevoked() {
        if (anyRevoked) {
            peers.removeIf(NetworkPeer::isRevoked);
            anyRevoked = false;
        }
    }

    /**
     * A forced close ends at once and without progress; what it leaves to later progress is only UCX's own. That
     * matters: progress could still carry out an access of another connection, to memory that the caller has freed.
     */
    private void closeEndpoint(NetworkPeer peer) {
        peer.markClosed();
        long request = Ucp.epCloseNbx(peer.rawEndpoint(), operations.params().forceClose());
        if (UcsStatus.isRequest(request)) {
            Ucp.requestFree(request);
        }
    }

    /** Drops every connection, in both directions, and starts with new workers; memory stays registered. */
    void renew() {
        closeWorkers();
        openWorker();
    }

    private void closeWorkers() {
        forgetRevoked();
        for (NetworkPeer peer : peers) {
            closeEndpoint(peer);
            Operations.forgetFlush(peer);
        }
        operations.abandonAll();
        for (NetworkPeer peer : peers) {
            peer.destroyKeys();
        }
        peers.clear();
        peersById.clear();
        if (worker != null) {
            worker.close();
            worker = null;
        }
        entrances.closeAll();
    }

    /** First half of {@link #close}: from here on nothing arrives, and memory may be unregistered. */
    void closeWorkersOnly() {
        closeWorkers();
    }

    @Override
    public void close() {
        closeWorkers();
        entrances.close();
        if (!entrances.lostAny()) { // a lost worker still belongs to it
            context.close();
        }
        arena.close();
    }
}
