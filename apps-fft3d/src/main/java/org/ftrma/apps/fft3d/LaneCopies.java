package org.ftrma.apps.fft3d;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Copies lane rows to off-heap memory and back: a network card or a peer cannot read the Java heap. Pure functions: any
 * thread.
 *
 * <p>Between segments, since copies between a segment and an array look up the array's class by a method that the
 * compiler inlines in some runs and not in others: one or two milliseconds of a step of class A. The segments around
 * the rows are no objects in compiled code.
 */
final class LaneCopies {
    private LaneCopies() {
    }

    /** Copies {@code width} lanes of a row to {@code offset} (in doubles) of the memory, real parts first. */
    static void store(double[] row, MemorySegment memory, long offset, int width) {
        MemorySegment source = MemorySegment.ofArray(row);
        if (width == LaneKernels.LANES) {
            MemorySegment.copy(source, 0, memory, offset * Double.BYTES, LaneKernels.ROW * Double.BYTES);
        } else {
            MemorySegment.copy(source, 0, memory, offset * Double.BYTES, width * Double.BYTES);
            MemorySegment.copy(source, LaneKernels.LANES * Double.BYTES, memory, (offset + width) * Double.BYTES,
                width * Double.BYTES);
        }
    }

    /** The opposite of {@link #store}; lanes from {@code width} on become zero. */
    static void load(MemorySegment memory, long offset, double[] row, int width) {
        MemorySegment destination = MemorySegment.ofArray(row);
        if (width == LaneKernels.LANES) {
            MemorySegment.copy(memory, offset * Double.BYTES, destination, 0, LaneKernels.ROW * Double.BYTES);
        } else {
            MemorySegment.copy(memory, offset * Double.BYTES, destination, 0, width * Double.BYTES);
            MemorySegment.copy(memory, (offset + width) * Double.BYTES, destination, LaneKernels.LANES * Double.BYTES,
                width * Double.BYTES);
            Arrays.fill(row, width, LaneKernels.LANES, 0);
            Arrays.fill(row, LaneKernels.LANES + width, LaneKernels.ROW, 0);
        }
    }
}
