package org.ftrma.apps.fft3d;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import org.ftrma.AtomicOp;
import org.ftrma.Job;

/**
 * Untimed warm-up: touches all memory, and runs until times no longer improve. NPB runs the set-up and one forward
 * transform untimed, which touches all memory; here time steps follow, two at least, one for each area that they
 * alternate between: they touch the sources of their puts, and do for the first time what each step does. A virtual
 * machine also has to compile the kernels: the whole computation runs on a small field (class S, or less) in the job's
 * own scratch windows, over and over, until it has had the processor for the given time and no longer gets faster. Then
 * the steps at full size go on for a while, since loops that are longer there, and puts that are further apart, are
 * compiled anew. Time on the processor is what counts because several ranks may share a core with one another and with
 * their compilers. All ranks decide alike, since they decide by a reduction. Data thread only.
 */
final class WarmUp {
    private static final int SIDE = 64;
    private static final int PATIENCE = 10;
    /** On a machine that is busy with other things the times never settle. */
    private static final double GIVE_UP_SECONDS = 6;
    /** At full size, unless less was asked for: most loops have been compiled then. */
    private static final double FULL_SECONDS = 1.2;
    private static final int MOST_STEPS = 30;

    private final Job job;
    private final Exchange exchange;
    private final ThreadMXBean processor = ManagementFactory.getThreadMXBean();

    WarmUp(Job job, Exchange exchange) {
        this.job = job;
        this.exchange = exchange;
    }

    /** Collective: the part at full size. {@code seconds} of processor time at most after two steps. */
    void touch(Grid grid, MemorySegment first, MemorySegment second, ChecksumReduction reduction, double seconds) {
        Spectral3d core = new Spectral3d(grid, exchange, new PhaseTimes());
        FieldChecksum checksum = new FieldChecksum(grid);
        double[] share = new double[2];
        MemorySegment current = second;
        MemorySegment next = first;
        core.forward(current);
        double total = 0;
        for (int step = 1; step <= 2 || total < Math.min(seconds, FULL_SECONDS) && step <= MOST_STEPS; step++) {
            long start = processor.getCurrentThreadCpuTime();
            core.step(step, current, next);
            checksum.of(core.field(), share);
            MemorySegment evolved = next;
            next = current;
            current = evolved;
            total += job.allReduce(AtomicOp.MAX, 1e-9 * (processor.getCurrentThreadCpuTime() - start));
        }
        reduction.rehearse(share);
        job.barrier();
    }

    /** Collective: the compiler's part. */
    void compile(Grid full, double seconds) {
        if (seconds == 0) {
            return;
        }
        Grid grid = new Grid(side(full.nx, full.gridRows, 1), side(full.ny, full.gridRows, full.gridColumns),
            side(full.nz, full.gridColumns, 1), full.gridRows, full.gridColumns, job.rank());
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment current = arena.allocate(grid.spectrumBytes(), 64);
            MemorySegment next = arena.allocate(grid.spectrumBytes(), 64);
            double total = 0;
            double best = Double.MAX_VALUE;
            int sinceBest = 0;
            while (total < seconds || sinceBest < PATIENCE && total < GIVE_UP_SECONDS) {
                long start = processor.getCurrentThreadCpuTime();
                once(grid, exchange, current, next);
                double slowest = job.allReduce(AtomicOp.MAX, 1e-9 * (processor.getCurrentThreadCpuTime() - start));
                total += slowest;
                sinceBest = slowest < 0.95 * best ? 0 : sinceBest + 1;
                best = Math.min(best, slowest);
            }
        }
    }

    private static void once(Grid grid, Exchange exchange, MemorySegment current, MemorySegment next) {
        Spectral3d core = new Spectral3d(grid, exchange, new PhaseTimes());
        FieldChecksum checksum = new FieldChecksum(grid);
        double[] share = new double[2];
        core.forward(current);
        for (int step = 1; step <= 3; step++) {
            core.step(step, current, next);
            checksum.of(core.field(), share);
        }
    }

    /** A power of two, as the full side is. */
    private static int side(int full, int rows, int columns) {
        int least = Math.max(SIDE, Math.max(rows, columns));
        return Math.min(full, Integer.highestOneBit(2 * least - 1));
    }
}
