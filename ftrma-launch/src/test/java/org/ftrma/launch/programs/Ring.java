package org.ftrma.launch.programs;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ftrma.AtomicOp;
import org.ftrma.Ftrma;
import org.ftrma.Job;
import org.ftrma.Window;

/**
 * Each step every rank adds its number and what its left neighbour wrote before to its own cell, and writes the sum to
 * its right neighbour. Arguments: number of steps, then optionally what goes wrong: throw@K, halt@K (rank 0, in step K,
 * every time), forget (a sum is kept in a variable), race (the cell is read before it has certainly been written); or
 * tell (every rank tells each step that it begins).
 */
public final class Ring {
    private Ring() {
    }

    public static void main(String[] args) {
        long steps = Long.parseLong(args[0]);
        String trouble = args.length > 1 ? args[1] : "";
        Ftrma.run(args, job -> run(job, steps, trouble));
    }

    private static void run(Job job, long steps, String trouble) {
        Window cells = job.allocateWindow("cells", 64);
        MemorySegment sum = job.protect("sum", 64);
        job.initialize(() -> sum.set(ValueLayout.JAVA_LONG, 0, job.rank()));
        int right = (job.rank() + 1) % job.ranks();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(8, 8);
            long forgotten = 0;
            for (long step : job.steps(steps)) {
                if (trouble.equals("forget")) {
                    forgotten += step;
                    cells.putLong(forgotten, right, 16);
                }
                if (job.rank() == 0) {
                    if (step == 1) {
                        System.out.println("ring of " + job.ranks() + " begins");
                    }
                    makeTrouble(trouble, step);
                }
                if (trouble.equals("tell")) {
                    System.out.println("rank " + job.rank() + " begins step " + step);
                }
                long next = sum.get(ValueLayout.JAVA_LONG, 0) * 31 + cells.memory().get(ValueLayout.JAVA_LONG, 0)
                    + job.rank() + step;
                sum.set(ValueLayout.JAVA_LONG, 0, next);
                job.gsync();
                value.set(ValueLayout.JAVA_LONG, 0, next);
                cells.put(value, right, 0);
                if (trouble.equals("race")) {
                    cells.getLong(job.rank(), 0);
                }
                job.gsync();
            }
        }
        long total = job.allReduce(AtomicOp.SUM, sum.get(ValueLayout.JAVA_LONG, 0));
        job.report("checksumDigest", Long.toHexString(total));
        job.report("verified", total == expected(job.ranks(), steps));
    }

    private static void makeTrouble(String trouble, long step) {
        if (trouble.equals("throw@" + step)) {
            throw new IllegalStateException("thrown on purpose in step " + step);
        }
        if (trouble.equals("halt@" + step)) {
            Runtime.getRuntime().halt(9);
        }
    }

    /** The same without windows. */
    static long expected(int ranks, long steps) {
        long[] sums = new long[ranks];
        long[] cells = new long[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            sums[rank] = rank;
        }
        for (long step = 1; step <= steps; step++) {
            for (int rank = 0; rank < ranks; rank++) {
                sums[rank] = sums[rank] * 31 + cells[rank] + rank + step;
            }
            for (int rank = 0; rank < ranks; rank++) {
                cells[(rank + 1) % ranks] = sums[rank];
            }
        }
        long total = 0;
        for (long sum : sums) {
            total += sum;
        }
        return total;
    }
}
