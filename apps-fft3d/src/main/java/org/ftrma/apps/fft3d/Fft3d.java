package org.ftrma.apps.fft3d;

import java.lang.foreign.MemorySegment;
import org.ftrma.AtomicOp;
import org.ftrma.Ftrma;
import org.ftrma.Job;
import org.ftrma.MisuseException;
import org.ftrma.Program;
import org.ftrma.RotatingSegment;
import org.ftrma.Window;
import org.ftrma.WindowKind;

/**
 * NAS FT as a resilient program: {@code ./ftrma fft --class A --ranks 2}. What must survive is the spectrum, of which
 * every time step reads one buffer and writes another, and the checksums ({@link ChecksumReduction}); the field lives
 * in scratch windows and is computed anew by every step. Tables are recomputed at every entry. One step of the job is
 * one time step of the benchmark.
 *
 * <p>The fields below are no state of the computation: they only keep the clock going over rollbacks and the warm-up
 * from being repeated. Data thread only.
 */
public final class Fft3d implements Program {
    private static final String[] REHEARSED = {"--class", "S", "--iterations", "24", "--warm-up", "0"};

    private final FtOptions options;
    private final PhaseTimes times = new PhaseTimes();
    private boolean entered;
    private boolean started;
    private long startNanos;

    Fft3d(String[] args) {
        this(FtOptions.parse(args));
    }

    Fft3d(FtOptions options) {
        this.options = options;
    }

    /** Runs this process's rank; returns when the job is done. */
    public static void main(String[] args) {
        Ftrma.run(args, new Fft3d(args));
    }

    /**
     * Checks a job's arguments before any process is started.
     *
     * @param args the program's arguments
     * @param ranks the number of computing ranks
     * @throws MisuseException with the argument, its value and what is allowed
     */
    public static void check(String[] args, int ranks) {
        FtOptions.parse(args).grid(ranks, 0);
    }

    /** Class S: it takes the same way, whatever the class of the job is. */
    @Override
    public Program rehearsal() {
        return new Fft3d(REHEARSED);
    }

    @Override
    public void run(Job job) {
        boolean fresh = !entered && job.incarnation() == 0;
        entered = true;
        Grid grid = options.grid(job.ranks(), job.rank());
        job.parameter("class", options.problem().name());
        job.parameter("grid", grid.gridRows + "x" + grid.gridColumns);
        Window[] areas = new Window[Spectral3d.SCRATCH_AREAS];
        for (int a = 0; a < areas.length; a++) {
            areas[a] = job.allocateWindow("field" + a, grid.areaBytes(), WindowKind.SCRATCH);
        }
        ChecksumReduction reduction = new ChecksumReduction(job, options);
        RotatingSegment spectrum = job.protectRotating("spectrum", grid.spectrumBytes());
        FileCheckpoints files = options.files().isEmpty() ? null : new FileCheckpoints(job, options,
            grid.spectrumBytes());
        JobExchange exchange = new JobExchange(job, areas);
        Spectral3d[] core = new Spectral3d[1];
        job.initialize(() -> {
            // The warm-up is full of collectives: all do it, or none. Some may be here anew, or for the second time.
            if (job.allReduce(AtomicOp.MIN, fresh ? 1L : 0L) == 1) {
                WarmUp before = new WarmUp(job, exchange);
                before.compile(grid, options.warmUpSeconds());
                before.touch(grid, spectrum.current(), spectrum.next(), reduction, options.warmUpSeconds());
            }
            startClock();
            core[0] = new Spectral3d(grid, exchange, times);
            core[0].forward(spectrum.next());
            spectrum.advance();
        });
        startClock();
        if (core[0] == null) {
            core[0] = new Spectral3d(grid, exchange, times);
        }
        FieldChecksum checksum = new FieldChecksum(grid);
        double[] share = new double[2];
        times.begin();
        for (long step : job.steps(options.iterations())) {
            if (times.seconds(PhaseTimes.Phase.SETUP) == 0) {
                times.end(PhaseTimes.Phase.SETUP);
            }
            core[0].step(step, spectrum.current(), spectrum.next());
            spectrum.advance();
            times.begin();
            reduction.complete(step - 1);
            checksum.of(core[0].field(), share);
            reduction.begin(step, share);
            times.end(PhaseTimes.Phase.CHECKSUM);
            if (files != null) {
                files.after(step, spectrum.current());
            }
        }
        job.gsync();
        reduction.complete(options.iterations());
        report(job, grid, reduction.checksums());
        if (files != null) {
            job.report("fileCheckpoints", files.written());
            files.close();
        }
    }

    /** The clock starts once; a replacement's starts at its entry. */
    private void startClock() {
        if (!started) {
            started = true;
            startNanos = System.nanoTime();
        }
    }

    private void report(Job job, Grid grid, MemorySegment checksums) {
        // A replaced rank saw only the end of the run: the longest time is the whole one.
        long endNanos = System.nanoTime();
        long nanos = job.nondeterministic(() -> endNanos - startNanos);
        double seconds = 1e-9 * job.allReduce(AtomicOp.MAX, nanos);
        if (job.rank() != 0) {
            return;
        }
        FtClass problem = options.problem();
        double error = Verification.largestError(problem, checksums, options.iterations());
        job.report("class", problem.name());
        job.report("size", problem.nx() + "x" + problem.ny() + "x" + problem.nz());
        job.report("grid", grid.gridRows + "x" + grid.gridColumns);
        job.report("iterations", options.iterations());
        job.report("seconds", seconds);
        job.report("endNanos", endNanos);
        job.report("mops", FtClass.mops(problem.points(), options.iterations(), seconds));
        job.report("largestError", error);
        job.report("checksumDigest", Verification.digest(checksums));
        for (PhaseTimes.Phase phase : PhaseTimes.Phase.values()) {
            job.report("seconds." + phase.label(), times.seconds(phase));
        }
        job.report("verified", Verification.passes(error));
    }
}
