package org.ftrma.testkit.programs;

import static org.ftrma.testkit.programs.Mixer.LONG;
import static org.ftrma.testkit.programs.Mixer.mix;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.Job;

/**
 * In every step a gather, a small reduction, and one whose contributions of all ranks do not fit into a buffer; what
 * they give is folded, and is contributed to the next ones. Sums of doubles tell in which order they were added.
 */
final class ReductionsProgram implements SimProgram {
    /** 24,000 bytes of each rank: with three ranks and more, too many for one buffer. */
    private static final int LARGE = 3000;
    private static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE;
    private final long steps;

    ReductionsProgram(long steps) {
        this.steps = steps;
    }

    @Override
    public String name() {
        return "reductions";
    }

    @Override
    public void run(Job job, Results results) {
        MemorySegment state = job.protect("state", 8);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment mine = arena.allocate(24, 8);
            MemorySegment all = arena.allocate(24L * job.ranks(), 8);
            MemorySegment large = arena.allocate(LARGE * 8L, 8);
            MemorySegment sums = arena.allocate(LARGE * 8L, 8);
            job.initialize(() -> state.set(LONG, 0, job.rank() + 1));
            for (long step : job.steps(steps)) {
                long folded = state.get(LONG, 0);
                for (int i = 0; i < 3; i++) {
                    mine.setAtIndex(LONG, i, mix(folded, i));
                }
                job.allGather(mine, all);
                folded = foldAll(folded, all);
                fill(large, folded + job.rank());
                job.allReduce(AtomicOp.SUM, DataType.FLOAT64, large, sums);
                folded = foldAll(folded, sums);
                job.allReduce(AtomicOp.MAXLOC, DataType.UINT64, large, sums); // with equal indices, and others
                folded = foldAll(folded, sums);
                double sum = job.allReduce(AtomicOp.SUM, value(folded, job.rank()));
                folded = mix(folded, Double.doubleToRawLongBits(sum));
                state.set(LONG, 0, mix(folded, job.rank()));
            }
        }
        results.store("state", state);
    }

    private static void fill(MemorySegment doubles, long seed) {
        for (int i = 0; i < LARGE; i++) {
            doubles.setAtIndex(DOUBLE, i, value(seed, i));
        }
    }

    /** Of very different sizes. */
    private static double value(long seed, long index) {
        long mixed = mix(seed, index);
        return Math.scalb((double) (mixed >> 20), (int) (mixed & 63));
    }

    private static long foldAll(long folded, MemorySegment data) {
        long result = folded;
        for (long i = 0; i < data.byteSize() / 8; i++) {
            result = mix(result, data.getAtIndex(LONG, i));
        }
        return result;
    }
}
