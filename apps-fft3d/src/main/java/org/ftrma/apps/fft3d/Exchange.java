package org.ftrma.apps.fft3d;

import java.lang.foreign.MemorySegment;

/** What the numerical core needs from a parallel machine: scratch memory that the other ranks write, and a fence. Offsets in bytes. */
interface Exchange {
    /** This rank's scratch memory number {@code area}, 0 or 1. Others write it up to the next {@link #fence}. */
    MemorySegment scratch(int area);

    /**
     * Writes {@code count} blocks of {@code blockBytes}, contiguous in {@code source}, to the scratch area of {@code target},
     * {@code stride} apart. The source stays untouched until {@link #sourcesReusable}.
     */
    void put(MemorySegment source, long sourceOffset, int target, int area, long offset, long stride, long blockBytes, long count);

    /** Returns when the sources of all puts so far may be overwritten. */
    void sourcesReusable();

    /** Collective: returns when all puts of all ranks have arrived. */
    void fence();
}
