package org.ftrma.ucx;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ftrma.FtrmaException;
import org.ftrma.ucp.Ucp;
import org.ftrma.ucp.UcpMemAttr;
import org.ftrma.ucp.UcpMemMapParams;
import org.ftrma.ucp.UcsStatus;
import org.openucx.jucx.ucp.UcpContext;

/**
 * Memory that UCX allocated or registered. Not by jucx, which goes on with a handle that does not exist when the allocation is refused, and
 * crashes. Data thread only.
 */
@SuppressWarnings("restricted")
final class UcxMemory implements AutoCloseable {
    private final long context;
    private final long handle;
    private final long address;

    private UcxMemory(long context, long handle, long address) {
        this.context = context;
        this.handle = handle;
        this.address = address;
    }

    /** Memory of UCX's own, or a SETUP exception with what UCX says. */
    static UcxMemory allocate(UcpContext context, long bytes) {
        try (Arena arena = Arena.ofConfined()) {
            return map(context.getNativeId(), UcpMemMapParams.allocating(bytes, arena), "allocating " + bytes + " bytes", arena);
        }
    }

    /** Memory that is there already. */
    static UcxMemory register(UcpContext context, long address, long bytes) {
        try (Arena arena = Arena.ofConfined()) {
            return map(context.getNativeId(), UcpMemMapParams.registering(address, bytes, arena), "registering " + bytes + " bytes", arena);
        }
    }

    private static UcxMemory map(long context, MemorySegment params, String what, Arena arena) {
        MemorySegment result = arena.allocate(ValueLayout.JAVA_LONG);
        check(Ucp.memMap(context, params, result), what);
        long handle = result.get(ValueLayout.JAVA_LONG, 0);
        MemorySegment attr = UcpMemAttr.askingForAddress(arena);
        byte status = Ucp.memQuery(handle, attr);
        if (status != UcsStatus.UCS_OK) {
            Ucp.memUnmap(context, handle);
            check(status, what);
        }
        return new UcxMemory(context, handle, UcpMemAttr.address(attr));
    }

    private static void check(byte status, String what) {
        if (status != UcsStatus.UCS_OK) {
            throw new FtrmaException(FtrmaException.Category.SETUP, what + ": " + UcxRuntime.describe(status));
        }
    }

    long address() {
        return address;
    }

    /** What a peer needs to reach it. */
    byte[] packKey() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(ValueLayout.JAVA_LONG);
            MemorySegment length = arena.allocate(ValueLayout.JAVA_LONG);
            check(Ucp.rkeyPack(context, handle, buffer, length), "packing a key");
            long packed = buffer.get(ValueLayout.JAVA_LONG, 0);
            byte[] key = MemorySegment.ofAddress(packed).reinterpret(length.get(ValueLayout.JAVA_LONG, 0)).toArray(ValueLayout.JAVA_BYTE);
            Ucp.rkeyBufferRelease(packed);
            return key;
        }
    }

    @Override
    public void close() {
        Ucp.memUnmap(context, handle);
    }
}
