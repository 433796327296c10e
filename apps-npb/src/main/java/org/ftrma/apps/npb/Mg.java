package org.ftrma.apps.npb;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.ftrma.Channel;
import org.ftrma.Ftrma;
import org.ftrma.Job;
import org.ftrma.Program;

/**
 * NAS MG as a resilient program, {@code ./ftrma npb mg --class A --ranks 2}: a Poisson equation on a cube that wraps
 * around, by V-cycles over grids of half the points in each direction. One step of the job is one cycle. What must
 * survive is the approximation on the finest grid; the residual follows from it. Data thread only.
 */
public final class Mg implements Program {
    private static final String[] REHEARSED = {"--class", "S", "--iterations", "24", "--warm-up", "0"};

    private final MgOptions options;
    private final MgClass problem;
    private final Measurement measurement = new Measurement();
    private MgCycle.Boxes boxes;

    Mg(String[] args) {
        this(MgOptions.parse(args));
    }

    private Mg(MgOptions options) {
        this.options = options;
        this.problem = MgClass.of(options.common().problem());
    }

    /** Runs this process's rank; returns when the job is done. */
    public static void main(String[] args) {
        Ftrma.run(args, new Mg(args));
    }

    /** Class S: it takes the same way, whatever the class of the job is. */
    @Override
    public Program rehearsal() {
        return new Mg(new MgOptions(MgOptions.parse(REHEARSED).common(), options.anySource(), null));
    }

    @Override
    public void run(Job job) {
        boolean fresh = measurement.enter(job);
        Channel world = job.messages();
        job.parameter("class", options.common().problem());
        MgGrid grid = options.grid(job.ranks(), job.rank());
        if (boxes == null) {
            boxes = new MgCycle.Boxes(problem, grid);
        }
        MgCycle cycle = new MgCycle(problem, world, grid, boxes, options.anySource());
        MgLevel finest = cycle.finest();
        MemorySegment u = job.protect("u", (long) finest.u.length * Double.BYTES);
        // That of the cycle that has a reference, and the last one's.
        MemorySegment norms = job.protect("norms", 2 * Double.BYTES);
        boolean[] hasState = new boolean[1];
        job.initialize(() -> {
            Arrays.fill(finest.u, 0);
            cycle.residual();
            measurement.warmUp(world, fresh, options.common().warmUpSeconds(), () -> cycle.run(0, u));
            u.fill((byte) 0);
            Arrays.fill(finest.u, 0);
            world.barrier();
            measurement.start();
            cycle.residual();
            cycle.norm();
            hasState[0] = true;
        });
        measurement.start();
        int iterations = options.common().iterations(problem.iterations());
        for (long step : job.steps(iterations)) {
            if (!hasState[0]) {
                // Entered again: what was protected is there from the first step on.
                MgState.load(grid, finest, u);
                cycle.residual();
                hasState[0] = true;
            }
            cycle.run(step, u);
            if (step == problem.iterations() || step == iterations) {
                double norm = cycle.norm();
                norms.setAtIndex(JAVA_DOUBLE, 1, norm);
                if (step == problem.iterations()) {
                    norms.setAtIndex(JAVA_DOUBLE, 0, norm);
                }
            }
        }
        double seconds = measurement.seconds(job, world);
        if (job.rank() == 0) {
            report(job, seconds, grid, iterations, norms);
        }
    }

    private void report(Job job, double seconds, MgGrid grid, int iterations, MemorySegment norms) {
        double last = norms.getAtIndex(JAVA_DOUBLE, 1);
        job.report("class", problem.name());
        job.report("size", problem.n() + "x" + problem.n() + "x" + problem.n());
        job.report("grid", grid.ranks()[0] + "x" + grid.ranks()[1] + "x" + grid.ranks()[2]);
        job.report("iterations", iterations);
        job.report("seconds", seconds);
        job.report("mops", problem.mops(iterations, seconds));
        job.report("norm", last);
        job.report("checksumDigest", String.format("%016x", Double.doubleToRawLongBits(last)));
        if (iterations >= problem.iterations()) {
            double error = problem.error(norms.getAtIndex(JAVA_DOUBLE, 0));
            job.report("largestError", error);
            job.report("verified", error <= MgClass.TOLERANCE);
        }
    }
}
