package org.ftrma.testkit;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.ftrma.MisuseException;
import org.ftrma.spi.Fabric;
import org.ftrma.spi.FabricInfo;
import org.ftrma.spi.Holes;
import org.ftrma.spi.MemoryRegion;
import org.ftrma.spi.RemoteMemory;
import org.ftrma.spi.Wait;

/**
 * A fabric as nasty as a real one may be: transfers land late, in pieces, in any order and after their source's death;
 * sources are read when it suits the network; what goes to a dead peer vanishes, hangs, or is reported. Its process's
 * thread only.
 */
final class SimFabric implements Fabric {
    private static final int MAX_PIECES = 4;
    private static final long BLOCK = 4096;

    final int id;
    /** In its whole life. */
    long exposedBytes;
    int prefaults;
    /** The process is dead, and a write to its memory was dropped silently: it is read by nobody over a network. */
    boolean isDeaf;
    private final SimNetwork network;
    private final SimProcess process;
    private final int member;
    private final List<SimConnection> connections = new ArrayList<>();
    private final List<SimRegion> regions = new ArrayList<>();
    private final List<SimTransfer.Access> requests = new ArrayList<>();
    private final SimAdmissions admissions = new SimAdmissions(this);
    private final SimWaits waits;
    private int epoch;
    private long lastRequest;
    private long seenChanges;
    private boolean closed;

    SimFabric(SimNetwork network, SimProcess process, int member, int id) {
        this.network = network;
        this.process = process;
        this.member = member;
        this.id = id;
        waits = new SimWaits(process, this::isImmediate);
    }

    SimProcess process() {
        return process;
    }

    SimNetwork network() {
        return network;
    }

    SimWaits waits() {
        return waits;
    }

    int member() {
        return member;
    }

    int epoch() {
        return epoch;
    }

    boolean isClosed() {
        return closed;
    }

    private void enter(String what) {
        process.enter(what);
        if (closed) {
            throw new IllegalStateException("call=" + what + " member=" + member + ": the fabric is closed");
        }
    }

    @Override
    public FabricInfo info() {
        return new FabricInfo("sim", "1", "simulated", "network");
    }

    @Override
    public void waitWith(Wait newWait) {
        waits.with(newWait);
    }

    @Override
    public byte[] address() {
        return ByteBuffer.allocate(8).putInt(id).putInt(epoch).array();
    }

    @Override
    public boolean mustAsk(byte[] address) {
        SimFabric owner = owner(address);
        return network.asksForAddresses() && owner != null && !network.isMapped(this, owner);
    }

    @Override
    public byte[] addressFor(int peer, byte[] address) {
        SimFabric asker = owner(address);
        if (asker == null || asker.member != peer) {
            throw new MisuseException("peer=" + peer + " addressBytes=" + address.length
                + ": not an address of this peer");
        }
        admissions.ask(peer, asker);
        return ByteBuffer.allocate(12).putInt(id).putInt(epoch).putInt(asker.id).array();
    }

    /** Whose address this is; null if it is none. */
    private SimFabric owner(byte[] address) {
        return address.length >= 8 ? network.fabric(ByteBuffer.wrap(address).getInt()) : null;
    }

    /** Whether what another one has exposed is read here at once, also when its process is dead. */
    boolean hasMapped(SimFabric owner) {
        return !closed && owner != this
            && connections.stream().anyMatch(one -> one != null && one.immediate && one.target == owner);
    }

    /** Whether nothing of a process may land here any more. */
    boolean hasCutOff(SimFabric source) {
        return admissions.hasCutOff(source);
    }

    @Override
    public MemoryRegion expose(long bytes) {
        enter("expose");
        SimRegion region = network.expose(this, bytes);
        regions.add(region);
        process.left();
        return region;
    }

    @Override
    public MemoryRegion expose(long bytes, Holes holes) {
        exposedBytes -= holes.total();
        return expose(bytes);
    }

    /** Only counted: memory has no pages here. */
    @Override
    public void prefault(MemoryRegion region, long bytes) {
        if (!regions.contains(region) || bytes < 1) {
            throw new MisuseException("prefault: bytes=" + bytes + " own=" + regions.contains(region)
                + ": at least one byte of an own region");
        }
        prefaults++;
    }

    void closeRegion(SimRegion region) {
        enter("region.close");
        network.unmap(region);
        process.left();
    }

