package org.ftrma.ucp;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.StructLayout;
import java.lang.invoke.VarHandle;

/**
 * {@code ucp_request_param_t}: how an operation is to be done. Allocated once for each kind of operation and reused;
 * UCX reads it only during the call.
 *
 * <pre>
 *   0 op_attr_mask (u32)   4 flags (u32)
 *   8 request             16 cb             24 datatype      32 user_data
 *  40 reply_buffer        48 memory_type (int), padding      56 recv_info    64 memh          72 end
 * </pre>
 */
public final class UcpRequestParam {
    /** The struct. Pointers are given as {@code long}, see {@link Ucp}. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
        JAVA_INT.withName("op_attr_mask"),
        JAVA_INT.withName("flags"),
        JAVA_LONG.withName("request"),
        JAVA_LONG.withName("cb"),
        JAVA_LONG.withName("datatype"),
        JAVA_LONG.withName("user_data"),
        JAVA_LONG.withName("reply_buffer"),
        JAVA_INT.withName("memory_type"),
        MemoryLayout.paddingLayout(4),
        JAVA_LONG.withName("recv_info"),
        JAVA_LONG.withName("memh")).withName("ucp_request_param_t");

    private static final VarHandle OP_ATTR_MASK = LAYOUT.varHandle(PathElement.groupElement("op_attr_mask"));
    private static final VarHandle FLAGS = LAYOUT.varHandle(PathElement.groupElement("flags"));
    private static final VarHandle DATATYPE = LAYOUT.varHandle(PathElement.groupElement("datatype"));
    private static final VarHandle REPLY_BUFFER = LAYOUT.varHandle(PathElement.groupElement("reply_buffer"));
    private static final VarHandle MEMORY_TYPE = LAYOUT.varHandle(PathElement.groupElement("memory_type"));

    private UcpRequestParam() {
    }

    /** A parameter block with every field zero: no options. */
    public static MemorySegment allocate(SegmentAllocator allocator) {
        return allocator.allocate(LAYOUT).fill((byte) 0);
    }

    /** Which fields and options count, see the {@code UCP_OP_ATTR} constants. */
    public static void attributeMask(MemorySegment param, int mask) {
        OP_ATTR_MASK.set(param, 0L, mask);
    }

    /** Flags of the operation itself, such as {@link UcpConstants#UCP_EP_CLOSE_FLAG_FORCE}. */
    public static void flags(MemorySegment param, int flags) {
        FLAGS.set(param, 0L, flags);
    }

    /** The element type, for atomic operations {@link UcpConstants#contiguous} of 4 or 8. */
    public static void datatype(MemorySegment param, long datatype) {
        DATATYPE.set(param, 0L, datatype);
    }

    /** Address of the memory for a fetched value. */
    public static void replyBuffer(MemorySegment param, long address) {
        REPLY_BUFFER.set(param, 0L, address);
    }

    /** The kind of memory of the local buffer; spares its detection. */
    public static void memoryType(MemorySegment param, int type) {
        MEMORY_TYPE.set(param, 0L, type);
    }
}
