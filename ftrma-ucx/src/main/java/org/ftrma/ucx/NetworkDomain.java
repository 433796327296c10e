package org.ftrma.ucx;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ftrma.FtrmaException;
import org.ftrma.MisuseException;
import org.ftrma.PeerLostException;
import org.ftrma.spi.Wait;
import org.ftrma.ucp.FatalErrorGuard;
import org.ftrma.ucp.Ucp;
import org.ftrma.ucp.UcpConstants;
import org.ftrma.ucp.UcpEpParams;
import org.ftrma.ucp.UcpRequestParam;
import org.ftrma.ucp.UcsStatus;
import org.openucx.jucx.UcxException;
import org.openucx.jucx.ucp.UcpContext;
import org.openucx.jucx.ucp.UcpMemMapParams;
import org.openucx.jucx.ucp.UcpMemory;
import org.openucx.jucx.ucp.UcpParams;
import org.openucx.jucx.ucp.UcpWorker;
import org.openucx.jucx.ucp.UcpWorkerParams;

/**
 * Everything that needs a network: a data worker, whose endpoints carry this member's accesses, and a {@link ServiceWorker}, where others'
 * arrive. Data thread only. Operations allocate nothing: their parameter blocks and scratch words are made once.
 *
 * <p>Endpoints are in UCX's peer error mode: the death of a peer ends the operations under way with an error. They are made through the
 * foreign function interface, not by jucx, whose error handler looks classes up by their names from the calling Java frame: below a foreign
 * call it finds none and crashes.
 */
final class NetworkDomain implements AutoCloseable {
    private static final Pattern LANE = Pattern.compile("lane\\[\\d+\\]:\\s+\\d+:(\\S+?)\\.\\d+ ");
    private static final long CLOSE_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final String transports;
    private final UcpContext context;
    private final Arena arena = Arena.ofShared();
    private final OperationParams params = new OperationParams(arena);
    private final List<NetworkPeer> peers = new ArrayList<>();
    private final Map<Long, NetworkPeer> peersById = new HashMap<>();
    private final MemorySegment errorHandler = UcpEpParams.errorHandler(this::endpointFailed, arena);
    private final RequestTable requests = new RequestTable();
    private long nextPeerId = 1;
    private boolean anyWorkerLost;
    private UcpWorker worker;
    private long handle;
    private ServiceWorker service;
    private Wait wait;
    private long scratch;
    /** The request of a wait under way, which {@link Wait#turn} may end by {@link #renew}; else 0. */
    private long waitedFor;
    private MemorySegment scratchSegment;

