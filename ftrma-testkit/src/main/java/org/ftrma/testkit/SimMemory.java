package org.ftrma.testkit;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ftrma.ucp.Libc;

/**
 * The memory that simulated processes expose. It is never unmapped while a simulation runs, so that an access to memory that was closed is found by
 * the simulator and does not hit the JVM; blocks are used again by later simulations. Most of a log is never written to: which pages were is left to
 * the system. One simulation at a time.
 */
@SuppressWarnings("restricted")
final class SimMemory {
    private static final byte CLOSED = (byte) 0xDB;
    /** A larger block may have pages that nobody ever touched. */
    private static final long LITTLE_BYTES = 4 * Libc.PAGE_BYTES;
    /** A block keeps one page in so many. */
    private static final long MOST_TOUCHED = 4;

    private final Arena arena = Arena.ofAuto();
    /** Zeroed blocks of whole pages, by size. */
    private final Map<Long, ArrayDeque<MemorySegment>> free = new HashMap<>();
    private final List<MemorySegment> inUse = new ArrayList<>();
    private MemorySegment touched = MemorySegment.NULL;

    /** Zeroed, page-aligned. */
    MemorySegment allocate(long bytes) {
        long size = Math.max(Libc.PAGE_BYTES, (bytes + Libc.PAGE_BYTES - 1) & -Libc.PAGE_BYTES);
        ArrayDeque<MemorySegment> blocks = free.get(size);
        MemorySegment memory = blocks == null ? null : blocks.poll();
        if (memory == null) {
            memory = newBlock(size);
        }
        inUse.add(memory);
        return memory.asSlice(0, bytes);
    }

    private MemorySegment newBlock(long size) {
        MemorySegment pages = Libc.pages(size);
        if (pages == null) {
            throw new OutOfMemoryError("mmap of " + size + " bytes for a simulation failed");
        }
        Libc.madvise(pages.address(), size, Libc.MADV_NOHUGEPAGE);
        return pages.reinterpret(arena, block -> Libc.unmap(block.address(), block.byteSize()));
    }

    /** Makes stale contents of closed memory visible. */
    void spoil(MemorySegment segment) {
        fillTouched(segment, CLOSED);
    }

    /** Takes back all blocks: no simulation may use them any more. */
    void reset() {
        for (MemorySegment memory : inUse) {
            // A page that is there costs less than one that has to come again; but each costs something to be looked at.
            if (memory.byteSize() < fillTouched(memory, (byte) 0) * MOST_TOUCHED) {
                Libc.madvise(memory.address(), memory.byteSize(), Libc.MADV_DONTNEED);
            }
            free.computeIfAbsent(memory.byteSize(), size -> new ArrayDeque<>()).add(memory);
        }
        inUse.clear();
    }

    /** Fills what may not be zero, in whole pages; how many bytes those are. */
    private long fillTouched(MemorySegment memory, byte value) {
        long bytes = memory.byteSize();
        if (bytes <= LITTLE_BYTES) {
            memory.fill(value);
            return 0;
        }
        int pages = (int) ((bytes + Libc.PAGE_BYTES - 1) / Libc.PAGE_BYTES);
        if (touched.byteSize() < pages) {
            touched = arena.allocate(2L * pages);
        }
        Libc.mincore(memory.address(), bytes, touched);
        long filled = 0;
        for (int page = 0; page < pages; page++) {
            if ((touched.get(ValueLayout.JAVA_BYTE, page) & 1) != 0) {
                long at = page * Libc.PAGE_BYTES;
                memory.asSlice(at, Math.min(Libc.PAGE_BYTES, bytes - at)).fill(value);
                filled += Libc.PAGE_BYTES;
            }
        }
        return filled;
    }
}
