package org.ftrma.messaging.match;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Memory for messages that came before their receives: blocks of powers of two, cut from chunks that are allocated when
 * they are needed, and kept. Data thread only; allocates nothing where what was freed suffices.
 */
final class PayloadStore {
    private static final int LEAST_LOG2 = 6;
    private static final int CHUNK_LOG2 = 18;
    private static final int CLASSES = 40;
    private final Arena arena;
    private MemorySegment[] chunks = new MemorySegment[4];
    private int chunkCount;
    private long free;
    private final long[][] freed = new long[CLASSES][];
    private final int[] freedCount = new int[CLASSES];

    PayloadStore(Arena arena) {
        this.arena = arena;
    }

    private static int classOf(long length) {
        return Math.max(LEAST_LOG2, 64 - Long.numberOfLeadingZeros(Math.max(1, length - 1)));
    }

    /** A place for so many bytes: {@link #memory} and {@link #offset} tell where that is. */
    long take(long length) {
        int log2 = classOf(length);
        if (freedCount[log2] > 0) {
            return freed[log2][--freedCount[log2]];
        }
        if (log2 > CHUNK_LOG2) {
            return chunk(1L << log2);
        }
        if (chunkCount == 0 || free + (1L << log2) > 1L << CHUNK_LOG2) {
            current = chunk(1L << CHUNK_LOG2);
            free = 0;
        }
        long place = current + free;
        free += 1L << log2;
        return place;
    }

    /** The chunk that blocks are cut from. */
    private long current;

    private long chunk(long bytes) {
        if (chunkCount == chunks.length) {
            chunks = Arrays.copyOf(chunks, 2 * chunkCount);
        }
        chunks[chunkCount] = arena.allocate(bytes, 64);
        return (long) chunkCount++ << 40;
    }

    MemorySegment memory(long place) {
        return chunks[(int) (place >>> 40)];
    }

    long offset(long place) {
        return place & (1L << 40) - 1;
    }

    /** The place may be taken by others; the length is that which it was taken with. */
    void give(long place, long length) {
        int log2 = classOf(length);
        long[] list = freed[log2];
        if (list == null || freedCount[log2] == list.length) {
            list = list == null ? new long[16] : Arrays.copyOf(list, 2 * list.length);
            freed[log2] = list;
        }
        list[freedCount[log2]++] = place;
    }
}
