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
    private static final MemorySegment ZEROS = MemorySegment.ofArray(new byte[(int) PAGE_BYTES]);

    /** Whole pages, of which those from {@code used} on are zero. */
    private record Block(MemorySegment memory, long used) {
    }

    private final Arena arena = Arena.ofAuto();
    private final Map<Long, ArrayDeque<Block>> free = new HashMap<>();
    private final List<MemorySegment> inUse = new ArrayList<>();

    /** Zeroed, page-aligned. */
    MemorySegment allocate(long bytes) {
        long size = Math.max(PAGE_BYTES, (bytes + PAGE_BYTES - 1) & -PAGE_BYTES);
        ArrayDeque<Block> blocks = free.get(size);
        Block block = blocks == null ? null : blocks.poll();
        MemorySegment memory = block == null ? arena.allocate(size, PAGE_BYTES) : block.memory;
        if (block != null) {
            memory.asSlice(0, block.used).fill((byte) 0);
        }
        inUse.add(memory);
        return memory.asSlice(0, bytes);
    }

    /** Where the zeros begin with which memory ends: most of a log is never written to. */
    private static long used(MemorySegment memory) {
        long used = memory.byteSize();
        while (used > 0) {
            long page = (used - 1) & -PAGE_BYTES;
            if (MemorySegment.mismatch(memory, page, used, ZEROS, 0, used - page) >= 0) {
                break;
            }
            used = page;
        }
        return used;
    }

    /** Makes stale contents of closed memory visible. */
    void spoil(MemorySegment segment) {
        segment.asSlice(0, used(segment)).fill(CLOSED);
    }

    /** Takes back all blocks: no simulation may use them any more. */
    void reset() {
        for (MemorySegment memory : inUse) {
            free.computeIfAbsent(memory.byteSize(), size -> new ArrayDeque<>()).add(new Block(memory, used(memory)));
        }
        inUse.clear();
    }
}
