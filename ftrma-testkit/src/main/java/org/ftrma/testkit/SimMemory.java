package org.ftrma.testkit;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The memory that simulated processes expose. It is never unmapped while a simulation runs, so that an access to memory that was closed is found by
 * the simulator and does not hit the JVM; blocks are used again by later simulations. One simulation at a time.
 */
final class SimMemory {
    private static final long PAGE_BYTES = 4096;
    private static final byte CLOSED = (byte) 0xDB;

    private final Arena arena = Arena.ofAuto();
    private final Map<Long, ArrayDeque<MemorySegment>> free = new HashMap<>();
    private final List<MemorySegment> used = new ArrayList<>();

    /** Zeroed, page-aligned. */
    MemorySegment allocate(long bytes) {
        long size = Math.max(PAGE_BYTES, (bytes + PAGE_BYTES - 1) & -PAGE_BYTES);
        ArrayDeque<MemorySegment> blocks = free.get(size);
        MemorySegment block = blocks == null ? null : blocks.poll();
        if (block == null) {
            block = arena.allocate(size, PAGE_BYTES);
        }
        used.add(block);
        MemorySegment segment = block.asSlice(0, bytes);
        segment.fill((byte) 0);
        return segment;
    }

    /** Makes stale contents of closed memory visible. */
    void spoil(MemorySegment segment) {
        segment.fill(CLOSED);
    }

    /** Takes back all blocks: no simulation may use them any more. */
    void reset() {
        for (MemorySegment block : used) {
            free.computeIfAbsent(block.byteSize(), size -> new ArrayDeque<>()).add(block);
        }
        used.clear();
    }
}
