package org.ftrma.testkit.programs;

import java.lang.foreign.MemorySegment;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.Window;
import org.ftrma.testkit.programs.Tangle.Area;
import org.ftrma.testkit.programs.Tangle.Region;

/**
 * Accesses to this rank's slices that are made at the end of a step and completed in the next one: what is got lands in
 * protected memory, or in the own window; what is put comes from protected memory.
 */
final class CarriedAccess {
    private static final long KIND = 131;
    private static final int MOST = 3;

    private final Tangle tangle;
    private final RandomState state;
    private final MemorySegment carried;

    CarriedAccess(Tangle tangle) {
        this.tangle = tangle;
        state = tangle.state;
        carried = state.job.protect("carried", MOST * 8);
    }

    private record Carried(int number, Region slice, int kind, boolean landing) {
    }

    /** What is under way at the end of a step: follows from the step alone. */
    private Carried[] of(long step) {
        SimRandom plan = state.plan(KIND + state.rank, step);
        if (!tangle.has(Ingredient.CARRIED) || step < 1) {
            return new Carried[0];
        }
        Carried[] all = new Carried[plan.below(MOST + 1)];
        int first = plan.below(state.ranks);
        for (int i = 0; i < all.length; i++) {
            // Different slices.
            Area area = tangle.areas.getFirst();
            int target = (first + i) % state.ranks;
            all[i] = new Carried(i, tangle.slice(area, target), plan.below(5), i == 0 && plan.chance(400));
        }
        return all.length > state.ranks ? new Carried[0] : all;
    }

    private MemorySegment memory(Carried one) {
        Region landing = tangle.landing(one.slice.area());
        return one.landing ? landing.area().own(landing.from(), 1) : carried.asSlice(one.number * 8L, 8);
    }

    /** At the end of a step, when nothing else is under way. */
    void begin(long step) {
        for (Carried one : of(step)) {
            MemorySegment memory = memory(one);
            Window window = one.slice.window();
            int target = one.slice.target();
            long offset = one.slice.offset();
            DataType type = one.slice.type();
            switch (one.kind) {
                case 0, 1 -> window.get(memory, target, offset);
                case 2 -> window.getAccumulate(AtomicOp.NO_OP, type, null, 0, memory, 0, target, offset, 1);
                case 3 -> {
                    memory.copyFrom(tangle.values(one.slice.area(), 1));
                    window.put(memory, target, offset);
                }
                default -> {
                    memory.copyFrom(tangle.values(one.slice.area(), 1));
                    window.accumulate(AtomicOp.MAX, type, memory, 0, target, offset, 1);
                }
            }
        }
    }

    /** In the next step, before the slices are used. */
    void complete(long step) {
        SimRandom random = state.plan(KIND + state.rank, -step);
        for (Carried one : of(step)) {
            if (one.kind > 2 || random.chance(500)) {
                one.slice.window().flush(one.slice.target());
            } else {
                one.slice.window().flushLocal(one.slice.target());
            }
            state.foldAll(memory(one));
        }
    }
}
