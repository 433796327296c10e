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

/** Memory that UCX allocated or registered. Data thread only. */
final class UcxMemory implements AutoCloseable {
    private final UcpMemory memory;

    private UcxMemory(UcpContext context, UcpMemMapParams params, String what) {
        try {
            memory = context.memoryMap(params);
        } catch (UcxException e) {
            throw new FtrmaException(FtrmaException.Category.SETUP, what + ": " + e.getMessage(), e);
        }
    }

    /**
     * Memory of UCX's own, or a SETUP exception with what UCX says.
     *
     * @param dear whether allocating takes long, so that it is not tried first: the caller has made sure that there is room
     */
    static UcxMemory allocate(UcpContext context, long bytes, boolean dear) {
        String what = "allocating " + bytes + " bytes";
        if (!dear) {
            tryOut(context, bytes, what);
        }
        return new UcxMemory(context, new UcpMemMapParams().setLength(bytes).allocate(), what);
    }

    /** Memory that is there already. */
    static UcxMemory register(UcpContext context, long address, long bytes) {
        return new UcxMemory(context, new UcpMemMapParams().setAddress(address).setLength(bytes), "registering " + bytes + " bytes");
    }

    /**
     * Where UCX refuses memory, jucx asks it for the attributes of a handle that was never set, which can crash; so UCX is asked for the memory
     * once before.
     */
    private static void tryOut(UcpContext context, long bytes, String what) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(ValueLayout.JAVA_LONG);
            byte status = Ucp.memMap(context.getNativeId(), org.ftrma.ucp.UcpMemMapParams.allocating(bytes, arena), result);
            if (status != UcsStatus.UCS_OK) {
                throw new FtrmaException(FtrmaException.Category.SETUP, what + ": " + UcxRuntime.describe(status));
            }
            Ucp.memUnmap(context.getNativeId(), result.get(ValueLayout.JAVA_LONG, 0));
        }
    }

    long address() {
        return memory.getAddress();
    }

    /** What a peer needs to reach it. */
    byte[] packKey() {
        return UcxRuntime.bytes(memory.getRemoteKeyBuffer());
    }

    @Override
    public void close() {
        memory.close();
    }
}
