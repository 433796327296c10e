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
 * {@code ucp_mem_map_params_t}: which memory to allocate or to register.
 *
 * <pre>
 *   0 field_mask (u64)     8 address         16 length
 *  24 flags (u32)         28 prot (u32)      32 memory_type (int), padding     40 end
 * </pre>
 */
public final class UcpMemMapParams {
    /** The struct. Pointers are given as {@code long}, see {@link Ucp}. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
        JAVA_LONG.withName("field_mask"),
        JAVA_LONG.withName("address"),
        JAVA_LONG.withName("length"),
        JAVA_INT.withName("flags"),
        JAVA_INT.withName("prot"),
        JAVA_INT.withName("memory_type"),
        MemoryLayout.paddingLayout(4)).withName("ucp_mem_map_params_t");

    private static final VarHandle FIELD_MASK = LAYOUT.varHandle(PathElement.groupElement("field_mask"));
    private static final VarHandle ADDRESS = LAYOUT.varHandle(PathElement.groupElement("address"));
    private static final VarHandle LENGTH = LAYOUT.varHandle(PathElement.groupElement("length"));
    private static final VarHandle FLAGS = LAYOUT.varHandle(PathElement.groupElement("flags"));

    private UcpMemMapParams() {
    }

    /** Memory that UCX allocates. */
    public static MemorySegment allocating(long lengthBytes, SegmentAllocator allocator) {
        MemorySegment params = allocator.allocate(LAYOUT).fill((byte) 0);
        FIELD_MASK.set(params, 0L, (long) (UcpConstants.UCP_MEM_MAP_PARAM_FIELD_LENGTH
            | UcpConstants.UCP_MEM_MAP_PARAM_FIELD_FLAGS));
        LENGTH.set(params, 0L, lengthBytes);
        FLAGS.set(params, 0L, UcpConstants.UCP_MEM_MAP_ALLOCATE);
        return params;
    }

    /** Memory that is there already. */
    public static MemorySegment registering(long address, long lengthBytes, SegmentAllocator allocator) {
        MemorySegment params = allocator.allocate(LAYOUT).fill((byte) 0);
        FIELD_MASK.set(params, 0L, (long) (UcpConstants.UCP_MEM_MAP_PARAM_FIELD_ADDRESS
            | UcpConstants.UCP_MEM_MAP_PARAM_FIELD_LENGTH));
        ADDRESS.set(params, 0L, address);
        LENGTH.set(params, 0L, lengthBytes);
        return params;
    }
}
