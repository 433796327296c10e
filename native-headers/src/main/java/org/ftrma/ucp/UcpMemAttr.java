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
 * {@code ucp_mem_attr_t}: what UCX tells of memory.
 *
 * <pre>
 *   0 field_mask (u64)     8 address         16 length         24 mem_type (int), padding      32 end
 * </pre>
 */
public final class UcpMemAttr {
    /** The struct. Pointers are given as {@code long}, see {@link Ucp}. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
        JAVA_LONG.withName("field_mask"),
        JAVA_LONG.withName("address"),
        JAVA_LONG.withName("length"),
        JAVA_INT.withName("mem_type"),
        MemoryLayout.paddingLayout(4)).withName("ucp_mem_attr_t");

    private static final VarHandle FIELD_MASK = LAYOUT.varHandle(PathElement.groupElement("field_mask"));
    private static final VarHandle ADDRESS = LAYOUT.varHandle(PathElement.groupElement("address"));

    private UcpMemAttr() {
    }

    /** Asks for the address. */
    public static MemorySegment askingForAddress(SegmentAllocator allocator) {
        MemorySegment attr = allocator.allocate(LAYOUT).fill((byte) 0);
        FIELD_MASK.set(attr, 0L, (long) UcpConstants.UCP_MEM_ATTR_FIELD_ADDRESS);
        return attr;
    }

    /** The address, once it was asked for. */
    public static long address(MemorySegment attr) {
        return (long) ADDRESS.get(attr, 0L);
    }
}
