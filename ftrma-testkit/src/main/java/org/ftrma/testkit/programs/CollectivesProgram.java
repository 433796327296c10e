package org.ftrma.testkit.programs;

import static org.ftrma.testkit.programs.Mixer.LONG;
import static org.ftrma.testkit.programs.Mixer.mix;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.Job;

/** Every collective in every step; the results are folded into a protected segment. */
final class CollectivesProgram implements SimProgram {
    private final long steps;

    CollectivesProgram(long steps) {
        this.steps = steps;
    }

    @Override
    public String name() {
        return "collectives";
    }

    @Override
    public void run(Job job, Results results) {
        MemorySegment state = job.protect("state", 16);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment mine = arena.allocate(16, 8);
            MemorySegment all = arena.allocate(16L * job.ranks(), 8);
            job.initialize(() -> state.set(LONG, 0, job.rank()));
            for (long step : job.steps(steps)) {
                long folded = state.get(LONG, 0);
                folded = mix(folded, job.allReduce(AtomicOp.SUM, mix(folded, step)));
                folded = mix(folded, Double.doubleToRawLongBits(job.allReduce(AtomicOp.MAX, (double) (folded >>> 40))));
                mine.set(LONG, 0, folded);
                mine.set(LONG, 8, step);
                job.allGather(mine, all);
                for (int i = 0; i < job.ranks() * 2; i++) {
                    folded = mix(folded, all.getAtIndex(LONG, i));
                }
                mine.set(LONG, 0, folded);
                job.broadcast(mine, (int) (step % job.ranks()));
                folded = mix(folded, mine.get(LONG, 0));
                job.barrier();
                job.allReduce(AtomicOp.BXOR, DataType.INT64, mine, all.asSlice(0, 16));
                state.set(LONG, 0, mix(folded, all.get(LONG, 8)));
                state.set(LONG, 8, state.get(LONG, 8) + step);
            }
        }
        results.store("state", state);
    }
}
