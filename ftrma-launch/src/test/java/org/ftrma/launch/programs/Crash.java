package org.ftrma.launch.programs;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ftrma.Ftrma;
import org.ftrma.Window;

/**
 * Writes to an address that nobody has, as wrong native code does: rank 1, in its first life, in the step that is the
 * argument; 0: after the run.
 */
public final class Crash {
    private Crash() {
    }

    public static void main(String[] args) {
        long last = Long.parseLong(args[0]);
        int[] rank = {0};
        Ftrma.run(args, job -> {
            rank[0] = job.rank();
            Window window = job.allocateWindow("w", 64);
            for (long step : job.steps(20)) {
                if (job.rank() == 1 && job.incarnation() == 0 && step == last) {
                    crash();
                }
                window.putLong(step, (job.rank() + 1) % job.ranks(), 0);
                job.gsync();
            }
            job.report("verified", window.getLong(job.rank(), 0) == 20);
        });
        if (last == 0 && rank[0] == 1) {
            crash();
        }
    }

    @SuppressWarnings("restricted")
    private static void crash() {
        System.out.println("# the program's own line");
        System.out.println("#");
        System.out.println("about to crash");
        MemorySegment.ofAddress(8).reinterpret(8).set(ValueLayout.JAVA_LONG, 0, 1);
    }
}
