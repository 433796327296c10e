package org.ftrma.ucx;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ftrma.FtrmaException;
import org.ftrma.spi.Holes;
import org.ftrma.ucp.PrivateSegments;
import org.ftrma.ucp.Ucp;
import org.ftrma.ucp.UcsStatus;
import org.openucx.jucx.UcxException;
import org.openucx.jucx.ucp.UcpContext;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucp.UcpEndpointParams;
import org.openucx.jucx.ucp.UcpParams;
import org.openucx.jucx.ucp.UcpRemoteKey;
import org.openucx.jucx.ucp.UcpWorker;

/**
 * Shared memory of one host: allocates it, and maps that of peers by their keys ({@code ucp_rkey_ptr}). Data thread
 * only.
 *
 * <p>A key of shared memory says all that mapping needs, whoever owns it, but UCX unpacks keys only with an endpoint.
 * One endpoint to the own worker serves for all: there is no connection to a peer that could hang, fail, or have to be
 * closed when the peer dies.
 *
 * <p>System V memory is the default because its segments are marked for removal right after they were created and have
 * no name, so a kill leaves nothing behind; a posix segment of UCX 1.13 has a name in /dev/shm until it was filled with
 * zeros, half a second for 256 MiB.
 */
@SuppressWarnings("restricted")
final class MappedDomain implements AutoCloseable {
    /** What the worker's own queues take, roughly. */
    private static final long OWN_BYTES = 1 << 20;
    private static final long PROBE = 0x0123_4567_89ab_cdefL;

    private final String transports;
    private final UcpContext context;
    private UcpWorker worker;
    private UcpEndpoint loopback;
    private final Prefaults prefaults;
    /** Why {@link #map} refused last. */
    private byte refusal;

    /**
     * Opens the domain, and shows that memory can be allocated here and mapped by its key; a FtrmaException of category
     * SETUP if not.
     */
    MappedDomain(String transports, Prefaults prefaults) {
        this.transports = transports;
        this.prefaults = prefaults;
        if (usesFiles()) {
            Pages.requireSharedMemoryFiles(OWN_BYTES);
        }
        if (usesSystemV() && !PrivateSegments.install()) {
            throw new FtrmaException(FtrmaException.Category.SETUP, "shared memory of UCX_TLS=" + transports
                + " would be open to other users of the same group: libucs.so.0 does not import shmget");
        }
        UcpParams params = new UcpParams().requestRmaFeature().requestAtomic32BitFeature().requestAtomic64BitFeature()
            .setConfig("TLS", transports)
            // Allocation must not fall back to memory that peers cannot map.
            .setConfig("ALLOC_PRIO", "md:sysv,md:posix")
            .setConfig("SYSV_HUGETLB_MODE", "n").setConfig("POSIX_HUGETLB_MODE", "n")
            // The worker's own receive queue is never used: 64 KiB instead of 4 MiB.
            .setConfig("SYSV_RX_BUFS_GROW", "8").setConfig("POSIX_RX_BUFS_GROW", "8");
        try {
            context = new UcpContext(params);
        } catch (UcxException e) {
            throw UcxRuntime.setupFailed("UCX context with UCX_TLS=" + transports, e);
        }
        try {
            worker = context.newWorker(new OneThreadAtATime());
            loopback = worker.newEndpoint(new UcpEndpointParams()
                .setUcpAddress(UcxRuntime.direct(UcxRuntime.bytes(worker.getAddress()))));
        } catch (UcxException e) {
            close();
            throw refused(OWN_BYTES, e);
        }
        try {
            probe();
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Does with a page what peers do with windows. */
    private void probe() {
        UcxMemory memory = allocate(Pages.PAGE_BYTES, Holes.NONE);
        try (Arena arena = Arena.ofConfined()) {
            Mapping mapping = map(new KeyDescriptor(memory.address(), Pages.PAGE_BYTES, memory.packKey(), new byte[0]));
            if (mapping == null) {
                throw new FtrmaException(FtrmaException.Category.SETUP, "shared memory of UCX_TLS=" + transports
                    + " cannot be mapped by its key (ucp_rkey_ptr): " + UcxRuntime.describe(refusal));
            }
            mapping.segment(arena).set(ValueLayout.JAVA_LONG, 0, PROBE);
            MemorySegment own = segment(memory.localAddress(), Long.BYTES, arena);
            long arrived = own.get(ValueLayout.JAVA_LONG, 0);
            mapping.close();
            if (arrived != PROBE) {
                throw new FtrmaException(FtrmaException.Category.SETUP, "shared memory of UCX_TLS=" + transports
                    + ": what is written to a mapped page does not arrive in it");
            }
        } finally {
            memory.close();
        }
    }

    String transports() {
        return transports;
    }

    boolean usesSystemV() {
        return transports.contains("sysv");
    }

    boolean usesFiles() {
        return transports.contains("posix");
    }

    /** @param holes where pages come when they are first touched */
    UcxMemory allocate(long bytes, Holes holes) {
        Pages.requireAvailable(bytes);
        if (usesFiles()) {
            Pages.requireSharedMemoryFiles(bytes);
        }
        UcxMemory memory;
        try {
            memory = UcxMemory.allocateShared(context, bytes);
        } catch (FtrmaException e) {
            throw refused(bytes, e);
        }
        try {
            Pages.preferHuge(memory.localAddress(), bytes);
            prefaults.prepare(holes, memory.localAddress(), bytes, bytes > OWN_BYTES);
            return memory;
        } catch (FtrmaException e) {
            memory.close();
            throw e;
        }
    }

    private FtrmaException refused(long bytes, RuntimeException e) {
        return new FtrmaException(FtrmaException.Category.SETUP,
            "shared memory: requested=" + bytes + " UCX_TLS=" + transports + ": "
            + e.getMessage() + ": " + Pages.sharedMemoryLimits(), e);
    }

    /** Maps a peer's region; null if it cannot be mapped: it is gone, or lies elsewhere. */
    Mapping map(KeyDescriptor key) {
        UcpRemoteKey remote = UcxKeys.unpack(loopback, key.mapped(), status -> refusal = status);
        if (remote == null) {
            return null;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(ValueLayout.JAVA_LONG);
            refusal = Ucp.rkeyPtr(remote.getNativeId(), key.address(), result);
            if (refusal != UcsStatus.UCS_OK) {
                remote.close();
                return null;
            }
            long address = result.get(ValueLayout.JAVA_LONG, 0);
            return new Mapping(remote, address, key.bytes(), HugePages.aligned(address, key.bytes()));
        }
    }

    /** Memory that is mapped here. */
    static MemorySegment segment(long address, long bytes, Arena arena) {
        return MemorySegment.ofAddress(address).reinterpret(bytes, arena, null);
    }

    /**
     * A peer's region in this address space.
     *
     * @param key closing it unmaps the memory
     * @param address where UCX mapped it
     * @param bytes its size
     * @param aligned where it is used
     */
    record Mapping(UcpRemoteKey key, long address, long bytes, long aligned) {
        MemorySegment segment(Arena arena) {
            return MappedDomain.segment(aligned, bytes, arena);
        }

        void close() {
            try (key) {
                HugePages.unmap(address, bytes, aligned);
            }
        }
    }

    @Override
    public void close() {
        if (loopback != null) {
            loopback.close();
            loopback = null;
        }
        if (worker != null) {
            worker.close();
            worker = null;
        }
        context.close();
    }
}
