package org.ftrma.testkit.programs;

import static org.ftrma.testkit.programs.Mixer.LONG;

import java.lang.foreign.MemorySegment;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;

/** Now and then a collective; what it delivers is folded. */
final class RandomCollectives implements RandomPart {
    private static final long KIND = 31;
    /** Cells: those of four ranks do not fit into one buffer. */
    private static final int LARGE = 2100;
    private static final int LARGE_PER_MILLE = 150;
    private static final AtomicOp[] OPS = {AtomicOp.SUM, AtomicOp.MIN, AtomicOp.MAX, AtomicOp.BAND, AtomicOp.BOR,
        AtomicOp.BXOR};

    private final RandomState state;
    private final int perMille;

    RandomCollectives(RandomState state, int perMille) {
        this.state = state;
        this.perMille = perMille;
    }

    @Override
    public void step(long step) {
        SimRandom random = state.plan(KIND, step);
        if (random.chance(perMille)) {
            one(random);
        }
    }

    private void one(SimRandom random) {
        switch (random.below(6)) {
            case 0 -> state.job.barrier();
            case 1 -> state.fold(state.job.allReduce(OPS[random.below(OPS.length)], state.value()));
            case 2 -> state.fold(Double.doubleToRawLongBits(state.job.allReduce(AtomicOp.SUM,
                (double) (state.value() >> 40))));
            case 3 -> {
                int cells = 1 + random.below(3);
                MemorySegment all = state.stage(cells * state.ranks);
                state.job.allGather(state.stageValues(cells), all);
                state.foldAll(all);
            }
            case 4 -> {
                MemorySegment data = state.stageValues(1 + random.below(3));
                state.job.broadcast(data, random.below(state.ranks));
                state.foldAll(data);
            }
            default -> {
                boolean isLarge = random.chance(LARGE_PER_MILLE);
                MemorySegment mine = state.stageValues(isLarge ? LARGE : 1 + random.below(3));
                MemorySegment result = state.stage((int) (mine.byteSize() / LONG.byteSize()));
                state.job.allReduce(OPS[random.below(OPS.length)], random.chance(500) ? DataType.INT64 : DataType.INT32,
                    mine, result);
                state.foldAll(result);
            }
        }
    }
}
