package org.ftrma.ucx;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadLocalRandom;
import org.ftrma.FtrmaException;
import org.ftrma.MisuseException;
import org.ftrma.PeerLostException;
import org.ftrma.spi.Fabric;
import org.ftrma.spi.FabricInfo;
import org.ftrma.spi.Holes;
import org.ftrma.spi.MemoryLimits;
import org.ftrma.spi.MemoryRegion;
import org.ftrma.spi.RemoteMemory;
import org.ftrma.spi.Wait;
import org.ftrma.ucp.StreamingCopy;

/**
 * The fabric over UCX: jucx makes contexts, workers, endpoints, memory and keys; accesses are plain memory operations
 * where a peer's memory is mapped here, and UCX calls through the foreign function interface elsewhere.
 *
 * <p>Threads: everything is called by the data thread (the one that constructed the fabric, or to which it was handed
 * over). On the network path one daemon thread per fabric serves the accesses of others.
 *
 * <p>A failed set-up (no libucp, an unsupported version, too little memory or shared memory) is one
 * {@link FtrmaException} of category SETUP whose message names the fix.
 */
public final class UcxFabric implements Fabric {
    private static final byte[] NONE = {};
    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

    private final UcxOptions options;
    private final String version;
    private final long instance = ThreadLocalRandom.current().nextLong();
    private final HostIdentity host;
    private final List<UcxRegion> regions = new ArrayList<>();
    private final Provision provision = new Provision(this);
    private final Prefaults prefaults = new Prefaults();
    private final MappedDomain mapped;
    private final NetworkDomain network;
    private final Admission admission;
    private final Connections connections = new Connections();
    private final Refusals refusals = new Refusals();
    private final String notMapped;
    private Wait wait = new PatientWait();
    private boolean oneByOne;
    private boolean closed;

    /**
     * Loads UCX and opens its workers. Path AUTO does without mapped memory where it cannot be had: {@link #notMapped}.
     */
    public UcxFabric(UcxOptions options) {
        this.options = options;
        version = UcxRuntime.load();
        MappedDomain domain = null;
        FtrmaException refusal = null;
        try {
            domain = options.mapped() ? new MappedDomain(options.mappedTransports(), prefaults) : null;
        } catch (FtrmaException e) {
            if (options.path() == UcxOptions.Path.MAPPED) {
                throw e;
            }
            refusal = e;
        }
        mapped = domain;
        HostIdentity here = HostIdentity.ofThisProcess(options.host());
        host = mapped == null ? here.withoutMemory() : here;
        notMapped = refusal == null ? "" : refusal.getMessage();
        try {
            network = options.network() || mapped == null ? new NetworkDomain(options, wait, refusals) : null;
        } catch (RuntimeException e) {
            if (mapped != null) {
                mapped.close();
            }
            if (refusal != null) {
                e.addSuppressed(refusal);
            }
            throw e;
        }
        admission = network == null ? Admission.NONE : network.entrances();
    }

    /**
     * Does early what the first large region and the first streamed put of a process do once: finds out what processor
     * and system have, and makes the copying code. For a process that has nothing else to do yet. Any thread.
     */
    public static void preload() {
        // What these return is found out when their classes are initialized.
        StreamingCopy.isAvailable();
        LastLevelCache.bytes();
        HugePages.areAvailable();
    }

    @Override
    public boolean isImmediate(int peer) {
        Connection connection = connections.find(peer);
        return network == null || connection != null && connection.network == null
            && connection.address.host().sharesMemoryWith(host);
    }

    /** The pool that every process has, of daemon threads; nothing where there is one processor. */
    @Override
    public Executor helper() {
        return PROCESSORS > 1 ? ForkJoinPool.commonPool() : null;
    }

    /**
     * Why path AUTO goes over the network alone, since memory cannot be mapped between processes here; empty if it does
     * not.
     */
    public String notMapped() {
        return notMapped;
    }

    /** The version of UCX that is used here; a FtrmaException of category SETUP if there is none. */
    public static String ucxVersion() {
        return UcxRuntime.load();
    }

    @Override
    public FabricInfo info() {
        String transports = mapped == null ? network.transports()
            : network == null ? mapped.transports() : mapped.transports() + "," + network.transports();
        return new FabricInfo("ucx", version, transports,
            connections.pathInUse(network == null, mapped == null));
    }

    @Override
    public void waitWith(Wait newWait) {
        wait = newWait;
        if (network != null) {
            network.operations().waitWith(newWait);
        }
    }

    /**
     * From now on this member lets in each peer by an address of its own, which is to be asked for, so that one can be
     * revoked; before {@link #address} is called.
     */
    public void letInOneByOne() {
        oneByOne = true;
    }

    /**
     * Whoever waits for what others' accesses bring may need the core of the thread that serves them: there are fewer
     * cores than such threads. Before {@link #address} is called.
     */
    public void giveWay() {
        admission.giveWay();
    }