    @Override
    public boolean isImmediate(int peer) {
        return network.isImmediate(this, peer, connectionOrNull(peer));
    }

    @Override
    public void connect(int peer, byte[] address) {
        enter("connect");
        ByteBuffer buffer = ByteBuffer.wrap(address);
        boolean asked = address.length == 12;
        SimFabric target = address.length == 8 || asked ? network.fabric(buffer.getInt()) : null;
        if (target == null || peer < 0 || asked != mustAsk(address) || asked && buffer.getInt(8) != id) {
            throw new MisuseException("peer=" + peer + " addressBytes=" + address.length
                + ": not an address of this fabric, or not for this member");
        }
        admissions.requireNotRevoked(peer, target);
        admissions.connected(peer);
        while (connections.size() <= peer) {
            connections.add(null);
        }
        boolean immediate = network.connectsAtOnce(process, target.process());
        if (connections.get(peer) != null) {
            connections.get(peer).unmap();
        }
        SimConnection connection = new SimConnection(this, peer, target, buffer.getInt(), immediate,
            network.random().chance(500));
        connections.set(peer, connection);
        if (!connection.isRefused()) {
            target.admissions.comes(this);
        }
        process.left();
    }

    @Override
    public RemoteMemory attach(int peer, byte[] key) {
        enter("attach");
        waits.checkLost("attach");
        admissions.requireNotMissing(peer, "attach");
        SimConnection connection = connection(peer);
        if (connection.targetGone() || connection.isRefused() || connection.targetRenewed()) {
            throw waits.lost(peer, "attach, perhaps by an old address,");
        }
        ByteBuffer buffer = ByteBuffer.wrap(key);
        SimRegion region = buffer.remaining() == 8 && buffer.getInt() == connection.target.id
            ? network.region(buffer.getInt()) : null;
        if (region == null || region.closed) {
            throw new MisuseException("peer=" + peer + " keyBytes=" + key.length
                + ": not a key of an open region of this peer");
        }
        process.left();
        return new SimRemoteMemory(this, connection, region);
    }

    SimConnection connection(int peer) {
        SimConnection connection = connectionOrNull(peer);
        if (connection == null) {
            throw new MisuseException("peer=" + peer + ": not connected");
        }
        return connection;
    }

    @Override
    public void renew() {
        network.cutOff(this); // before anything else happens: the program's buffers may be gone
        enter("renew");
        drop();
        process.left();
    }

    @Override
    public boolean revokes() {
        return network.revokes();
    }

    @Override
    public void revoke(int peer) {
        SimConnection connection = connectionOrNull(peer);
        if (connection != null && connection.target == this) {
            throw new MisuseException("peer=" + peer + ": a member does not revoke itself");
        }
        if (connection != null) {
            network.cutOff(connection); // before anything else happens: the program's buffers may be gone
        }
        enter("revoke");
        if (connection != null) {
            connection.revoke();
            connections.set(peer, null);
            // a network that has not noticed the end of a peer has forgotten what was under way to it
            requests.stream().filter(access -> access.connection == connection).forEach(access -> access.lost = true);
        }
        admissions.revoke(peer, connection == null ? null : connection.target);
        waits.revoked(peer);
        process.left();
    }

    @Override
    public void forget(int peer) {
        enter("forget");
        admissions.connected(peer);
        process.left();
    }

    private void drop() {
        network.cutOff(this);
        epoch++;
        waits.renewed();
        admissions.renewed();
        for (SimConnection connection : connections) {
            if (connection != null) {
                connection.unmap();
            }
        }
        connections.clear();
        requests.clear();
    }

    @Override
    public int progress() {
        if (process.waited()) {
            process.pause("progress");
        } else {
            // Outside of a wait: within a long computation or copy, where a crash is another case than before or after
            // it.
            process.enter("progress");
            process.left();
        }
        int done = process.changes == seenChanges ? 0 : 1;
        seenChanges = process.changes;
        return done;
    }

    /** The connection to a peer, or null where there is none: then there are no accesses either. */
    private SimConnection connectionOrNull(int peer) {
        return peer >= 0 && peer < connections.size() ? connections.get(peer) : null;
    }

    @Override
    public void flush(int peer) {
        enter("flush");
        waits.checkLost("flush");
        admissions.requireNotMissing(peer, "flush");
        SimConnection connection = connectionOrNull(peer);
        if (connection != null && !awaitFlush(connection, true)) {
            throw SimAdmissions.loss(peer, "flush");
        }
        process.left();
    }

