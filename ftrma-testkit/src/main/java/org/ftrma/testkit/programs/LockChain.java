package org.ftrma.testkit.programs;

import static org.ftrma.testkit.programs.Mixer.LONG;
import static org.ftrma.testkit.programs.Mixer.mix;

import java.lang.foreign.MemorySegment;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.LockType;
import org.ftrma.Window;
import org.ftrma.testkit.programs.Tangle.Area;
import org.ftrma.testkit.programs.Tangle.Guard;

/**
 * One rank hands cells on to another by a lock, and that one others to a third. The cells, the flag and the lock are of
 * any windows at any ranks. The receiver takes the lock again and again until it finds the flag. The giver waits
 * likewise for the acknowledgement before it writes the cells again.
 */
final class LockChain {
    private static final long KIND = 121;
    private static final int CELLS = 2;
    private static final int FLAG = 2;
    private static final int ACKNOWLEDGED = 3;
    /** Cells of one hand-over at each place. */
    static final int PER_HOP = 4;

    /** How the cells are handed over. */
    private enum Way {
        /** Written under the lock, together with the flag. */
        UNDER,
        /** Written before the lock is taken for the flag. */
        BEFORE,
        /** Written before the lock is taken for nothing; the flag follows as an atomic. */
        EMPTY
    }

    private record Hop(int number, int from, int to, Guard guard, Area area, int target, Area flagArea, int flagTarget,
        Way way) {
    }

    private final Tangle tangle;
    private final RandomState state;
    private final Hop[] hops;
    /** A cell that nobody changes. */
    private final Window idle;

    LockChain(Tangle tangle, int hopCount) {
        this.tangle = tangle;
        state = tangle.state;
        hops = new Hop[hopCount];
        idle = hopCount == 0 ? null : state.job.allocateWindow("idle", 8);
        for (int i = 0; i < hopCount; i++) {
            SimRandom plan = state.plan(KIND, i);
            int from = i == 0 ? plan.below(state.ranks) : hops[i - 1].to;
            int to = (from + 1 + plan.below(state.ranks - 1)) % state.ranks;
            int target = plan.chance(500) ? to : plan.below(state.ranks);
            int flagTarget = plan.chance(400) ? to : plan.below(state.ranks);
            hops[i] = new Hop(i, from, to, tangle.anyGuard(plan), tangle.anyKept(plan), target, tangle.anyKept(plan),
                flagTarget,
                Way.values()[plan.below(Way.values().length)]);
        }
    }

    private long offset(Hop hop, int cell) {
        return (tangle.chainsFrom() + hop.number * PER_HOP + cell) * 8L;
    }

    /** The first hand-over, which waits for nothing of this step. */
    void begin(long step) {
        if (hops.length > 0 && hops[0].from == state.rank) {
            give(hops[0], step);
        }
    }

    /** The rest; at the end of a step's accesses. */
    void pass(long step) {
        for (Hop hop : hops) {
            if (hop.number > 0 && hop.from == state.rank) {
                give(hop, step);
            }
            if (hop.to == state.rank) {
                take(hop, step);
            }
        }
    }

    private long readFlag(Hop hop, int cell, SimRandom random) {
        Window window = hop.flagArea.window();
        if (hop.flagTarget == state.rank && random.chance(500) && tangle.has(Ingredient.DIRECT)) {
            return window.memory().get(LONG, offset(hop, cell));
        }
        return window.getLong(hop.flagTarget, offset(hop, cell));
    }

    /** Returns when the cell is of that value, with the lock held. */
    private void lockWhen(Hop hop, int cell, long value, LockType type, SimRandom random) {
        long choice = random.next();
        for (int tries = 0;; tries++) {
            hop.guard.lock(type);
            // Each try is made in the same way: how many there are is a matter of chance.
            long found = readFlag(hop, cell, new SimRandom(choice));
            if (found == value) {
                return;
            }
            if (found > value) {
                state.fold(mix(found, value));
                return;
            }
            hop.guard.unlock();
            Mixer.pause(state.job, idle, 0, tries);
        }
    }

    private void write(Hop hop, SimRandom random) {
        Window window = hop.area.window();
        for (int i = 0; i < CELLS; i++) {
            long value = tangle.value(hop.area);
            if (hop.target == state.rank && random.chance(400) && tangle.has(Ingredient.DIRECT)) {
                window.memory().set(LONG, offset(hop, i), value);
            } else if (random.chance(400) && !hop.area.floats()) {
                state.fold(window.fetchAndOp(AtomicOp.REPLACE, DataType.INT64, value, hop.target, offset(hop, i)));
            } else {
                window.putLong(value, hop.target, offset(hop, i));
            }
        }
        window.flush(hop.target);
    }

    private void setFlag(Hop hop, int cell, long value, boolean atomic) {
        if (atomic) {
            state.fold(hop.flagArea.window().fetchAndOp(AtomicOp.REPLACE, DataType.INT64, value, hop.flagTarget,
                offset(hop, cell)));
        } else {
            hop.flagArea.window().putLong(value, hop.flagTarget, offset(hop, cell));
        }
        hop.flagArea.window().flush(hop.flagTarget);
    }

    private void give(Hop hop, long step) {
        SimRandom random = state.plan(KIND + 1 + hop.number, step);
        boolean atomic = (hop.number + hop.from & 1) == 0;
        lockWhen(hop, ACKNOWLEDGED, step - 1, LockType.EXCLUSIVE, random);
        if (hop.way != Way.UNDER) {
            hop.guard.unlock();
        }
        write(hop, random);
        switch (hop.way) {
            case UNDER -> {
                setFlag(hop, FLAG, step, atomic);
                hop.guard.unlock();
            }
            case BEFORE -> {
                hop.guard.lock(LockType.EXCLUSIVE);
                setFlag(hop, FLAG, step, atomic);
                hop.guard.unlock();
            }
            case EMPTY -> {
                hop.guard.lock(LockType.EXCLUSIVE);
                hop.guard.unlock();
                setFlag(hop, FLAG, step, true);
            }
        }
    }

    private void take(Hop hop, long step) {
        SimRandom random = state.plan(KIND + 20 + hop.number, step);
        if (hop.way == Way.EMPTY) {
            long found = -1;
            for (int tries = 0; found < step; tries++) {
                Mixer.pause(state.job, idle, 0, tries);
                found = hop.flagArea.window().fetchAndOp(AtomicOp.NO_OP, DataType.INT64, 0, hop.flagTarget,
                    offset(hop, FLAG));
            }
            state.fold(found);
            hop.guard.lock(LockType.EXCLUSIVE);
        } else {
            lockWhen(hop, FLAG, step, random.chance(300) ? LockType.SHARED : LockType.EXCLUSIVE, random);
        }
        boolean after = random.chance(500);
        if (after) {
            hop.guard.unlock();
        }
        readCells(hop, random);
        if (!after) {
            hop.guard.unlock();
        }
        hop.guard.lock(LockType.EXCLUSIVE);
        setFlag(hop, ACKNOWLEDGED, step, (hop.number + hop.to & 1) == 0);
        hop.guard.unlock();
    }

    private void readCells(Hop hop, SimRandom random) {
        Window window = hop.area.window();
        if (hop.target == state.rank && random.chance(600) && tangle.has(Ingredient.DIRECT)) {
            for (int i = 0; i < CELLS; i++) {
                state.fold(window.memory().get(LONG, offset(hop, i)));
            }
        } else {
            MemorySegment result = state.stage(CELLS);
            window.get(result, hop.target, offset(hop, 0));
            window.flushLocal(hop.target);
            state.foldAll(result);
        }
    }
}
