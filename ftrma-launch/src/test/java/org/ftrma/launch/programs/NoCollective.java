package org.ftrma.launch.programs;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ftrma.Ftrma;
import org.ftrma.Job;
import org.ftrma.Window;

/**
 * In each step every rank puts a number into a place of its right neighbour that is never used again; no step has a
 * collective. Argument: steps.
 */
public final class NoCollective {
    private NoCollective() {
    }

    public static void main(String[] args) {
        long steps = Long.parseLong(args[0]);
        Ftrma.run(args, job -> run(job, steps));
    }

    private static void run(Job job, long steps) {
        Window cells = job.allocateWindow("cells", 8 * (steps + 1));
        job.initialize(() -> { });
        int right = (job.rank() + 1) % job.ranks();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(8, 8);
            for (long step : job.steps(steps)) {
                value.set(ValueLayout.JAVA_LONG, 0, number(job.rank(), step));
                cells.put(value, right, 8 * step);
                cells.flush(right);
            }
        }
        job.gsync();
        int left = (job.rank() + job.ranks() - 1) % job.ranks();
        boolean verified = true;
        for (long step = 1; step <= steps; step++) {
            verified &= cells.memory().get(ValueLayout.JAVA_LONG, 8 * step) == number(left, step);
        }
        job.report("verified", verified);
    }

    private static long number(int rank, long step) {
        return rank * 1_000_003L + step * 31;
    }
}
