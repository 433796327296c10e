package org.ftrma.checkpoint.log;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/**
 * Data of a record that is not in the log yet: it is copied piece by piece while the program computes, so that the processor writes it to memory
 * meanwhile instead of waiting for that. At most one for each log. Data thread only; allocates nothing.
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

    /** Whether the data of the record that is being written comes later. */
    boolean isWanted() {
        return wanted;
    }

    void want(boolean later) {
        wanted = later;
    }

    /** The data stays unchanged until it is copied. What is no whole line of the region is copied now, so that all pieces are whole lines. */
    void begin(LogRegion region, MemorySegment source, long sourceOffset, long regionOffset, long bytes) {
        long head = Math.min(-(region.direct.address() + regionOffset) & LogRegion.LINE - 1, bytes);
        long tail = (bytes - head) % LogRegion.LINE;
        MemorySegment.copy(source, sourceOffset, region.direct, regionOffset, head);
        MemorySegment.copy(source, sourceOffset + bytes - tail, region.direct, regionOffset + bytes - tail, tail);
        left = bytes - head - tail;
        data = left > 0 ? source : null;
        from = sourceOffset + head;
        to = regionOffset + head;
    }

    /** Copies a piece of {@code bytes}, a number of lines, or what is left; all is visible to others when nothing is left. */
    void move(LogRegion region, long bytes) {
        long piece = Math.min(bytes, left);
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
