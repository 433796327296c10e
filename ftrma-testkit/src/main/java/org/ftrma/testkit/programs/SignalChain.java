package org.ftrma.testkit.programs;

import static org.ftrma.testkit.programs.Mixer.LONG;

import java.lang.foreign.MemorySegment;
import org.ftrma.AtomicOp;
import org.ftrma.Comparison;
import org.ftrma.DataType;
import org.ftrma.Window;
import org.ftrma.testkit.programs.Tangle.Area;

/**
 * One rank hands cells on to another by a signal, and that one others to a third. The cells are of any window at any
 * rank, the flag is the receiver's, and the acknowledgement, by a signal too, the giver's.
 */
final class SignalChain {
    private static final long KIND = 141;
    private static final int CELLS = 2;
    private static final int FLAG = 2;
    private static final int ACKNOWLEDGED = 3;
    /** Cells of one hand-over at each place. */
    static final int PER_HOP = 4;

    private record Hop(int number, int from, int to, Area area, int target, Area flagArea) {
    }

    private final Tangle tangle;
    private final RandomState state;
    private final int firstCell;
    private final Hop[] hops;

    /** {@code cellsBefore}: those that other chains have. */
    SignalChain(Tangle tangle, int hopCount, int cellsBefore) {
        this.tangle = tangle;
        this.state = tangle.state;
        this.firstCell = cellsBefore;
        this.hops = new Hop[hopCount];
        for (int i = 0; i < hopCount; i++) {
            SimRandom plan = state.plan(KIND, i);
            int from = i == 0 ? plan.below(state.ranks) : hops[i - 1].to;
            int to = (from + 1 + plan.below(state.ranks - 1)) % state.ranks;
            int target = plan.chance(600) ? to : plan.below(state.ranks);
            hops[i] = new Hop(i, from, to, tangle.anyKept(plan), target, tangle.anyKept(plan));
        }
    }

    private long offset(Hop hop, int cell) {
        return (tangle.chainsFrom() + firstCell + hop.number * PER_HOP + cell) * 8L;
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

    private void give(Hop hop, long step) {
        SimRandom random = state.plan(KIND + 1 + hop.number, step);
        Window flags = hop.flagArea.window();
        state.fold(flags.waitUntil(offset(hop, ACKNOWLEDGED), Comparison.GE, step - 1));
        Window window = hop.area.window();
        MemorySegment values = tangle.values(hop.area, CELLS);
        boolean together = random.chance(400) && hop.target == hop.to && hop.area == hop.flagArea;
        if (together) {
            window.putSignal(values, hop.to, offset(hop, 0), step, offset(hop, FLAG));
            return;
        }
        for (int i = 0; i < CELLS; i++) {
            long value = values.getAtIndex(LONG, i);
            if (hop.target == state.rank && random.chance(400) && tangle.has(Ingredient.DIRECT)) {
                window.memory().set(LONG, offset(hop, i), value);
            } else if (random.chance(300) && !hop.area.floats()) {
                state.fold(window.fetchAndOp(AtomicOp.REPLACE, DataType.INT64, value, hop.target, offset(hop, i)));
            } else {
                window.putLong(value, hop.target, offset(hop, i));
            }
        }
        window.flush(hop.target);
        if (random.chance(300)) {
            flags.signal(AtomicOp.SUM, 1, hop.to, offset(hop, FLAG));
        } else {
            flags.signal(AtomicOp.REPLACE, step, hop.to, offset(hop, FLAG));
        }
    }

    private void take(Hop hop, long step) {
        SimRandom random = state.plan(KIND + 20 + hop.number, step);
        state.fold(hop.flagArea.window().waitUntil(offset(hop, FLAG), Comparison.EQ, step));
        Window window = hop.area.window();
        if (hop.target == state.rank && random.chance(700) && tangle.has(Ingredient.DIRECT)) {
            for (int i = 0; i < CELLS; i++) {
                state.fold(window.memory().get(LONG, offset(hop, i)));
            }
        } else {
            MemorySegment result = state.stage(CELLS);
            window.get(result, hop.target, offset(hop, 0));
            window.flushLocal(hop.target);
            state.foldAll(result);
        }
        hop.flagArea.window().signal(AtomicOp.REPLACE, step, hop.from, offset(hop, ACKNOWLEDGED));
    }
}
