package org.ftrma.testkit.programs;

import static org.ftrma.testkit.programs.Mixer.LONG;
import static org.ftrma.testkit.programs.Mixer.mix;

import java.lang.foreign.MemorySegment;
import org.ftrma.Window;

/**
 * Values that the program does not determine: each rank notes one at its neighbour and one in memory of its own, and
 * later compares them. The value also decides in which order two accesses are made. Another incarnation draws another
 * value: a re-execution that does not get the first one finds notes that differ. In the end the notes are erased, since
 * they may differ from run to run.
 */
final class RandomChance implements RandomPart {
    private static final long KIND = 41;

    private final RandomState state;
    private final Window notes;
    private final MemorySegment own;
    private final int neighbour;

    RandomChance(RandomState state) {
        this.state = state;
        notes = state.job.allocateWindow("notes", state.ranks * 24L);
        own = state.job.protect("note", 8);
        neighbour = (state.rank + 1) % state.ranks;
    }

    @Override
    public void step(long step) {
        SimRandom random = state.plan(KIND + state.rank, step);
        if (random.chance(500)) {
            draw(step);
        }
        if (random.chance(500)) {
            state.fold(notes.getLong(neighbour, state.rank * 24L) == own.get(LONG, 0) ? 1 : 2);
        }
    }

    private void draw(long step) {
        long value = state.job.nondeterministic(() -> mix(state.rank, step, state.job.incarnation()));
        notes.putLong(value, neighbour, state.rank * 24L);
        boolean upwards = (value & 1) == 0;
        for (int i = 0; i < 2; i++) {
            int cell = upwards ? 1 + i : 2 - i;
            notes.putLong(mix(step, cell), neighbour, state.rank * 24L + cell * 8L);
        }
        notes.flush(neighbour);
        own.set(LONG, 0, value);
    }

    @Override
    public void finish() {
        state.fold(notes.getLong(neighbour, state.rank * 24L) == own.get(LONG, 0) ? 1 : 2);
        notes.putLong(0, neighbour, state.rank * 24L);
        own.set(LONG, 0, 0);
    }

    @Override
    public void store(SimProgram.Results results) {
        results.store("notes", notes.memory());
    }
}