    @Override
    public byte[] address() {
        byte[] worker = oneByOne ? NONE : admission.addressForAll();
        return new AddressDescriptor(host, instance, worker).encode();
    }

    @Override
    public boolean mustAsk(byte[] address) {
        AddressDescriptor owner = AddressDescriptor.decode(address);
        return admission.isOpen() && owner.worker().length == 0 && !owner.host().sharesMemoryWith(host);
    }

    @Override
    public byte[] addressFor(int peer, byte[] address) {
        AddressDescriptor asker = AddressDescriptor.decode(address);
        return asker.host().sharesMemoryWith(host) ? address()
            : new AddressDescriptor(host, instance, admission.addressFor(peer, asker.instance())).encode();
    }

    /**
     * Regions exposed or attached from now on can be used at once, while their pages are still being faulted in: a
     * process that replaces another is awaited. A lack of memory then shows late: the check before the allocation is
     * all there is. Only shared memory.
     */
    public void prefaultInBackground() {
        prefaults.later();
    }

    /**
     * Exposes regions ahead: each is handed out by the first {@link #expose} of its size. Ends quietly where memory is
     * short.
     *
     * @param sizes bytes of each region
     * @param ofLast what the last one has that may never be used
     */
    public void provision(long[] sizes, Holes ofLast) {
        provision.add(sizes, ofLast);
    }

    /**
     * The same for a region that {@link #exposeLazily} hands out.
     *
     * @param bytes of the region
     * @param aheadBytes how much of its beginning gets its pages now, in the background
     */
    public void provisionLazily(long bytes, long aheadBytes) {
        provision.addLazy(bytes, aheadBytes);
    }

    @Override
    public MemoryLimits room() {
        return HostMemory.here().room(mapped != null && mapped.usesSystemV(), mapped != null && mapped.usesFiles());
    }

    @Override
    public MemoryRegion expose(long bytes) {
        return expose(bytes, Holes.NONE);
    }

    @Override
    public MemoryRegion expose(long bytes, Holes holes) {
        return provision.expose(bytes, holes);
    }

    @Override
    public MemoryRegion exposeLazily(long bytes) {
        return provision.exposeLazily(bytes);
    }

    @Override
    public boolean isFaulting() {
        return prefaults.areRunning();
    }

    @Override
    public void prefault(MemoryRegion region, long bytes) {
        if (mapped != null) {
            prefaults.add(region.segment().address(), Math.min(bytes, region.segment().byteSize()));
        }
    }

    UcxRegion allocate(long bytes, Holes holes) {
        if (bytes <= 0) {
            throw new MisuseException("bytes=" + bytes + ": a region has at least one byte");
        }
        long allocatedBytes = Pages.roundUp(bytes);
        UcxMemory allocated = mapped == null ? network.allocate(allocatedBytes, holes)
            : mapped.allocate(allocatedBytes, holes);
        UcxMemory registered = mapped == null || network == null ? null
            : network.register(allocated.address(), allocatedBytes);
        byte[] mappedKey = mapped == null ? NONE : allocated.packKey();
        byte[] networkKey = network == null ? NONE : (registered == null ? allocated : registered).packKey();
        byte[] key = new KeyDescriptor(allocated.address(), bytes, mappedKey, networkKey).encode();
        UcxRegion region = new UcxRegion(allocated, registered, bytes, key, this::closing);
        regions.add(region);
        return region;
    }

    private void closing(UcxRegion region) {
        regions.remove(region);
        prefaults.forget(region.segment().address(), Pages.roundUp(region.segment().byteSize()));
    }

    @Override
    public void connect(int peer, byte[] address) {
        AddressDescriptor descriptor = AddressDescriptor.decode(address);
        refusals.require(peer, descriptor.instance());
        Connection before = connections.find(peer);
        if (before != null) {
            drop(before);
        }
        connections.put(new Connection(peer, descriptor));
    }

    @Override
    public RemoteMemory attach(int peer, byte[] key) {
        Connection connection = connections.get(peer);
        KeyDescriptor descriptor = KeyDescriptor.decode(key);
        boolean self = connection.address.instance() == instance;
        if (!self && connection.address.host().isGoneFor(host)) {
            throw lost(peer, "peer=" + peer + " is gone: process " + connection.address.host().pid() + " has ended");
        }
        if (descriptor.mapped().length > 0 && connection.address.host().sharesMemoryWith(host)) {
            return self ? attachOwn(connection, descriptor) : attachMapped(connection, descriptor);
        }
        if (network == null || descriptor.network().length == 0) {
            throw new FtrmaException(FtrmaException.Category.SETUP,
                "peer=" + peer + " has no memory in common with this process"
                + (notMapped.isEmpty() ? "" : " (" + notMapped + ")") + ", and path=" + options.path()
                + " networkDevices="
                + options.networkDevices() + " here or there allows no other way: use path NETWORK on all ranks,"
                + " over a device that joins their hosts if there are several");
        }
        if (connection.address.worker().length == 0) {
            throw new MisuseException("peer=" + peer + ": the address that it tells all lets nobody in: ask it for the"
                + " one for this member");
        }
        if (connection.network == null) {
            connection.network = network.connect(peer, connection.address.worker());
        }
        connection.attachedNetwork = true;
        return network.attach(connection.network, descriptor);
    }

