package org.ftrma.launch.programs;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import org.ftrma.AtomicOp;
import org.ftrma.Ftrma;
import org.ftrma.Job;
import org.ftrma.Window;

/**
 * Every step each rank adds the step's number to its neighbour's cell. Arguments: number of steps, and a file: as long
 * as it is not there, rank 0 takes its time in each step, 10 ms or what a third argument says, and, where there is a
 * fourth argument, takes a second for each of the last forty, and waits in the last one. The property
 * {@code cells.bytes} is the window's size.
 */
public final class Gate {
    private static final String SLOW_MILLIS = "10";
    private static final long HELD_STEPS = 40;
    private static final long HELD_NANOS = 1_000_000_000L;

    private Gate() {
    }

    public static void main(String[] args) {
        long steps = Long.parseLong(args[0]);
        long slowNanos = 1_000_000 * Long.parseLong(args.length > 2 ? args[2] : SLOW_MILLIS);
        Ftrma.run(args, job -> run(job, steps, Path.of(args[1]), slowNanos, args.length > 3));
    }

    private static void run(Job job, long steps, Path file, long slowNanos, boolean isHeld) {
        Window cells = job.allocateWindow("cells", Integer.getInteger("cells.bytes", 64));
        MemorySegment sum = job.protect("sum", 64);
        job.initialize(() -> sum.set(ValueLayout.JAVA_LONG, 0, job.rank()));
        for (long step : job.steps(steps)) {
            if (job.rank() == 0 && !Files.exists(file)) {
                long until = System.nanoTime() + HELD_NANOS;
                LockSupport.parkNanos(slowNanos);
                while (isHeld && step > steps - HELD_STEPS && !Files.exists(file)
                    && (step == steps || System.nanoTime() < until)) {
                    LockSupport.parkNanos(slowNanos); // the job's --deadline ends it
                }
            }
            cells.putLong(step * (job.rank() + 1), (job.rank() + 1) % job.ranks(), 0);
            job.gsync();
            sum.set(ValueLayout.JAVA_LONG, 0, sum.get(ValueLayout.JAVA_LONG, 0) + cells.memory()
                .get(ValueLayout.JAVA_LONG, 0));
            job.gsync();
        }
        long total = job.allReduce(AtomicOp.SUM, sum.get(ValueLayout.JAVA_LONG, 0));
        long ranks = job.ranks();
        job.report("verified", total == ranks * (ranks - 1) / 2 + ranks * (ranks + 1) / 2 * (steps * (steps + 1) / 2));
    }
}
