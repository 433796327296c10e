package org.ftrma.ucx;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.ftrma.ucp.UcpConstants;
import org.ftrma.ucp.UcpRequestParam;

/** The parameter blocks of all operations, made once. Data thread only. */
final class OperationParams {
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
