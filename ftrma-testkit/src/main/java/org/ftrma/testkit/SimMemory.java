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
 * The memory that simulated processes expose. It is never unmapped while a simulation runs, so that an access to memory
 * that was closed is found by the simulator and does not hit the JVM; blocks are used again by later simulations. Most
 * of a log is never written to: which pages were is left to the system. One simulation at a time.
 */
@SuppressWarnings("restricted")
final class SimMemory {
    private static final byte CLOSED = (byte) 0xDB;
    private static final MemorySegment ZEROS = MemorySegment.ofArray(new byte[(int) Libc.PAGE_BYTES]);
    /** A larger block may have pages that nobody ever touched. */
    private static final long LITTLE_BYTES = 4 * Libc.PAGE_BYTES;
    /** A block keeps one page in so many. */
    private static final long MOST_TOUCHED = 4;

    private static final ThreadLocal<SimMemory> OF_THREAD = ThreadLocal.withInitial(SimMemory::new);

    private final Arena arena = Arena.ofAuto();
    /** Zeroed blocks of whole pages, by size. */
    private final Map<Long, ArrayDeque<MemorySegment>> free = new HashMap<>();
    private final List<MemorySegment> inUse = new ArrayList<>();
    private MemorySegment touched = MemorySegment.NULL;

    /** That of the calling thread, for simulations that it runs one after the other. */
    static SimMemory ofThread() {
        return OF_THREAD.get();
    }

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
        look(segment);
        for (int page = 0; page < count(segment); page++) {
            if (isTouched(page)) {
                spoilPage(pages(segment, page, page + 1));
            }
        }
    }

    /** By its contents alone: which pages earlier simulations touched makes no difference to this one. */
    private static void spoilPage(MemorySegment page) {
        if (MemorySegment.mismatch(page, 0, page.byteSize(), ZEROS, 0, page.byteSize()) >= 0) {
            page.fill(CLOSED);
        }
    }

    /** Takes back all blocks: no simulation may use them any more. */
    void reset() {
        for (MemorySegment memory : inUse) {
            clear(memory);
            free.computeIfAbsent(memory.byteSize(), size -> new ArrayDeque<>()).add(memory);
        }
        inUse.clear();
    }

    private void clear(MemorySegment memory) {
        if (memory.byteSize() <= LITTLE_BYTES) {
            memory.fill((byte) 0);
            return;
        }
        // A page that is there costs less than one that has to come again; but each costs something to be looked at.
        if (look(memory) * MOST_TOUCHED > memory.byteSize()) {
            discard(memory);
            return;
        }
        int count = count(memory);
        int end;
        for (int first = 0; first < count; first = end) {
            end = first + 1;
            while (end < count && isTouched(end) == isTouched(first)) {
                end++;
            }
            MemorySegment pages = pages(memory, first, end);
            if (isTouched(first)) {
                pages.fill((byte) 0);
            } else {
                discard(pages); // empty, or swapped out
            }
        }
    }

    private static void discard(MemorySegment pages) {
        if (Libc.madvise(pages.address(), pages.byteSize(), Libc.MADV_DONTNEED) != 0) {
            pages.fill((byte) 0);
        }
    }

    /** Finds out which pages of a segment are there; how many bytes they have. */
    private long look(MemorySegment segment) {
        int count = count(segment);
        if (touched.byteSize() < count) {
            touched = arena.allocate(2L * count);
        }
        Libc.mincore(segment.address(), segment.byteSize(), touched);
        long bytes = 0;
        for (int page = 0; page < count; page++) {
            bytes += isTouched(page) ? Libc.PAGE_BYTES : 0;
        }
        return bytes;
    }

    private boolean isTouched(int page) {
        return (touched.get(ValueLayout.JAVA_BYTE, page) & 1) != 0;
    }

    private static int count(MemorySegment segment) {
        return (int) ((segment.byteSize() + Libc.PAGE_BYTES - 1) / Libc.PAGE_BYTES);
    }

    private static MemorySegment pages(MemorySegment segment, int first, int end) {
        long from = first * Libc.PAGE_BYTES;
        return segment.asSlice(from, Math.min(segment.byteSize(), end * Libc.PAGE_BYTES) - from);
    }
}
