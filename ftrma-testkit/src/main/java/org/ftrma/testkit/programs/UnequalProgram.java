package org.ftrma.testkit.programs;

import static org.ftrma.testkit.programs.Mixer.LONG;
import static org.ftrma.testkit.programs.Mixer.mix;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.Job;
import org.ftrma.MisuseException;
import org.ftrma.Window;
import org.ftrma.WindowKind;

/**
 * Windows of which each rank has a size of its own: of the one rank 0 has nothing, of the other, a scratch window, the
 * last rank the least. Another window and a segment lie behind them in images. All bytes of all parts change, their
 * last ones, too.
 */
final class UnequalProgram implements SimProgram {
    /** Words of rank 1, of which the next one has two times as many; no part ends with a block. */
    private static final int WORDS = 700;

    private final long steps;

    UnequalProgram(long steps) {
        this.steps = steps;
    }

    @Override
    public String name() {
        return "unequal";
    }

    private static long words(Window window, int rank) {
        return window.bytes(rank) / 8;
    }

    @Override
    public void run(Job job, Results results) {
        int me = job.rank();
        int ranks = job.ranks();
        Window parts = job.allocateUnequal("parts", 8L * WORDS * me);
        Window scratch = job.allocateUnequal("scratch", 8L * (ranks - me), WindowKind.SCRATCH);
        Window behind = job.allocateWindow("behind", 40);
        MemorySegment state = job.protect("state", 8);
        for (int rank = 0; rank < ranks; rank++) {
            if (parts.bytes(rank) != 8L * WORDS * rank || scratch.bytes(rank) != 8L * (ranks - rank)) {
                throw new MisuseException("rank " + rank + " has " + parts.bytes(rank) + " and " + scratch.bytes(rank));
            }
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment row = arena.allocate(8L * 24, 8);
            for (long step : job.steps(steps)) {
                for (int target = 1; target < ranks; target++) {
                    long slice = words(parts, target) / ranks;
                    long first = me * slice + (step * 24 + me) % (slice - 24);
                    for (int i = 0; i < 24; i++) {
                        row.setAtIndex(LONG, i, mix(step, me, mix(target, i)) + state.get(LONG, 0));
                    }
                    parts.put(row, 0, target, 8 * first, 8 * 24);
                    parts.flush(target);
                }
                job.gsync();
                int next = 1 + (me + (int) step) % Math.max(1, ranks - 1);
                parts.fetchAndOp(AtomicOp.SUM, DataType.INT64, mix(step, me), next, parts.bytes(next) - 8);
                scratch.putLong(mix(me, step), (me + (int) step) % ranks, 0);
                behind.accumulate(AtomicOp.BXOR, mix(step, me, 3), me, 32);
                job.gsync();
                long last = parts.getLong(next, parts.bytes(next) - 8);
                state.set(LONG, 0, mix(state.get(LONG, 0), mix(last, me)));
                job.gsync();
            }
        }
        results.store("parts", parts.memory());
        results.store("behind", behind.memory());
        results.store("state", state);
    }
}
