package org.ftrma.core.collective;

import java.lang.foreign.MemorySegment;
import org.ftrma.core.session.ControlDescriptor;

/**
 * Gathers what all ranks contribute while they meet in a barrier: in round r a rank reads 2^r contributions of rank
 * p - 2^r, those that this one has gathered by then (Bruck et al., "Efficient algorithms for all-to-all communications
 * in multiport message-passing systems", 1997). So it reads from log2 of the ranks. In its buffer is its own, then that
 * of rank p - 1, and so on downwards.
 *
 * <p>Data thread only; allocates nothing.
 */
final class TreeGather implements RoundCallback {
    private final CollectiveBuffers buffers;
    private final int rank;
    private final int ranks;
    /** Bytes of each contribution. */
    private long length;

    TreeGather(CollectiveBuffers buffers, int rank, int ranks) {
        this.buffers = buffers;
        this.rank = rank;
        this.ranks = ranks;
    }

    /** Bytes of each rank's contribution that fit at a time. */
    long longest() {
        return ControlDescriptor.BUFFER_BYTES / ranks & ~7L;
    }

    /** What is to be gathered in the next barrier; this rank's own was contributed. */
    TreeGather of(long bytes) {
        length = bytes;
        return this;
    }

    @Override
    public void received(long barrier, int round, int from) {
        int known = 1 << round;
        int count = Math.min(known, ranks - known);
        long to = buffers.offset() + known * length;
        if (buffers.readGathered(from, barrier, round, 0, buffers.own(), to, count * length)) {
            return;
        }
        for (int i = 0; i < count; i++) {
            buffers.read(before(from, i), 0, buffers.own(), to + i * length, length);
        }
        for (int i = 0; i < count; i++) {
            buffers.await(before(from, i), buffers.own(), to + i * length, length);
        }
    }

    private int before(int from, int distance) {
        return (from - distance + ranks) % ranks;
    }

    /** Where in the own region the contribution of a rank is when the barrier is passed. */
    long offsetOf(int from) {
        return buffers.offset() + (rank - from + ranks) % ranks * length;
    }

    MemorySegment memory() {
        return buffers.own();
    }
}
