package org.ftrma.checkpoint;

import java.lang.foreign.MemorySegment;

/** State of the library itself that belongs to an image: lock state, counters. Data thread. */
interface HeaderPart {
    /** Bytes that {@link #save} writes: a multiple of 8, the same on every rank. */
    int imageBytes();

    /** Writes the state. */
    void save(MemorySegment image, long offset);

    /** Takes the state over. */
    void restore(MemorySegment image, long offset);
}
