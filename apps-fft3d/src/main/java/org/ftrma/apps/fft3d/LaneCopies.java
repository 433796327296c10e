package org.ftrma.apps.fft3d;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/** Copies lane rows to off-heap memory and back: a network card or a peer cannot read the Java heap. Pure functions: any thread. */
final class LaneCopies {
    private LaneCopies() {
    }

    /** Copies {@code width} lanes of a row to {@code offset} (in doubles) of the memory, real parts first. */
    static void store(double[] row, MemorySegment memory, long offset, int width) {
        if (width == LaneKernels.LANES) {
            MemorySegment.copy(row, 0, memory, ValueLayout.JAVA_DOUBLE, offset * Double.BYTES, LaneKernels.ROW);
        } else {
            MemorySegment.copy(row, 0, memory, ValueLayout.JAVA_DOUBLE, offset * Double.BYTES, width);
            MemorySegment.copy(row, LaneKernels.LANES, memory, ValueLayout.JAVA_DOUBLE, (offset + width) * Double.BYTES, width);
        }
    }

    /** The opposite of {@link #store}; lanes from {@code width} on become zero. */
    static void load(MemorySegment memory, long offset, double[] row, int width) {
        if (width == LaneKernels.LANES) {
            MemorySegment.copy(memory, ValueLayout.JAVA_DOUBLE, offset * Double.BYTES, row, 0, LaneKernels.ROW);
        } else {
            MemorySegment.copy(memory, ValueLayout.JAVA_DOUBLE, offset * Double.BYTES, row, 0, width);
            MemorySegment.copy(memory, ValueLayout.JAVA_DOUBLE, (offset + width) * Double.BYTES, row, LaneKernels.LANES, width);
            Arrays.fill(row, width, LaneKernels.LANES, 0);
            Arrays.fill(row, LaneKernels.LANES + width, LaneKernels.ROW, 0);
        }
    }
}
