package org.ftrma.rma.log;

import java.lang.foreign.MemorySegment;

/**
 * Where a program packs the data of its staged puts, and how that comes to the logs. It is packed in the log itself,
 * or, where the log is streamed to, in a buffer that stays in the cache: what no cache holds is expensive to write row
 * by row. From the buffer it is copied when the put is logged; or, if the program makes {@link #progress}, bit by bit
 * while it computes, until the epoch closes at the latest. Data thread only.
 */
final class StagedPuts {
    /** What {@link #progress} copies: little enough for the processor to write it while it goes on. */
    private static final long PIECE_BYTES = 4096;

    private final LogRegion own;
    private boolean progresses;
    /** Those whose logs data may be on its way to. */
    private final Peer[] late;
    private int lateCount;

    StagedPuts(LogRegion own, int ranks) {
        this.own = own;
        this.late = new Peer[ranks];
    }

    /** The same program goes on with this. */
    void expectLike(StagedPuts other) {
        progresses = other.progresses;
    }

    /**
     * Memory for a put, or null: the program uses other memory. Allocates the segment, unless it is one of two buffers.
     */
    MemorySegment stage(Peer peer, int window, long length) {
        if (peer.staged != null && peer.stagedWindow != window) {
            return null; // a log has room for one at a time
        }
        peer.stagedInLog = !own.isPackedElsewhere(length);
        peer.stagedWindow = window;
        if (peer.stagedInLog) {
            peer.staged = peer.puts.reservation().take(length);
        } else {
            peer.staged = progresses ? buffer(peer, length) : null;
        }
        return peer.staged;
    }

    private static MemorySegment buffer(Peer peer, long length) {
        if (peer.packing == null) {
            peer.packing = new PackingBuffers();
        }
        return peer.packing.next(length);
    }

    /**
     * Of a put that is about to be logged: whether its data was packed in the log. What was packed in a buffer may be
     * copied later from now on.
     */
    boolean takes(Peer peer, int window, MemorySegment source) {
        if (source != peer.staged || window != peer.stagedWindow) {
            return false;
        }
        peer.staged = null;
        if (!peer.stagedInLog) {
            peer.puts.putOff();
            peer.packing.used();
            if (!peer.isLate) {
                peer.isLate = true;
                late[lateCount++] = peer;
            }
        }
        return peer.stagedInLog;
    }

    /**
     * The peer is lost, and may come back on another host. What was staged for it is copied when it is put, and used
     * for nothing else, since that put may take its time then.
     */
    static void forget(Peer peer) {
        peer.staged = null;
        peer.packing = null;
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
        while (lateCount > 0) {
            lateCount--;
            late[lateCount].puts.settle();
            late[lateCount].isLate = false;
        }
    }
}
