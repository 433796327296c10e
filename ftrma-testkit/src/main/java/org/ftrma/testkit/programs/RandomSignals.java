package org.ftrma.testkit.programs;

import static org.ftrma.testkit.programs.Mixer.LONG;
import static org.ftrma.testkit.programs.Mixer.mix;

import java.lang.foreign.MemorySegment;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.Window;

/**
 * A ring of mailboxes without locks or collectives: data by put and flush, then a flag by an atomic; the receiver polls
 * the flag, reads, and acknowledges by an atomic at the sender, which waits for that before it writes again.
 */
final class RandomSignals implements RandomPart {
    private static final long SHAPE = 51;
    private static final long FLAG = 0;
    private static final long ACKNOWLEDGED = 8;
    private static final long DATA = 16;

    private final RandomState state;
    private final int cells;
    private final Window boxes;
    private final int right;
    private final int left;

    RandomSignals(RandomState state) {
        this.state = state;
        cells = 1 + state.plan(SHAPE, 0).below(4);
        boxes = state.job.allocateWindow("boxes", DATA + cells * 8L);
        right = (state.rank + 1) % state.ranks;
        left = (state.rank + state.ranks - 1) % state.ranks;
    }

    private void await(long offset, long value) {
        long found = Long.MIN_VALUE;
        while (found != value) {
            found = boxes.fetchAndOp(AtomicOp.NO_OP, DataType.INT64, 0, state.rank, offset);
            if (found > value) {
                // A signal that comes twice or too early must not hang the program.
                state.fold(mix(found, offset));
                return;
            }
        }
    }

    private void signal(long value, int target, long offset) {
        state.fold(boxes.fetchAndOp(AtomicOp.REPLACE, DataType.INT64, value, target, offset));
    }

    @Override
    public void step(long step) {
        await(ACKNOWLEDGED, step - 1);
        boxes.put(state.stageValues(cells), right, DATA);
        boxes.flush(right);
        signal(step, right, FLAG);
        await(FLAG, step);
        MemorySegment got = state.stage(cells);
        boxes.get(got, state.rank, DATA);
        boxes.flush(state.rank);
        state.foldAll(got);
        signal(step, left, ACKNOWLEDGED);
    }

    @Override
    public void store(SimProgram.Results results) {
        results.store("boxes", boxes.memory());
        state.fold(boxes.memory().get(LONG, FLAG));
    }
}
