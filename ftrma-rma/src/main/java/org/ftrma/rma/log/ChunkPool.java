package org.ftrma.rma.log;

import java.util.BitSet;
import org.ftrma.FtrmaException;

/**
 * The chunks of a log region that one member takes and gives back. They are taken from a list of this member's own,
 * from the region's list of free chunks, or from those never used; all three work from remote. Chunks that come back
 * stay with the member as long as it keeps few. Part of a {@link LogRegion}; data thread only; allocates nothing but in
 * {@link #adopt}.
 */
final class ChunkPool {
    private static final int KEPT = 2;

    private final LogRegion region;
    private final LogDescriptor layout;
    private final int[] kept = new int[KEPT];
    private int keptCount;
    /** Chunks to be given back, from the first, plus 1, to the last. */
    private int firstFreed;
    private int lastFreed;
    private int freed;

    ChunkPool(LogRegion region) {
        this.region = region;
        this.layout = region.layout;
    }

    private void word(int chunk, long which, long value) {
        region.word(layout.chunkOffset(chunk) + which, value);
    }

    /**
     * A chunk that belongs to the log from now on, or -1 if none is left. Completes what was written before: two writes
     * of a word have no order.
     */
    int allocate(int log) {
        int chunk = keptCount > 0 ? kept[--keptCount] : take();
        if (chunk >= 0) {
            word(chunk, LogDescriptor.CHUNK_OWNER, (long) (region.member + 1) << 32 | log);
        }
        region.complete();
        return chunk;
    }

    private int take() {
        int chunk = popFree();
        if (chunk < 0 && region.memory.getLong(LogDescriptor.HEADER_TAKEN) < layout.chunks()) {
            long taken = region.memory.add(LogDescriptor.HEADER_TAKEN, 1);
            chunk = taken < layout.chunks() ? (int) taken : -1;
        }
        if (chunk >= 0) {
            region.memory.add(LogDescriptor.HEADER_USED, 1);
        }
        return chunk;
    }

    /** Gives a chunk back. */
    void free(int chunk) {
        if (keptCount < KEPT) {
            kept[keptCount++] = chunk;
            return;
        }
        pushFree(chunk);
    }

    /**
     * Gives a chunk back by the next {@link #freed}. In another rank's region that outlives this process at once: what
     * nobody owns and is in no list is lost to it.
     */
    void freeSoon(int chunk) {
        if (keptCount < KEPT || region.home != region.member) {
            free(chunk);
            return;
        }
        word(chunk, LogDescriptor.CHUNK_OWNER, 0);
        if (firstFreed == 0) {
            lastFreed = chunk; // its link is written with the push, once: two writes of a word have no order
        } else {
            word(chunk, LogDescriptor.CHUNK_FREE, firstFreed);
        }
        firstFreed = chunk + 1;
        freed++;
    }

    /** Gives back all chunks that are to be given back soon. */
    void freed() {
        if (firstFreed != 0) {
            int chunk = firstFreed - 1;
            int count = freed;
            firstFreed = 0;
            freed = 0;
            pushFree(chunk, lastFreed, count);
        }
    }

    /** Gives back the chunks that this member keeps, for others to take. */
    void freeKept() {
        while (keptCount > 0) {
            pushFree(kept[--keptCount]);
        }
    }

    private int popFree() {
        while (true) {
            long top = region.memory.getLong(LogDescriptor.HEADER_FREE);
            int chunk = (int) top - 1;
            if (chunk < 0) {
                return -1;
            }
            checkChunk("top of the free list", chunk);
            // stale if others took it: then the swap fails
            long next = region.memory.getLong(layout.chunkOffset(chunk) + LogDescriptor.CHUNK_FREE);
            if (swapTop(top, next)) {
                return chunk;
            }
        }
    }

    private boolean swapTop(long top, long next) {
        return region.memory.swap(LogDescriptor.HEADER_FREE, top, tagged(top, next)) == top;
    }

    private void pushFree(int chunk) {
        word(chunk, LogDescriptor.CHUNK_OWNER, 0);
        pushFree(chunk, chunk, 1);
    }

    /** So many chunks without an owner, linked from the first to the last. */
    private void pushFree(int firstChunk, int lastChunk, int count) {
        while (true) {
            long top = region.memory.getLong(LogDescriptor.HEADER_FREE);
            word(lastChunk, LogDescriptor.CHUNK_FREE, top & 0xffff_ffffL);
            region.complete();
            if (swapTop(top, firstChunk + 1)) {
                break;
            }
        }
        region.memory.add(LogDescriptor.HEADER_USED, -count);
    }

    private static long tagged(long top, long next) {
        return (top >>> 32) + 1 << 32 | next & 0xffff_ffffL;
    }

    private void checkChunk(String what, int chunk) {
        if (chunk < 0 || chunk >= layout.chunks()) {
            throw new FtrmaException(FtrmaException.Category.FATAL, "log region of rank " + region.home + ": " + what
                + " is chunk " + chunk + " of " + layout.chunks());
        }
    }

    /** Takes over the chunks that belong to an earlier incarnation of this member and are in none of its logs. */
    void adopt() {
        boolean isBuddy = layout.buddy(region.member) == region.home;
        if (region.entry(layout.getLog(region.member)) == 0 && (!isBuddy || region.entry(layout.buddyLog()) == 0)) {
            return; // a chunk is taken for a log that has an entry
        }
        BitSet linked = new BitSet(layout.chunks());
        linkedChunks(layout.getLog(region.member), linked);
        if (isBuddy) {
            linkedChunks(layout.buddyLog(), linked);
        }
        long taken = Math.min(region.memory.getLong(LogDescriptor.HEADER_TAKEN), layout.chunks());
        for (int chunk = 0; chunk < taken; chunk++) {
            long owner = region.word(layout.chunkOffset(chunk) + LogDescriptor.CHUNK_OWNER);
            if (owner >>> 32 == region.member + 1 && !linked.get(chunk)) { // L21
                free(chunk);
            }
        }
    }

    private void linkedChunks(int log, BitSet linked) {
        long head = region.entryWord(log, LogDescriptor.ENTRY_HEAD);
        long tail = region.entryWord(log, LogDescriptor.ENTRY_TAIL);
        if (tail == 0) {
            return;
        }
        int chunk = LogDescriptor.chunk(head);
        while (true) {
            checkChunk(layout.logName(region.home, log), chunk);
            linked.set(chunk);
            if (chunk == LogDescriptor.chunk(tail)) {
                return;
            }
            chunk = (int) region.word(layout.chunkOffset(chunk) + LogDescriptor.CHUNK_NEXT) - 1;
            if (chunk >= 0 && linked.get(chunk)) {
                throw new FtrmaException(FtrmaException.Category.FATAL,
                    layout.logName(region.home, log) + ": chunk " + chunk + " is linked twice");
            }
        }
    }
}
