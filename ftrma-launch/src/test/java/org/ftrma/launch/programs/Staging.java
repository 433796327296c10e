package org.ftrma.launch.programs;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ftrma.Ftrma;
import org.ftrma.Job;
import org.ftrma.Window;

/**
 * Rank 0 puts staged memory to rank 1 twice, in each of a few steps, and reports how far apart the sources of the last
 * two puts were, in bytes.
 */
public final class Staging {
    public static final int BYTES = 64 << 10;
    private static final int STEPS = 3;

    private Staging() {
    }

    public static void main(String[] args) {
        Ftrma.run(args, Staging::run);
    }

    private static void run(Job job) {
        Window window = job.allocateWindow("staging", 2 * BYTES);
        boolean right = true;
        long apart = 0;
        for (long step : job.steps(STEPS)) {
            if (job.rank() == 0) {
                apart = put(window, 2 * step + 1, BYTES) - put(window, 2 * step, 0);
            }
            job.gsync();
            MemorySegment memory = window.memory();
            for (long i = 0; job.rank() == 1 && i < 2 * BYTES; i++) {
                right &= memory.get(ValueLayout.JAVA_BYTE, i) == 2 * step + i / BYTES;
            }
            job.gsync();
        }
        if (job.rank() == 0) {
            job.report("apart", Math.abs(apart));
        } else {
            job.report("verified", right);
        }
    }

    private static long put(Window window, long value, long offset) {
        MemorySegment source = window.stage(1, BYTES);
        source.fill((byte) value);
        window.put(source, 1, offset);
        return source.address();
    }
}
