package org.ftrma.bench;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.ftrma.AtomicOp;
import org.ftrma.Ftrma;
import org.ftrma.Job;
import org.ftrma.Program;
import org.ftrma.Window;
import org.ftrma.WindowKind;

/**
 * Measures how long a coordinated checkpoint stops a program, beside copies of the same memory that all ranks make at
 * once. Each step changes all of a window, copies it a few times, and ends at a boundary with a checkpoint. Reports
 * both in milliseconds, from when all begin until all have copied, or go on: medians over the steps of the means over
 * the ranks.
 */
final class BlockingProgram implements Program {
    private static final int STEPS = 40;
    /** Enough that the parity of the last checkpoint is made before the last of them. */
    private static final int COPIES = 12;
    private static final int MEASURED = 4;

    private final long bytes;

    private BlockingProgram(long bytes) {
        this.bytes = bytes;
    }

    /** Runs this process's rank, with a window of so many MiB. */
    public static void main(String[] args) {
        Ftrma.run(args, new BlockingProgram(Long.parseLong(args[0]) << 20));
    }

    @Override
    public void run(Job job) {
        Window window = job.allocateWindow("state", bytes, WindowKind.PROTECTED);
        double[] copied = new double[STEPS];
        double[] blocked = new double[STEPS];
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment copy = arena.allocate(bytes, 64);
            copy.fill((byte) 1);
            long end = 0;
            for (long step : job.steps(STEPS)) {
                if (step > 1) {
                    blocked[(int) step - 2] = System.nanoTime() - end;
                }
                double[] nanos = new double[COPIES];
                for (int i = 0; i < COPIES; i++) {
                    window.memory().fill((byte) (step * COPIES + i));
                    job.barrier();
                    long start = System.nanoTime();
                    MemorySegment.copy(window.memory(), 0, copy, 0, bytes);
                    job.barrier();
                    nanos[i] = System.nanoTime() - start;
                }
                copied[(int) step - 1] = median(Arrays.copyOfRange(nanos, COPIES - MEASURED, COPIES));
                end = System.nanoTime();
            }
        }
        // The boundary of the first step makes pages that are not there yet; the last one is none.
        report(job, "copyMillis", Arrays.copyOfRange(copied, 1, STEPS - 1));
        report(job, "blockedMillis", Arrays.copyOfRange(blocked, 1, STEPS - 1));
    }

    private static void report(Job job, String name, double[] nanos) {
        double[] means = new double[nanos.length];
        for (int i = 0; i < nanos.length; i++) {
            means[i] = 1e-6 * job.allReduce(AtomicOp.SUM, nanos[i]) / job.ranks();
        }
        job.report(name, median(means));
    }

    private static double median(double[] values) {
        Arrays.sort(values);
        return (values[(values.length - 1) / 2] + values[values.length / 2]) / 2;
    }
}
