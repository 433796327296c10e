package org.ftrma.apps.npb;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.ftrma.Channel;
import org.ftrma.Ftrma;
import org.ftrma.Job;
import org.ftrma.Program;

/**
 * NAS CG as a resilient program, {@code ./ftrma npb cg --class A --ranks 2}: the smallest eigenvalue of a large sparse
 * matrix, by the power method on its inverse. One step of the job is one iteration of that method. What must survive is
 * the vector x and the estimate; the matrix is made anew by each process. Data thread only.
 */
public final class Cg implements Program {
    private static final String[] REHEARSED = {"--class", "S", "--iterations", "24", "--warm-up", "0"};

    private final NpbOptions options;
    private final CgClass problem;
    private final Measurement measurement = new Measurement();
    private CgMatrix matrix;

    Cg(String[] args) {
        this(NpbOptions.parse(args));
    }

    private Cg(NpbOptions options) {
        this.options = options;
        this.problem = CgClass.of(options.problem());
    }

    /** Runs this process's rank; returns when the job is done. */
    public static void main(String[] args) {
        Ftrma.run(args, new Cg(args));
    }

    /** Class S: it takes the same way, whatever the class of the job is. */
    @Override
    public Program rehearsal() {
        return new Cg(NpbOptions.parse(REHEARSED));
    }

    @Override
    public void run(Job job) {
        job.parameter("class", options.problem());
        boolean fresh = measurement.enter(job);
        Channel world = job.messages();
        CgGrid grid = CgGrid.of(problem, job.ranks(), job.rank());
        MemorySegment x = job.protect("x", (long) grid.longest() * Double.BYTES);
        // That of the iteration that has a reference, and the last one.
        MemorySegment zeta = job.protect("zeta", 2 * Double.BYTES);
        if (matrix == null) {
            int column = grid.column();
            matrix = CgMatrix.block(problem, grid.firstRow(), grid.endRow(), grid.begin(column),
                grid.begin(column + 1));
        }
        CgSolver solver = new CgSolver(matrix, new CgExchange(world, grid), grid, problem.shift());
        job.initialize(() -> {
            measurement.warmUp(world, fresh, options.warmUpSeconds(), () -> {
                Arrays.fill(solver.x(), 1);
                solver.iterate();
            });
            Arrays.fill(solver.x(), 1);
            store(solver.x(), x);
            world.barrier();
            measurement.start();
        });
        measurement.start();
        int iterations = options.iterations(problem.iterations());
        for (long step : job.steps(iterations)) {
            load(x, solver.x());
            double estimate = solver.iterate();
            store(solver.x(), x);
            zeta.setAtIndex(JAVA_DOUBLE, 1, estimate);
            if (step == problem.iterations()) {
                zeta.setAtIndex(JAVA_DOUBLE, 0, estimate);
            }
        }
        report(job, measurement.seconds(job, world), grid, zeta);
    }

    private static void store(double[] vector, MemorySegment memory) {
        MemorySegment.copy(MemorySegment.ofArray(vector), 0, memory, 0, (long) vector.length * Double.BYTES);
    }

    private static void load(MemorySegment memory, double[] vector) {
        MemorySegment.copy(memory, 0, MemorySegment.ofArray(vector), 0, (long) vector.length * Double.BYTES);
    }

    private void report(Job job, double seconds, CgGrid grid, MemorySegment zeta) {
        if (job.rank() != 0) {
            return;
        }
        int iterations = options.iterations(problem.iterations());
        double last = zeta.getAtIndex(JAVA_DOUBLE, 1);
        job.report("class", problem.name());
        job.report("size", problem.na());
        job.report("grid", grid.rows() + "x" + grid.columns());
        job.report("iterations", iterations);
        job.report("seconds", seconds);
        job.report("mops", problem.mops(iterations, seconds));
        job.report("zeta", last);
        job.report("checksumDigest", String.format("%016x", Double.doubleToRawLongBits(last)));
        if (iterations >= problem.iterations()) {
            double error = problem.error(zeta.getAtIndex(JAVA_DOUBLE, 0));
            job.report("largestError", error);
            job.report("verified", error <= CgClass.TOLERANCE);
        }
    }
}
