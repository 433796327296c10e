package org.ftrma.rma.log;

import java.lang.foreign.MemorySegment;

/**
 * Buffers in which a program packs the data of its staged puts, and its way into the logs. It is packed in the log
 * itself, or, where the log is streamed to, in a buffer that stays in the cache: what no cache holds is expensive to
 * write row by row. From the buffer it is copied when the put is logged; or, if the program makes {@link #progress},
 * bit by bit while it computes, until the epoch closes at the latest. Data thread only.
 */
final class StagedPuts {
    /** What {@link #progress} copies: little enough for the processor to write it while it goes on. */
    private static final long PIECE_BYTES = 4096;

    private final LogRegion own;
    private boolean progresses;
    /** Those whose logs data may be on its way to. */
    private final StagedPut[] late;
    private int lateCount;

    StagedPuts(LogRegion own, int ranks) {
        this.own = own;
        this.late = new StagedPut[ranks];
    }

    /** The same program goes on with this. */
    void expectLike(StagedPuts other) {
        progresses = other.progresses;
    }

    /**
     * Memory for a put, or null: the program uses other memory. Allocates the segment, unless it is one of two buffers.
     */
    MemorySegment stage(StagedPut put, int window, long length) {
        if (put.segment != null && put.window != window) {
            return null; // a log has room for one at a time
        }
        put.isInLog = !own.isPackedElsewhere(length);
        put.window = window;
        if (put.isInLog) {
            put.segment = put.puts.reservation().take(length);
        } else {
            put.segment = progresses ? buffer(put, length) : null;
        }
        return put.segment;
    }

    private static MemorySegment buffer(StagedPut put, long length) {
        if (put.packing == null) {
            put.packing = new PackingBuffers();
        }
        return put.packing.next(length);
    }

    /**
     * Of a put that is about to be logged: whether its data was packed in the log. What was packed in a buffer may be
     * copied later from now on.
     */
    boolean takes(StagedPut put, int window, MemorySegment source) {
        if (source != put.segment || window != put.window) {
            return false;
        }
        put.segment = null;
        if (!put.isInLog) {
            put.puts.putOff();
            put.packing.used();
            if (!put.isLate) {
                put.isLate = true;
                late[lateCount++] = put;
            }
        }
        return put.isInLog;
    }

    /** Copies a piece. */
    void progress() {
        progresses = true;
        while (lateCount > 0 && !late[lateCount - 1].puts.progress(PIECE_BYTES)) {
            lateCount--;
            late[lateCount].isLate = false;
        }
    }

    /** Copies all. */
    void settle() {
        while (lateCount > 0) { // L17
            lateCount--;
            late[lateCount].puts.settle();
            late[lateCount].isLate = false;
        }
    }
}