    /**
     * The own memory is here already, where its owner uses it; mapping it once more would only cost address space and
     * page tables.
     */
    private RemoteMemory attachOwn(Connection connection, KeyDescriptor key) {
        for (UcxRegion region : regions) {
            if (region.address() == key.address()) {
                return connection.opened(MappedDomain.segment(region.segment().address(), key.bytes(),
                    connection.arena));
            }
        }
        throw new MisuseException("address=" + key.address() + " bytes=" + key.bytes()
            + ": this region of the own rank was closed");
    }

    private RemoteMemory attachMapped(Connection connection, KeyDescriptor key) {
        MappedDomain.Mapping mapping = mapped.map(key);
        if (mapping == null) {
            throw lost(connection.peer,
                "peer=" + connection.peer + ": its memory cannot be mapped: it has ended, or closed the region");
        }
        return connection.opened(mapping);
    }

    private PeerLostException lost(int peer, String message) {
        PeerLostException loss = new PeerLostException(peer, message);
        wait.lost(loss);
        return loss;
    }

    private void drop(Connection connection) {
        connections.remove(connection.peer);
        connection.closeMemories();
        if (connection.network != null) {
            network.disconnect(connection.network);
        }
    }

    @Override
    public void renew() {
        dropConnections();
        if (network != null) {
            network.renew();
        }
    }

    @Override
    public boolean revokes() {
        return admission.isOpen() && oneByOne;
    }

    @Override
    public void revoke(int peer) {
        // Who was revoked may have asked again since, by another process that this member has never connected to.
        boolean isMissing = connections.isMissing(peer);
        Connection connection = connections.find(peer);
        if (connection != null && connection.address.instance() == instance) {
            throw new MisuseException("peer=" + peer + ": a member does not revoke itself");
        }
        boolean isMapped = connection != null && connection.address.host().sharesMemoryWith(host);
        if (!isMapped && !isMissing && admission.letAllIn()) {
            throw new MisuseException("peer=" + peer
                + ": it may have come by the address that lets all in: only renew cuts it off");
        }
        if (connection != null) {
            revoke(connection);
            connections.revoked(peer);
        }
        if (admission.revoke(peer)) {
            connections.revoked(peer);
        }
    }

    /** Accesses under way come first: the caller's memory may be gone. */
    private void revoke(Connection connection) {
        if (connection.network != null) {
            network.revoke(connection.network);
            connection.network = null;
        }
        connection.memories.forEach(MappedMemory::revoke);
        refusals.add(connection.address.instance());
        drop(connection);
    }

    @Override
    public void forget(int peer) {
        connections.forget(peer);
    }

    private void dropConnections() {
        connections.forEach(this::drop);
        connections.renewed();
    }

    @Override
    public int progress() {
        return network == null ? 0 : network.operations().progress();
    }

    @Override
    public void flush(int peer) {
        NetworkPeer connected = networkPeer(peer);
        if (connected != null) {
            network.operations().flush(connected);
        } else {
            connections.requireNotMissing(peer);
        }
        VarHandle.fullFence();
    }

    @Override
    public void flushAll() {
        flushAll(true);
    }

    @Override
    public void completeAll() {
        flushAll(false);
    }

    private void flushAll(boolean signals) {
        if (network != null) {
            network.flushAll(signals);
        }
        VarHandle.fullFence();
        connections.requireNoneMissing();
    }

    @Override
    public void flushLocal(int peer) {
        NetworkPeer connected = networkPeer(peer);
        if (connected != null) {
            network.operations().flushLocal(connected);
        } else {
            connections.requireNotMissing(peer);
        }
    }

    /** The network connection to a peer, or null: there may be none, and then there is nothing to flush. */
    private NetworkPeer networkPeer(int peer) {
        Connection connection = connections.find(peer);
        return connection == null ? null : connection.network;
    }

    @Override
    public boolean test(long request) {
        return request == 0 || network.operations().test(request);
    }

    @Override
    public void copy(MemorySegment source, long sourceOffset, MemorySegment destination, long destinationOffset,
        long length) {
        MemorySegment.copy(source, sourceOffset, destination, destinationOffset, length);
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        dropConnections();
        if (network != null) {
            network.closeWorkersOnly();
        }
        List.copyOf(regions).forEach(UcxRegion::close);
        if (network != null) {
            network.close();
        }
        prefaults.close();
        if (mapped != null) {
            mapped.close();
        }
    }
}
