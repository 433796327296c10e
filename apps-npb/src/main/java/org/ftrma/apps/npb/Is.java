package org.ftrma.apps.npb;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import org.ftrma.AtomicOp;
import org.ftrma.Channel;
import org.ftrma.Ftrma;
import org.ftrma.Job;
import org.ftrma.Program;

/**
 * NAS IS as a resilient program, {@code ./ftrma npb is --class A --ranks 2}: the ranks of many small whole numbers. One
 * step of the job is one ranking, before which two keys change. What must survive are the keys, and how many test keys
 * were right. Data thread only.
 */
public final class Is implements Program {
    private static final String[] REHEARSED = {"--class", "S", "--iterations", "24", "--warm-up", "0"};

    private final NpbOptions options;
    private final IsClass problem;
    private final Measurement measurement = new Measurement();

    Is(String[] args) {
        this(NpbOptions.parse(args));
    }

    private Is(NpbOptions options) {
        this.options = options;
        this.problem = IsClass.of(options.problem());
    }

    /** Runs this process's rank; returns when the job is done. */
    public static void main(String[] args) {
        Ftrma.run(args, new Is(args));
    }

    /** Class S: it takes the same way, whatever the class of the job is. */
    @Override
    public Program rehearsal() {
        return new Is(NpbOptions.parse(REHEARSED));
    }

    @Override
    public void run(Job job) {
        job.parameter("class", options.problem());
        boolean fresh = measurement.enter(job);
        Channel world = job.messages();
        int share = problem.on(job.ranks()).keys() / job.ranks();
        MemorySegment keys = job.protect("keys", (long) share * Integer.BYTES);
        MemorySegment passed = job.protect("passed", Long.BYTES);
        IsRanking ranking = new IsRanking(problem, world);
        job.initialize(() -> {
            IsKeys.draw(problem, (long) share * job.rank(), share, keys);
            measurement.warmUp(world, fresh, options.warmUpSeconds(), () -> {
                change(world, keys, 1);
                ranking.rank(keys, 1);
            });
            world.barrier();
            measurement.start();
        });
        measurement.start();
        int iterations = options.iterations(IsClass.ITERATIONS);
        for (long step : job.steps(iterations)) {
            change(world, keys, step);
            int right = ranking.rank(keys, step);
            passed.set(JAVA_LONG, 0, passed.get(JAVA_LONG, 0) + right);
        }
        double seconds = measurement.seconds(job, world);
        // Once more, untimed: a rank may have entered after the last step.
        ranking.rank(keys, iterations);
        boolean isSorted = ranking.isSorted();
        long right = world.allReduce(AtomicOp.SUM, passed.get(JAVA_LONG, 0));
        long digest = world.allReduce(AtomicOp.SUM, ranking.digest());
        if (job.rank() == 0) {
            job.report("checksumDigest", String.format("%016x", digest));
            report(job, seconds, iterations, right, isSorted);
        }
    }

    /** Rank 0 makes one key small and one large; from the eleventh time on they are so already. */
    private void change(Channel world, MemorySegment keys, long step) {
        if (world.rank() == 0) {
            int index = (int) Math.min(step, IsClass.ITERATIONS);
            keys.setAtIndex(JAVA_INT, index, index);
            keys.setAtIndex(JAVA_INT, index + IsClass.ITERATIONS, problem.maxKey() - index);
        }
    }

    private void report(Job job, double seconds, int iterations, long right, boolean isSorted) {
        job.report("class", problem.name());
        job.report("size", problem.keys());
        job.report("iterations", iterations);
        job.report("seconds", seconds);
        job.report("mops", problem.mops(iterations, seconds));
        job.report("ranksRight", right);
        job.report("sorted", isSorted);
        job.report("verified", isSorted && right == (long) problem.tests().length * iterations);
    }
}