    NetworkDomain(UcxOptions options, Wait wait) {
        FatalErrorGuard.install();
        this.wait = wait;
        this.transports = options.networkTransports() + "/" + options.networkDevices();
        UcpParams contextParams = new UcpParams().requestRmaFeature().requestAtomic32BitFeature().requestAtomic64BitFeature()
            .requestWakeupFeature().setMtWorkersShared(true)
            .setConfig("TLS", options.networkTransports()).setConfig("NET_DEVICES", options.networkDevices())
            .setConfig("ALLOC_PRIO", "mmap"); // zeroed, and ours alone
        try {
            context = new UcpContext(contextParams);
        } catch (UcxException e) {
            arena.close();
            throw UcxRuntime.setupFailed("UCX context with UCX_TLS=" + options.networkTransports() + " UCX_NET_DEVICES="
                + options.networkDevices(), e);
        }
        newScratch();
        try {
            openWorkers();
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private void openWorkers() {
        try {
            worker = context.newWorker(new UcpWorkerParams());
            handle = worker.getNativeId();
        } catch (UcxException e) {
            throw UcxRuntime.setupFailed("UCX data worker", e);
        }
        service = new ServiceWorker(context);
    }

    void waitWith(Wait newWait) {
        wait = newWait;
    }

    byte[] address() {
        return service.address();
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

    OperationParams params() {
        return params;
    }

    // ---- memory ----

    UcpMemory allocate(long bytes) {
        Pages.requireAvailable(bytes);
        try {
            UcpMemory memory = context.memoryMap(new UcpMemMapParams().allocate().setLength(bytes));
            Pages.prepare(memory.getAddress(), bytes);
            return memory;
        } catch (UcxException e) {
            throw UcxRuntime.setupFailed("allocating " + bytes + " bytes", e);
        }
    }

    UcpMemory register(long address, long bytes) {
        try {
            return context.memoryMap(new UcpMemMapParams().setAddress(address).setLength(bytes));
        } catch (UcxException e) {
            throw UcxRuntime.setupFailed("registering " + bytes + " bytes", e);
        }
    }

    byte[] pack(UcpMemory memory) {
        try {
            return UcxRuntime.bytes(memory.getRemoteKeyBuffer());
        } catch (UcxException e) {
            throw UcxRuntime.setupFailed("packing a key", e);
        }
    }

    // ---- connections ----

    NetworkPeer connect(int number, byte[] address) {
        NetworkPeer peer = new NetworkPeer(number);
        long id = nextPeerId++;
        peersById.put(id, peer);
        try (Arena temporary = Arena.ofConfined()) {
            MemorySegment workerAddress = temporary.allocate(address.length, 8);
            MemorySegment.copy(address, 0, workerAddress, ValueLayout.JAVA_BYTE, 0, address.length);
            MemorySegment result = temporary.allocate(ValueLayout.JAVA_LONG);
            byte status = Ucp.epCreate(handle, UcpEpParams.peerErrorMode(workerAddress, errorHandler, id, temporary), result);
            if (status != UcsStatus.UCS_OK) {
                peersById.remove(id);
                throw new PeerLostException(number, "peer=" + number + " cannot be connected: " + UcxRuntime.describe(status));
            }
            peer.opened(result.get(ValueLayout.JAVA_LONG, 0));
        }
        peers.add(peer);
        return peer;
    }

    /** Called by UCX, from within any call of the data thread. */
    private void endpointFailed(long id, byte status) {
        NetworkPeer peer = peersById.get(id);
        if (peer != null) {
            peer.fail(status);
        }
    }

    NetworkMemory attach(NetworkPeer peer, KeyDescriptor key) {
        long rkey;
        try (Arena temporary = Arena.ofConfined()) {
            MemorySegment packed = temporary.allocate(key.network().length, 8);
            MemorySegment.copy(key.network(), 0, packed, ValueLayout.JAVA_BYTE, 0, key.network().length);
            MemorySegment result = temporary.allocate(ValueLayout.JAVA_LONG);
            peer.check(Ucp.epRkeyUnpack(peer.endpoint(), packed, result), "attach");
            rkey = result.get(ValueLayout.JAVA_LONG, 0);
        }
        peer.addKey(rkey);
        NetworkMemory memory = new NetworkMemory(this, peer, rkey, key.address(), key.bytes());
        memory.getLong(0); // connects now, so that a peer that is gone is noticed here; a region has at least one page
        return memory;
    }

    /** Closes one connection without asking the peer. */
    void disconnect(NetworkPeer peer) {
        closeEndpoint(peer);
        forgetFlush(peer);
        peer.destroyKeys();
        peers.remove(peer);
        peersById.values().remove(peer);
    }

    private void closeEndpoint(NetworkPeer peer) {
        peer.markClosed();
        long request = Ucp.epCloseNbx(peer.rawEndpoint(), params.forceClose());
        long deadline = System.nanoTime() + CLOSE_TIMEOUT_NANOS;
        while (UcsStatus.isRequest(request)) {
            if (Ucp.requestCheckStatus(request) != UcsStatus.UCS_INPROGRESS) {
                Ucp.requestFree(request);
                return;
            }
            if (Ucp.workerProgress(handle) == 0 && System.nanoTime() > deadline) {
                Ucp.requestFree(request);
                throw new FtrmaException(FtrmaException.Category.FATAL, "peer=" + peer.number() + ": did not close within 5 s");
            }
        }
    }

    /** Drops every connection, in both directions, and starts with new workers; memory stays registered. */
    void renew() {
        closeWorkers();
        openWorkers();
    }

    private void closeWorkers() {
        for (NetworkPeer peer : peers) {
            closeEndpoint(peer);
            forgetFlush(peer);
        }
        freeRequests();
        for (NetworkPeer peer : peers) {
            peer.destroyKeys();
        }
        peers.clear();
        peersById.clear();
        if (worker != null) {
            worker.close();
            worker = null;
        }
        if (service != null) {
            ServiceWorker old = service;
            service = null;
            old.close();
            anyWorkerLost |= old.lost() != null;
        }
        newScratch();
    }

    private void freeRequests() {
        if (waitedFor != 0) {
            Ucp.requestFree(waitedFor); // renew inside a wait: whoever waits is about to leave
            waitedFor = 0;
        }
        for (int slot = 0; slot < requests.slots(); slot++) {
            if (requests.request(slot) != 0) {
                Ucp.requestFree(requests.request(slot));
                requests.remove(slot);
            }
        }
    }

    // ---- operations: hot ----

    int progress() {
        return Ucp.workerProgress(handle);
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
        peer.check(UcsStatus.isRequest(started) ? awaitRequest(started, peer, what) : UcsStatus.of(started), what);
    }

    private byte awaitRequest(long request, NetworkPeer peer, String what) {
        byte status = Ucp.requestCheckStatus(request);
        if (status == UcsStatus.UCS_INPROGRESS) {
            boolean complete = false;
            waitedFor = request;
            wait.begin(what, peer.number());
            try {
                while (status == UcsStatus.UCS_INPROGRESS) {
                    if (Ucp.workerProgress(handle) == 0) {
                        wait.turn();
                        if (waitedFor == 0) {
                            throw new MisuseException(what + ": the fabric was renewed while peer=" + peer.number() + " was waited for");
                        }
                    }
                    status = Ucp.requestCheckStatus(request);
                }
                complete = true;
            } finally {
                if (!complete && waitedFor != 0) {
                    Ucp.requestFree(request);
                    newScratch();
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
                Ucp.requestFree(started);
            } else {
                peer.check(UcsStatus.of(started), what);
            }
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

    boolean test(long request) {
        int slot = requests.slot(request);
        byte status = Ucp.requestCheckStatus(requests.request(slot));
        if (status == UcsStatus.UCS_INPROGRESS) {
            Ucp.workerProgress(handle);
            status = Ucp.requestCheckStatus(requests.request(slot));
            if (status == UcsStatus.UCS_INPROGRESS) {
                return false;
            }
        }
        NetworkPeer peer = requests.peer(slot);
        Ucp.requestFree(requests.request(slot));
        requests.remove(slot);
        peer.check(status, "request");
        return true;
    }

    void flush(NetworkPeer peer) {
        long endpoint = peer.endpoint();
        if (peer.dirty) {
            await(Ucp.epFlushNbx(endpoint, params.none()), peer, "flush");
            peer.dirty = false;
            peer.busyLocally = false;
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
     * Starts all flushes before it waits for any. A lost peer does not keep the others from being flushed; the first loss is thrown at the
     * end.
     */
    void flushAll() {
        for (int i = 0; i < peers.size(); i++) {
            NetworkPeer peer = peers.get(i);
            forgetFlush(peer); // of an earlier call that was left by an exception
            if (peer.dirty && peer.usable()) {
                peer.flushing = Ucp.epFlushNbx(peer.endpoint(), params.none());
            }
        }
        FtrmaException first = null;
        for (int i = 0; i < peers.size(); i++) {
            NetworkPeer peer = peers.get(i);
            try {
                if (peer.dirty) {
                    long started = peer.flushing;
                    peer.flushing = 0;
                    await(started, peer, "flush");
                    peer.endpoint();
                    peer.dirty = false;
                    peer.busyLocally = false;
                }
            } catch (PeerLostException e) {
                first = first == null ? e : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }

    private static void forgetFlush(NetworkPeer peer) {
        if (UcsStatus.isRequest(peer.flushing)) {
            Ucp.requestFree(peer.flushing);
        }
        peer.flushing = 0;
    }

    /** First half of {@link #close}: from here on nothing arrives, and memory may be unregistered. */
    void closeWorkersOnly() {
        closeWorkers();
    }

    @Override
    public void close() {
        closeWorkers();
        if (!anyWorkerLost) { // a lost worker still belongs to it
            context.close();
        }
        arena.close();
    }

    /** The parameter blocks of all operations. */
    static final class OperationParams {
        private final long none;
        private final long host;
        private final long forceClose;
        private final long post4;
        private final long post8;
        private final MemorySegment fetch4;
        private final MemorySegment fetch8;

        OperationParams(Arena arena) {
            none = UcpRequestParam.allocate(arena).address();
            MemorySegment hostParam = UcpRequestParam.allocate(arena);
            UcpRequestParam.attributeMask(hostParam, UcpConstants.UCP_OP_ATTR_FIELD_MEMORY_TYPE);
            UcpRequestParam.memoryType(hostParam, UcpConstants.UCS_MEMORY_TYPE_HOST);
            host = hostParam.address();
            MemorySegment close = UcpRequestParam.allocate(arena);
            UcpRequestParam.attributeMask(close, UcpConstants.UCP_OP_ATTR_FIELD_FLAGS);
            UcpRequestParam.flags(close, UcpConstants.UCP_EP_CLOSE_FLAG_FORCE);
            forceClose = close.address();
            post4 = atomic(arena, 4, 0).address();
            post8 = atomic(arena, 8, 0).address();
            fetch4 = atomic(arena, 4, UcpConstants.UCP_OP_ATTR_FIELD_REPLY_BUFFER);
            fetch8 = atomic(arena, 8, UcpConstants.UCP_OP_ATTR_FIELD_REPLY_BUFFER);
        }

        private static MemorySegment atomic(Arena arena, int bytes, int more) {
            MemorySegment param = UcpRequestParam.allocate(arena);
            UcpRequestParam.attributeMask(param, UcpConstants.UCP_OP_ATTR_FIELD_DATATYPE | more);
            UcpRequestParam.datatype(param, UcpConstants.contiguous(bytes));
            return param;
        }

        /** No options. */
        long none() {
            return none;
        }

        /** A local buffer in main memory. */
        long host() {
            return host;
        }

        long forceClose() {
            return forceClose;
        }

        /** An atomic operation without a result. */
        long post(int bytes) {
            return bytes == 4 ? post4 : post8;
        }

        /** An atomic operation whose result goes to an address. */
        long fetch(int bytes, long replyAddress) {
            MemorySegment param = bytes == 4 ? fetch4 : fetch8;
            UcpRequestParam.replyBuffer(param, replyAddress);
            return param.address();
        }
    }
}
