package org.ftrma.rma.log;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/**
 * Data of a record that is not in the log yet: it is copied piece by piece while the program computes, so that the
 * processor writes it to memory meanwhile instead of waiting for that. At most one for each log. Data thread only;
 * allocates nothing.
 */
final class LateCopy {
    private MemorySegment data;
    private long from;
    private long to;
    private long left;
    private boolean wanted;

    boolean isPending() {
        return left > 0;
    }

    /** Whether nothing is pending, and nothing will be. */
    boolean isIdle() {
        return left == 0 && !wanted;
    }

    /** Whether the data of the record that is written next comes later: it stays unchanged until it is copied. */
    void want(boolean later) {
        wanted = later;
    }

    /** Copies data to the region, or puts that off. */
    void store(LogRegion region, MemorySegment source, long sourceOffset, long regionOffset, long bytes) {
        if (wanted && bytes > 0) {
            finish(region); // of the same append, at the end of another chunk
            data = source;
            from = sourceOffset;
            to = regionOffset;
            left = bytes;
        } else {
            region.copy(source, sourceOffset, regionOffset, bytes);
        }
    }

    /**
     * Copies a piece of about {@code bytes}, if it is not the last one; all is visible to others when nothing is left.
     */
    void move(LogRegion region, long bytes) {
        long piece = left;
        if (piece >= 2 * bytes) {
            piece = bytes - (to + bytes) % LogRegion.LINE;
        }
        region.copyPart(data, from, to, piece);
        from += piece;
        to += piece;
        left -= piece;
        if (left == 0) {
            data = null;
            VarHandle.fullFence();
        }
    }

    /** Copies what is left. */
    void finish(LogRegion region) {
        if (left > 0) {
            move(region, left);
        }
    }
}
