package org.ftrma.apps.fft3d;

import java.lang.foreign.MemorySegment;

/**
 * The numerical core's view of a parallel machine: scratch memory that the other ranks write, and a fence. Offsets in
 * bytes.
 */
interface Exchange {
    /** This rank's scratch memory number {@code area}, 0 or 1. Others write it up to the next {@link #fence}. */
    MemorySegment scratch(int area);

    /**
     * Memory for the source of one {@link #put} to the area of that target; it ends with the next call for the same
     * area and target.
     */
    MemorySegment stage(int target, int area, long bytes);

    /**
     * Writes {@code count} blocks of {@code blockBytes}, contiguous in {@code source}, to the scratch area of
     * {@code target}, {@code stride} apart.
     *
     * @param source what {@link #stage} gave for this target and area, untouched from here on
     */
    void put(MemorySegment source, int target, int area, long offset, long stride, long blockBytes, long count);

    /** Lets what is under way go on; the core computes. */
    void progress();

    /** Collective: returns when all puts of all ranks have arrived. */
    void fence();
}
