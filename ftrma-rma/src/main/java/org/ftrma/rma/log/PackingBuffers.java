package org.ftrma.rma.log;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Two buffers in turn for what a program packs, which stay in the cache: the data of one may still be on its way to the
 * log while the other is filled. The memory lives as long as a segment of it is reachable. Data thread only; allocates
 * where a length differs from the one before last.
 */
final class PackingBuffers {
    private static final long ALIGNMENT = 64;

    private final MemorySegment[] buffers = new MemorySegment[2];
    private int turn;

    /** The one that is not used. */
    MemorySegment next(long length) {
        MemorySegment buffer = buffers[turn];
        if (buffer == null || buffer.byteSize() != length) {
            buffer = Arena.ofAuto().allocate(length, ALIGNMENT);
            buffers[turn] = buffer;
        }
        return buffer;
    }

    /** The buffer that was given last holds the data of a put now. */
    void used() {
        turn ^= 1;
    }
}
