package org.ftrma.ucp;

/** Constants of {@code ucp/api/ucp.h} under their C names; compared with the installed headers by the layout probe. */
public final class UcpConstants {
    /** The parameter's request field is set. */
    public static final int UCP_OP_ATTR_FIELD_REQUEST = 1;
    /** The parameter's callback field is set. */
    public static final int UCP_OP_ATTR_FIELD_CALLBACK = 1 << 1;
    /** The parameter's user data field is set. */
    public static final int UCP_OP_ATTR_FIELD_USER_DATA = 1 << 2;
    /** The parameter's datatype field is set. */
    public static final int UCP_OP_ATTR_FIELD_DATATYPE = 1 << 3;
    /** The parameter's flags field is set. */
    public static final int UCP_OP_ATTR_FIELD_FLAGS = 1 << 4;
    /** The parameter's reply buffer field is set. */
    public static final int UCP_OP_ATTR_FIELD_REPLY_BUFFER = 1 << 5;
    /** The parameter's memory type field is set. */
    public static final int UCP_OP_ATTR_FIELD_MEMORY_TYPE = 1 << 6;
    /** The parameter's memory handle field is set. */
    public static final int UCP_OP_ATTR_FIELD_MEMH = 1 << 8;
    /** Always return a request. */
    public static final int UCP_OP_ATTR_FLAG_NO_IMM_CMPL = 1 << 16;
    /** Prefer an early local completion. */
    public static final int UCP_OP_ATTR_FLAG_FAST_CMPL = 1 << 17;
    /** Prefer the bandwidth of many operations to the latency of one. */
    public static final int UCP_OP_ATTR_FLAG_MULTI_SEND = 1 << 19;

    /** Atomic add. */
    public static final int UCP_ATOMIC_OP_ADD = 0;
    /** Atomic swap. */
    public static final int UCP_ATOMIC_OP_SWAP = 1;
    /**
     * Atomic compare-and-swap: the buffer holds the expected value, the reply buffer the new one, and then the old one.
     */
    public static final int UCP_ATOMIC_OP_CSWAP = 2;
    /** Atomic and. */
    public static final int UCP_ATOMIC_OP_AND = 3;
    /** Atomic or. */
    public static final int UCP_ATOMIC_OP_OR = 4;
    /** Atomic exclusive or. */
    public static final int UCP_ATOMIC_OP_XOR = 5;

    /** The endpoint parameter's error handler field is set. */
    public static final int UCP_EP_PARAM_FIELD_ERR_HANDLER = 1 << 2;
    /** The endpoint parameter's user data field is set. */
    public static final int UCP_EP_PARAM_FIELD_USER_DATA = 1 << 3;
    /** Close an endpoint without waiting for its peer. */
    public static final int UCP_EP_CLOSE_FLAG_FORCE = 1;

    /** The memory parameter's address field is set. */
    public static final int UCP_MEM_MAP_PARAM_FIELD_ADDRESS = 1;
    /** The memory parameter's length field is set. */
    public static final int UCP_MEM_MAP_PARAM_FIELD_LENGTH = 1 << 1;
    /** The memory parameter's flags field is set. */
    public static final int UCP_MEM_MAP_PARAM_FIELD_FLAGS = 1 << 2;
    /** Allocate memory instead of registering some. */
    public static final int UCP_MEM_MAP_ALLOCATE = 1 << 1;

    /** Datatype class: contiguous. */
    public static final int UCP_DATATYPE_CONTIG = 0;
    /** Bits of a datatype that hold its class. */
    public static final int UCP_DATATYPE_SHIFT = 3;
    /** Main memory. */
    public static final int UCS_MEMORY_TYPE_HOST = 0;

    private UcpConstants() {
    }

    /** The datatype of one contiguous element ({@code ucp_dt_make_contig}). */
    public static long contiguous(int elementBytes) {
        return (long) elementBytes << UCP_DATATYPE_SHIFT | UCP_DATATYPE_CONTIG;
    }
}
