package org.ftrma.apps.fft3d;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * Off-heap copies of finished lane rows, the sources of puts: a network card or a peer cannot read the Java heap. Two buffers alternate,
 * so that one block's puts are under way while the next block is computed. The memory lives as long as this object is reachable, whatever
 * is thrown: a transfer that was under way when the program was unwound must not read freed memory. One thread.
 */
final class Staging {
    private final Exchange exchange;
    private final MemorySegment[] buffers = new MemorySegment[2];
    private int turn;
    private MemorySegment buffer;

    /** Buffers of {@code rows} lane rows each. */
    Staging(Exchange exchange, int rows) {
        this.exchange = exchange;
        for (int i = 0; i < buffers.length; i++) {
            buffers[i] = Arena.ofAuto().allocate((long) rows * LaneKernels.ROW * Double.BYTES, 64);
        }
    }

    /** The buffer for the next block; waits until its previous contents are no longer needed. */
    MemorySegment begin() {
        if (turn == buffers.length) {
            exchange.sourcesReusable();
            turn = 0;
        }
        buffer = buffers[turn++];
        return buffer;
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
