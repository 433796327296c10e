package org.ftrma.testkit.programs;

import static org.ftrma.testkit.programs.Mixer.LONG;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.LockType;
import org.ftrma.Window;
import org.ftrma.WindowKind;

/**
 * The windows of a tangled program, and what has to be complete before which bytes are touched again. Each window has,
 * at every rank, cells of the home alone, a slice of one cell for each rank alone, a cell where carried gets land,
 * cells of chains, and free cells whose role the plan draws.
 */
final class Tangle {
    private static final long SHAPE = 101;
    private static final AtomicOp[] INTEGER_OPS = {AtomicOp.SUM, AtomicOp.BXOR, AtomicOp.MIN, AtomicOp.MAX,
        AtomicOp.BAND, AtomicOp.BOR};
    private static final AtomicOp[] FLOAT_OPS = {AtomicOp.SUM, AtomicOp.MIN, AtomicOp.MAX};

    /**
     * A window of 8-byte cells; those of a float area hold whole numbers, so that sums do not depend on their order.
     */
    record Area(int index, Window window, int cells, boolean floats, boolean scratch) {
        MemorySegment own(int from, int count) {
            return window.memory().asSlice(from * 8L, count * 8L);
        }
    }

    /** The lock of a window at a rank. Locks are taken in the order of {@code number}. */
    record Guard(Area area, int home, int number) {
        void lock(LockType type) {
            area.window.lock(type, home);
        }

        void unlock() {
            area.window.unlock(home);
        }
    }

    /** What happens to cells in a phase. */
    enum Role { IDLE, ALONE, ADD, GUARDED, READ }

    /**
     * Cells of a window at a target. ALONE: {@code who} uses them in any way; ADD: the ranks in {@code mask} combine
     * into them by {@code op}; GUARDED: they change them by {@code op}, holding {@code guard}; READ: they read them.
     * {@code fetched}: each change tells what was there before.
     */
    record Region(Area area, int target, int from, int cells, Role role, int who, long mask, AtomicOp op,
        boolean narrow, boolean fetched, Guard guard,
        LockType lock) {
        boolean involves(int rank) {
            return switch (role) {
                case IDLE -> false;
                case ALONE -> rank == who;
                case ADD, GUARDED, READ -> (mask >> rank & 1) != 0;
            };
        }

        long offset() {
            return from * 8L;
        }

        Window window() {
            return area.window;
        }

        DataType type() {
            return area.floats ? DataType.FLOAT64 : narrow ? DataType.INT32 : DataType.INT64;
        }

        long elements(int ofCells) {
            return ofCells * 8L / type().bytes();
        }

        boolean overlaps(Region other) {
            return area == other.area && target == other.target && from < other.from + other.cells
                && other.from < from + cells;
        }
    }

    private record Place(Window window, int target) {
    }

    final RandomState state;
    final Set<Ingredient> without;
    final List<Area> areas = new ArrayList<>();
    final int homeCells;
    final int chainCells;
    private final Map<Region, Set<Place>> open = new HashMap<>();

    Tangle(RandomState state, Set<Ingredient> without, int chainCells) {
        this.state = state;
        this.without = without;
        this.chainCells = chainCells;
        SimRandom shape = state.plan(SHAPE, 0);
        homeCells = 1 + shape.below(3);
        int windows = 1 + shape.below(3);
        for (int i = 0; i < windows; i++) {
            int free = 2 + shape.below(8);
            boolean floats = shape.chance(250) && has(Ingredient.FLOATS);
            int cells = freeFrom() + free;
            areas.add(new Area(i, state.job.allocateWindow("tangle" + i, cells * 8L), cells, floats, false));
        }
        if (shape.chance(400) && has(Ingredient.SCRATCH)) {
            int cells = 1 + shape.below(6);
            areas.add(new Area(windows, state.job.allocateWindow("scratch", cells * 8L, WindowKind.SCRATCH), cells,
                false, true));
        }
    }

    boolean has(Ingredient ingredient) {
        return !without.contains(ingredient);
    }

    private int landing() {
        return homeCells + state.ranks;
    }

    /** The first cell of chains. */
    int chainsFrom() {
        return landing() + 1;
    }

    private int freeFrom() {
        return chainsFrom() + chainCells;
    }

    int freeFrom(Area area) {
        return area.scratch ? 0 : freeFrom();
    }

    Guard guard(int number) {
        return new Guard(areas.get(number / state.ranks), number % state.ranks, number);
    }

    Guard anyGuard(SimRandom random) {
        return guard(random.below(areas.size() * state.ranks));
    }

    AtomicOp anyOp(Area area, SimRandom random) {
        AtomicOp[] ops = area.floats ? FLOAT_OPS : INTEGER_OPS;
        return ops[random.below(ops.length)];
    }

    /** Any protected area. */
    Area anyKept(SimRandom random) {
        return areas.get(random.below(areas.getLast().scratch ? areas.size() - 1 : areas.size()));
    }

    private Region alone(Area area, int target, int from, int cells) {
        return new Region(area, target, from, cells, Role.ALONE, state.rank, 0, AtomicOp.SUM, false, true, null,
            LockType.EXCLUSIVE);
    }

    /** The cells that this rank has alone in its own window. */
    Region home(Area area) {
        return alone(area, state.rank, 0, homeCells);
    }

    /** The cell that this rank has alone at a target. */
    Region slice(Area area, int target) {
        return alone(area, target, homeCells + state.rank, 1);
    }

    /** The cell of the own window where gets of the next step land. */
    Region landing(Area area) {
        return alone(area, state.rank, landing(), 1);
    }

    long value(Area area) {
        long value = state.value();
        return area.floats ? Double.doubleToRawLongBits((value & 1023) - 512) : value;
    }

    MemorySegment values(Area area, int cells) {
        MemorySegment piece = state.stage(cells);
        for (int i = 0; i < cells; i++) {
            piece.setAtIndex(LONG, i, value(area));
        }
        return piece;
    }

    /** What the cell holds after an operation on its elements. */
    static long applied(AtomicOp op, DataType type, long before, long operand) {
        if (type != DataType.INT32) {
            return op.apply(type, before, operand);
        }
        long low = op.apply(type, (int) before, (int) operand) & 0xFFFFFFFFL;
        return op.apply(type, (int) (before >> 32), (int) (operand >> 32)) << 32 | low;
    }

    /** Notes that accesses of the region are under way towards a target. */
    void leave(Region region, Window window, int target) {
        open.computeIfAbsent(region, r -> new LinkedHashSet<>()).add(new Place(window, target));
    }

    /** Before the region is used again. */
    void settle(Region region) {
        for (Region other : List.copyOf(open.keySet())) {
            if (other.overlaps(region)) {
                open.remove(other).forEach(place -> place.window.flush(place.target));
            }
        }
    }

    /** All accesses of this rank are complete. */
    void completed() {
        open.clear();
    }

    void flushAll() {
        areas.forEach(area -> area.window.flushAll());
        completed();
    }
}
