package org.ftrma.rma.window;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.ftrma.core.session.PeerFailureHandling;
import org.ftrma.core.session.PeerPaths;

/**
 * Sources of staged puts that are not packed in a log: for each target a buffer that is given out piece by piece, from
 * the beginning again when the puts from it no longer need it. The memory lives as long as a segment of it is
 * reachable, whatever is thrown. Data thread only.
 */
final class StagingRing {
    /**
     * Pieces in a buffer where puts to the target take time: one is filled while the put of another is under way.
     * Elsewhere one piece stays in the cache.
     */
    private static final int PIECES = 2;
    /** Small pieces share a buffer of this size. */
    private static final long LEAST_BYTES = 64 << 10;
    private static final long ALIGNMENT = 64;

    private final PeerPaths paths;
    private final PeerFailureHandling survivor;
    private final int ranks;
    private final MemorySegment[] buffers;
    private final long[] used;

    StagingRing(PeerPaths paths, PeerFailureHandling survivor, int ranks) {
        this.paths = paths;
        this.survivor = survivor;
        this.ranks = ranks;
        this.buffers = new MemorySegment[ranks];
        this.used = new long[ranks];
    }

    /** Memory that no put reads any more. */
    MemorySegment next(int target, long length) {
        long from = take(target, length);
        return buffers[target].asSlice(from, length);
    }

    /** The buffer of a target, a piece of which was taken just now. */
    MemorySegment buffer(int target) {
        return buffers[target];
    }

    /** Where memory begins, in the {@link #buffer} of the target, that no put reads any more. */
    long take(int target, long length) {
        MemorySegment buffer = buffers[target];
        long piece = length + ALIGNMENT - 1 & -ALIGNMENT;
        int pieces = paths.isImmediate(target) ? 1 : PIECES;
        if (buffer == null || buffer.byteSize() < pieces * piece) {
            survivor.flushLocal(target); // so that no put reads from the old one when it goes
            buffer = Arena.ofAuto().allocate(Math.max(LEAST_BYTES, pieces * piece), ALIGNMENT);
            buffers[target] = buffer;
            used[target] = 0;
        } else if (used[target] + piece > buffer.byteSize()) {
            survivor.flushLocal(target);
            used[target] = 0;
        }
        long from = used[target];
        used[target] += piece;
        return from;
    }
}