    @Override
    public void flushAll() {
        flushAll("flushAll", true);
    }

    @Override
    public void completeAll() {
        flushAll("completeAll", false);
    }

    private void flushAll(String what, boolean signals) {
        enter(what);
        int size = connections.size();
        for (int peer = 0; peer < size; peer++) {
            if (connections.get(peer) != null) {
                awaitFlush(connections.get(peer), signals);
            }
        }
        // whoever was waited for when it was revoked
        int firstMissing = admissions.firstMissing();
        if (firstMissing >= 0) {
            throw SimAdmissions.loss(firstMissing, what);
        }
        process.left();
    }

    /** Returns false if the peer was revoked meanwhile. */
    private boolean awaitFlush(SimConnection connection, boolean signals) {
        waits.checkLost("flush");
        boolean polls = process.hasAccessedRemotely();
        if (isPending(connection, signals)) {
            waits.begin("flush", connection.peer);
        }
        connection.awaited = true;
        while (isPending(connection, signals)) {
            waits.turn("flush of " + connection.peer);
        }
        connection.awaited = false;
        if (polls) {
            process.accessesRemotely();
        }
        if (connection.lost && !connection.revoked) {
            throw waits.lost(connection.peer, "flush");
        }
        return !connection.revoked;
    }

    private static boolean isPending(SimConnection connection, boolean signals) {
        return connection.pending > (signals ? 0 : connection.pendingSignals) && !connection.lost;
    }

    @Override
    public void flushLocal(int peer) {
        enter("flushLocal");
        waits.checkLost("flushLocal");
        admissions.requireNotMissing(peer, "flushLocal");
        SimConnection connection = connectionOrNull(peer);
        if (connection != null) {
            network.captureAll(connection);
            if (connection.pendingResults > 0) {
                waits.begin("flushLocal", peer);
            }
            while (connection.pendingResults > 0 && !connection.lost) {
                waits.turn("flushLocal of " + peer);
            }
            if (connection.lost) {
                throw connection.revoked ? SimAdmissions.loss(peer, "flushLocal") : waits.lost(peer, "flushLocal");
            }
        }
        process.left();
    }

    @Override
    public boolean test(long request) {
        process.pause("test");
        waits.checkLost("test");
        for (int i = 0; i < requests.size(); i++) {
            SimTransfer.Access access = requests.get(i);
            if (access.request == request) {
                if (!access.lost && access.openPieces > 0 && network.random().chance(200)) {
                    network.captureOne(access);
                }
                if (access.lost || access.openPieces == 0) {
                    requests.remove(i);
                    if (access.lost) {
                        throw access.connection.revoked ? SimAdmissions.loss(access.peer, "test")
                            : waits.lost(access.peer, "test");
                    }
                    return true;
                }
                return false;
            }
        }
        throw new IllegalStateException("request=" + request
            + ": was complete already, or given up by renew, or never made");
    }

    /** A handle for an access that is not complete locally. */
    long request(SimTransfer.Access access) {
        if (access.openPieces == 0) {
            return 0;
        }
        access.request = ++lastRequest;
        requests.add(access);
        return access.request;
    }

    @Override
    public long pieceBytes() {
        process.works();
        return BLOCK << network.random().below(3);
    }

    @Override
    public void copy(MemorySegment source, long sourceOffset, MemorySegment destination, long destinationOffset,
        long length) {
        enter("copy");
        long done = 0;
        for (int piece = 0; piece < MAX_PIECES && done < length; piece++) {
            long rest = length - done;
            long bytes = piece == MAX_PIECES - 1 || rest <= 8 ? rest
                : Math.min(rest, 8 * (1 + network.random().between(0, (rest + 7) / 8)));
            if (piece > 0) {
                enter("copy, piece " + piece);
            }
            MemorySegment.copy(source, sourceOffset + done, destination, destinationOffset + done, bytes);
            done += bytes;
            if (done < length) {
                process.left();
            }
        }
        process.left();
    }

    @Override
    public void close() {
        if (!closed && process.isCurrent() && !process.isOver()) {
            network.cutOff(this);
            process.enter("fabric.close");
            drop();
            closed = true;
            for (SimRegion region : regions) {
                network.unmap(region);
            }
            process.left();
        }
    }
}
