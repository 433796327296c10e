package org.ftrma.ucx;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ftrma.FtrmaException;
import org.ftrma.ucp.Ucp;
import org.ftrma.ucp.UcsStatus;
import org.openucx.jucx.UcxException;
import org.openucx.jucx.ucp.UcpContext;
import org.openucx.jucx.ucp.UcpMemMapParams;
import org.openucx.jucx.ucp.UcpMemory;

/**
 * Memory that UCX allocated or registered. Where UCX refuses memory, jucx asks it for the attributes of a handle that
 * was never set, which can crash; so UCX is asked for the memory once before. (Two processes that ask for the last of
 * it at the same moment can still meet that.) Data thread only.
 */
final class UcxMemory implements AutoCloseable {
    private final UcpMemory memory;
    private final long localAddress;
    private final long sharedBytes;

    private UcxMemory(UcpContext context, UcpMemMapParams params, String what, long sharedBytes) {
        try {
            memory = context.memoryMap(params);
        } catch (UcxException e) {
            throw refused(what, e);
        }
        this.sharedBytes = sharedBytes;
        localAddress = HugePages.aligned(memory.getAddress(), sharedBytes);
    }

    private static FtrmaException refused(String what, UcxException e) {
        return new FtrmaException(FtrmaException.Category.SETUP, what + ": " + e.getMessage(), e);
    }

    /** Memory of UCX's own that other processes can map, or a SETUP exception with what UCX says. */
    static UcxMemory allocateShared(UcpContext context, long bytes) {
        return allocate(context, bytes, bytes);
    }

    /** Memory of UCX's own, or a SETUP exception with what UCX says. */
    static UcxMemory allocate(UcpContext context, long bytes) {
        return allocate(context, bytes, 0);
    }

    private static UcxMemory allocate(UcpContext context, long bytes, long sharedBytes) {
        String what = "allocating " + bytes + " bytes";
        try (Arena arena = Arena.ofConfined()) {
            long tried = ask(context, org.ftrma.ucp.UcpMemMapParams.allocating(bytes, arena), what, arena);
            Ucp.memUnmap(context.getNativeId(), tried);
        }
        return new UcxMemory(context, new UcpMemMapParams().setLength(bytes).allocate(), what, sharedBytes);
    }

    /** Memory that is there already, or a SETUP exception. */
    static UcxMemory register(UcpContext context, long address, long bytes) {
        String what = "registering " + bytes + " bytes";
        try (Arena arena = Arena.ofConfined()) {
            long tried = ask(context, org.ftrma.ucp.UcpMemMapParams.registering(address, bytes, arena), what, arena);
            try {
                return new UcxMemory(context, new UcpMemMapParams().setAddress(address).setLength(bytes), what, 0);
            } finally {
                Ucp.memUnmap(context.getNativeId(), tried);
            }
        }
    }

    private static long ask(UcpContext context, MemorySegment params, String what, Arena arena) {
        MemorySegment result = arena.allocate(ValueLayout.JAVA_LONG);
        byte status = Ucp.memMap(context.getNativeId(), params, result);
        if (status != UcsStatus.UCS_OK) {
            throw new FtrmaException(FtrmaException.Category.SETUP, what + ": " + UcxRuntime.describe(status));
        }
        return result.get(ValueLayout.JAVA_LONG, 0);
    }

    /** What its keys are about. */
    long address() {
        return memory.getAddress();
    }

    /** Where its owner uses it. */
    long localAddress() {
        return localAddress;
    }

    /** What a peer needs to reach it. */
    byte[] packKey() {
        try {
            return UcxRuntime.bytes(memory.getRemoteKeyBuffer());
        } catch (UcxException e) {
            throw refused("packing a key", e);
        }
    }

    /** Gives it back; what UCX says to that helps nobody. */
    @Override
    public void close() {
        try (memory) {
            HugePages.unmap(memory.getAddress(), sharedBytes, localAddress);
        } catch (UcxException e) {
            Thread.onSpinWait();
        }
    }
}
