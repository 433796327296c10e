package org.ftrma.testkit.programs;

import static org.ftrma.testkit.programs.Mixer.LONG;
import static org.ftrma.testkit.programs.Mixer.mix;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.Window;

/**
 * Atomics and flush under shared locks of all ranks, held over all steps. At every rank the window has fetched cells,
 * which all change by fetching accesses, each cell by one operation; combined cells, which all change by accesses that
 * fetch nothing; and cells of each single rank, which finds there what it wrote before. An eager program leaves
 * accumulates incomplete at the end of a step.
 */
final class RandomAtomics implements RandomPart {
    private static final long SHAPE = 81;
    private static final long ACCESS = 82;
    /** How each fetched cell is changed; as two 32-bit halves where it says so. */
    private static final AtomicOp[] OPS = {AtomicOp.SUM, AtomicOp.BXOR, AtomicOp.MAX, AtomicOp.BOR, AtomicOp.SUM};
    private static final int NARROW = 4;

    private final RandomState state;
    private final boolean eager;
    private final int fetched;
    private final int combined;
    private final int owned;
    private final int most;
    private final Window window;

    RandomAtomics(RandomState state, boolean eager) {
        this.state = state;
        this.eager = eager;
        SimRandom shape = state.plan(SHAPE, 0);
        fetched = 1 + shape.below(4);
        combined = 1 + shape.below(3);
        owned = 1 + shape.below(2);
        most = 2 + shape.below(4);
        window = state.job.allocateWindow("atoms", (fetched + combined + (long) state.ranks * owned) * 8);
    }

    @Override
    public void initialize() {
        for (int i = 0; i < window.bytes() / 8; i++) {
            window.memory().setAtIndex(LONG, i, mix(state.rank, i, SHAPE));
        }
        window.lockAll();
    }

    private int opOf(int cell) {
        return (int) Math.floorMod(mix(cell, SHAPE), (long) OPS.length);
    }

    private long ownedOffset() {
        return (fetched + combined + (long) state.rank * owned) * 8;
    }

    @Override
    public void step(long step) {
        if (eager && step > 1) {
            window.flushAll();
            state.quiet();
        }
        SimRandom random = state.plan(ACCESS + state.rank, step);
        int accesses = 1 + random.below(most);
        for (int i = 0; i < accesses; i++) {
            one(random, random.below(state.ranks));
        }
        if (eager) {
            combine(random, random.below(state.ranks));
            state.leaveOpen();
        } else {
            window.flushAll();
        }
    }

    private void one(SimRandom random, int target) {
        int cell = random.below(fetched);
        switch (random.below(7)) {
            case 0, 1 -> fetchAndOp(cell, target);
            case 2 -> swap(cell, target);
            case 3 -> fetchSeveral(cell, target, random.chance(500));
            case 4 -> combine(random, target);
            case 5 -> window.flush(target);
            default -> useOwned(random, target);
        }
    }

    private void telescope(DataType type, int op, long old, long operand) {
        state.telescope(old, OPS[op].apply(type, old, operand));
    }

    private void fetchAndOp(int cell, int target) {
        int op = opOf(cell);
        if (op == NARROW) {
            for (int half = 0; half < 2; half++) {
                int operand = (int) state.value();
                telescope(DataType.INT32, op, window.fetchAndOp(OPS[op], DataType.INT32, operand, target,
                    cell * 8L + half * 4L), operand);
            }
        } else {
            long operand = state.value();
            telescope(DataType.INT64, op, window.fetchAndOp(OPS[op], DataType.INT64, operand, target, cell * 8L),
                operand);
        }
    }

    /** The same change by compare-and-swap. */
    private void swap(int cell, int target) {
        int op = opOf(cell);
        DataType type = op == NARROW ? DataType.INT32 : DataType.INT64;
        long operand = op == NARROW ? (int) state.value() : state.value();
        long expected = window.fetchAndOp(AtomicOp.NO_OP, type, 0, target, cell * 8L);
        while (true) {
            long desired = OPS[op].apply(type, expected, operand);
            long old = window.compareAndSwap(type, expected, desired, target, cell * 8L);
            if (old == expected) {
                state.telescope(old, desired);
                return;
            }
            expected = old;
        }
    }

    /** Neighbouring cells with the same operation and width, by one access. */
    private void fetchSeveral(int first, int target, boolean byRequest) {
        int op = opOf(first);
        int cells = 1;
        while (first + cells < fetched && opOf(first + cells) == op) {
            cells++;
        }
        DataType type = op == NARROW ? DataType.INT32 : DataType.INT64;
        MemorySegment operands = state.stageValues(cells);
        MemorySegment results = state.stage(cells);
        long count = operands.byteSize() / type.bytes();
        if ((first + target & 1) == 0) {
            long each = 8 / type.bytes();
            if (byRequest) {
                window.rgetAccumulateStrided(OPS[op], type, operands, 0, 8, results, 0, 8, target, first * 8L, 8, each,
                    cells).await();
            } else {
                window.getAccumulateStrided(OPS[op], type, operands, 0, 8, results, 0, 8, target, first * 8L, 8, each,
                    cells);
                window.flush(target);
            }
        } else if (byRequest) {
            window.rgetAccumulate(OPS[op], type, operands, 0, results, 0, target, first * 8L, count).await();
        } else {
            window.getAccumulate(OPS[op], type, operands, 0, results, 0, target, first * 8L, count);
            window.flush(target);
        }
        for (long i = 0; i < count; i++) {
            telescope(type, op, element(type, results, i), element(type, operands, i));
        }
    }

    private static long element(DataType type, MemorySegment segment, long index) {
        return type == DataType.INT32 ? segment.getAtIndex(ValueLayout.JAVA_INT, index)
            : segment.getAtIndex(LONG, index);
    }

    private void combine(SimRandom random, int target) {
        int from = random.below(combined);
        int cells = 1 + random.below(combined - from);
        window.accumulate(AtomicOp.SUM, DataType.INT64, state.stageValues(cells), 0, target, (fetched + from) * 8L,
            cells);
        if (random.chance(300)) {
            window.flushLocal(target);
        }
    }

    private void useOwned(SimRandom random, int target) {
        if (random.chance(600)) {
            MemorySegment found = state.stage(owned);
            window.get(found, target, ownedOffset());
            window.flush(target);
            state.foldAll(found);
        }
        window.put(state.stageValues(owned), target, ownedOffset());
        window.flush(target);
    }

    @Override
    public void finish() {
        window.unlockAll();
    }

    @Override
    public void store(SimProgram.Results results) {
        results.store("atoms", window.memory());
    }
}
