package org.ftrma.testkit.programs;

import static org.ftrma.testkit.programs.Mixer.LONG;
import static org.ftrma.testkit.programs.Mixer.mix;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.Window;
import org.ftrma.WindowKind;

/**
 * Phases between gsyncs. In each phase every window at every rank is cut into regions, and each region has one role:
 * one rank writes it, or some read it, or some combine into it with one operation, or one rank uses fetching accesses,
 * or its home uses it directly. So no two accesses of a phase conflict. An eager program also makes half of a phase's
 * accesses at the end of a step, leaves them incomplete, and makes the other half at the beginning of the next step:
 * the checkpoint in between has to complete them.
 */
final class RandomGsync implements RandomPart {
    private static final long SHAPE = 61;
    private static final long PHASE = 62;
    private static final long ORDER = 63;
    private static final long EXCHANGE = 64;
    private static final long PHASE_STRIDE = 1L << 32;
    private static final long TAIL = 99;
    private static final AtomicOp[] INTEGER_OPS = {AtomicOp.SUM, AtomicOp.MIN, AtomicOp.MAX, AtomicOp.BAND,
        AtomicOp.BOR, AtomicOp.BXOR};
    private static final AtomicOp[] FLOAT_OPS = {AtomicOp.SUM, AtomicOp.MIN, AtomicOp.MAX};

    private enum Role { IDLE, PUT, READ, COMBINE, FETCH, OWN }

    /**
     * Cells of a window at a target with their role: {@code who} has it alone, or the ranks in {@code mask} together.
     */
    private record Region(Area area, int target, int from, int cells, Role role, int who, long mask, AtomicOp op,
        boolean narrow) {
        boolean involves(int rank) {
            return switch (role) {
                case IDLE -> false;
                case PUT, FETCH -> rank == who;
                case READ, COMBINE -> (mask >> rank & 1) != 0;
                case OWN -> rank == target;
            };
        }

        long offset() {
            return from * 8L;
        }

        /** Whether blocks go by a request. */
        boolean byRequest() {
            return (from & 1) == 0;
        }

        /** Whether only every other cell is fetched, by one access of blocks. */
        boolean byBlocks() {
            return (from + target & 1) == 0;
        }
    }

    /** A window of 8-byte cells; float cells hold whole numbers, so that sums do not depend on their order. */
    private record Area(int index, Window window, int cells, boolean floats) {
    }

    private final RandomState state;
    private final List<Area> areas = new ArrayList<>();
    private final int phases;
    private final boolean eager;
    private final Window exchange;
    private final int slotCells;

    RandomGsync(RandomState state) {
        this.state = state;
        SimRandom shape = state.plan(SHAPE, 0);
        int windows = 1 + shape.below(2);
        for (int i = 0; i < windows; i++) {
            int cells = 3 + shape.below(12);
            areas.add(new Area(i, state.job.allocateWindow("area" + i, cells * 8L), cells, shape.chance(300)));
        }
        phases = 1 + shape.below(3);
        eager = shape.chance(400);
        slotCells = 1 + shape.below(3);
        exchange = shape.chance(400) ? state.job.allocateWindow("exchange", 8L * slotCells * state.ranks,
            WindowKind.SCRATCH) : null;
    }

    private long value(Area area) {
        long value = state.value();
        return area.floats ? Double.doubleToRawLongBits((value & 1023) - 512) : value;
    }

    private MemorySegment values(Area area, int cells) {
        MemorySegment piece = state.stage(cells);
        for (int i = 0; i < cells; i++) {
            piece.setAtIndex(LONG, i, value(area));
        }
        return piece;
    }

    @Override
    public void initialize() {
        for (Area area : areas) {
            for (int i = 0; i < area.cells; i++) {
                area.window.memory().setAtIndex(LONG, i,
                    area.floats ? Double.doubleToRawLongBits(state.rank * 8 + i) : mix(state.rank, i));
            }
        }
    }

    @Override
    public void step(long step) {
        if (eager && step > 1) {
            accesses(TAIL * PHASE_STRIDE + step - 1, 1);
            complete();
        }
        for (int phase = 0; phase < phases; phase++) {
            accesses(phase * PHASE_STRIDE + step, 0);
            accesses(phase * PHASE_STRIDE + step, 1);
            complete();
        }
        if (exchange != null && state.plan(EXCHANGE, step).chance(600)) {
            exchange(step);
        }
        if (eager) {
            accesses(TAIL * PHASE_STRIDE + step, 0);
            state.leaveOpen();
        }
    }

    @Override
    public void finish() {
        if (eager) {
            accesses(TAIL * PHASE_STRIDE + state.step() - 1, 1);
            complete();
        }
    }

    private void complete() {
        state.job.gsync();
        state.quiet();
    }

    /** One half of this rank's accesses of a phase, in an order of its own. */
    private void accesses(long phase, int half) {
        boolean tail = phase / PHASE_STRIDE == TAIL;
        List<Region> mine = new ArrayList<>();
        for (Area area : areas) {
            for (int target = 0; target < state.ranks; target++) {
                SimRandom plan = state.plan(PHASE + area.index, phase * 64 + target);
                for (int at = 0; at < area.cells;) {
                    Region region = region(plan, area, target, at);
                    at += region.cells;
                    if ((mix(phase, region.from, target * 64L + state.rank) & 1) == half
                        && region.involves(state.rank)) {
                        mine.add(region);
                    }
                }
            }
        }
        SimRandom random = state.plan(ORDER + half, phase * 64 + state.rank);
        for (Region region : RandomProgram.shuffled(mine, random)) {
            access(region, random);
            if (tail && region.role == Role.READ) {
                // What was got must not be needed after the end of the step.
                region.area.window.flushLocal(region.target);
                state.foldExpected();
            }
            if (random.chance(150)) {
                flush(region.area.window, region.target, random.below(4));
            }
        }
    }

    private Region region(SimRandom plan, Area area, int target, int at) {
        int cells = Math.min(area.cells - at, 1 + plan.below(5));
        Role role = Role.values()[plan.below(Role.values().length)];
        AtomicOp[] ops = area.floats ? FLOAT_OPS : INTEGER_OPS;
        return new Region(area, target, at, cells, role, plan.below(state.ranks), plan.next(),
            ops[plan.below(ops.length)],
            !area.floats && plan.chance(300));
    }

    private static void flush(Window window, int target, int how) {
        switch (how) {
            case 0 -> window.flush(target);
            case 1 -> window.flushAll();
            case 2 -> window.flushLocal(target);
            default -> window.flushLocalAll();
        }
    }

    private void access(Region region, SimRandom random) {
        switch (region.role) {
            case PUT -> put(region, random);
            case READ -> read(region, random);
            case COMBINE -> combine(region, random);
            case FETCH -> fetch(region, random);
            case OWN -> own(region);
            case IDLE -> { }
        }
    }

    private void put(Region region, SimRandom random) {
        Window window = region.area.window;
        MemorySegment source = values(region.area, region.cells);
        switch (random.below(7)) {
            case 0 -> {
                for (int i = 0; i < region.cells; i++) {
                    window.putLong(source.getAtIndex(LONG, i), region.target, region.offset() + i * 8L);
                }
            }
            case 1 -> {
                if (region.byRequest()) {
                    window.rputStrided(source, 0, 16, region.target, region.offset(), 16, 8, (region.cells + 1) / 2)
                        .await();
                } else {
                    window.putStrided(source, 0, 16, region.target, region.offset(), 16, 8, (region.cells + 1) / 2);
                }
                if (region.cells > 1) {
                    window.putStrided(source, 8, 16, region.target, region.offset() + 8, 16, 8, region.cells / 2);
                }
            }
            case 2 -> window.rput(source, 0, region.target, region.offset(), source.byteSize()).await();
            case 3 -> window.accumulate(AtomicOp.REPLACE, region.area.floats ? DataType.FLOAT64 : DataType.INT64,
                source, 0, region.target,
                region.offset(), region.cells);
            case 4, 5 -> {
                state.job.progress(); // data of what is put now may come to the log later
                MemorySegment staged = window.stage(region.target, source.byteSize());
                staged.copyFrom(source);
                if (random.below(2) == 0) {
                    window.put(staged, 0, region.target, region.offset(), source.byteSize());
                } else {
                    window.putStrided(staged, 0, 8, region.target, region.offset(), 8, 8, region.cells);
                }
            }
            default -> window.put(source, region.target, region.offset());
        }
    }

    private void read(Region region, SimRandom random) {
        Window window = region.area.window;
        switch (random.below(4)) {
            case 0 -> state.fold(window.getLong(region.target, region.offset()));
            case 1 -> {
                int every = (region.cells + 1) / 2;
                if (region.byRequest()) {
                    MemorySegment result = state.stage(every);
                    window.rgetStrided(result, 0, 8, region.target, region.offset(), 16, 8, every).await();
                    state.foldAll(result);
                    return;
                }
                MemorySegment result = state.expect(every);
                window.getStrided(result, 0, 8, region.target, region.offset(), 16, 8, every);
            }
            case 2 -> {
                MemorySegment result = state.stage(region.cells);
                window.rget(result, 0, region.target, region.offset(), result.byteSize()).await();
                state.foldAll(result);
            }
            default -> window.get(state.expect(region.cells), region.target, region.offset());
        }
    }

    private static DataType type(Region region) {
        return region.area.floats ? DataType.FLOAT64 : region.narrow ? DataType.INT32 : DataType.INT64;
    }

    private void combine(Region region, SimRandom random) {
        Window window = region.area.window;
        DataType type = type(region);
        MemorySegment source = values(region.area, region.cells);
        long count = source.byteSize() / type.bytes();
        switch (random.below(3)) {
            case 0 -> {
                long each = 8 / type.bytes();
                long blocks = (region.cells + 1) / 2;
                if (region.byRequest()) {
                    window.raccumulateStrided(region.op, type, source, 0, 16, region.target, region.offset(), 16, each,
                        blocks).await();
                } else {
                    window.accumulateStrided(region.op, type, source, 0, 16, region.target, region.offset(), 16, each,
                        blocks);
                }
            }
            case 1 -> window.raccumulate(region.op, type, source, 0, region.target, region.offset(), count).await();
            default -> window.accumulate(region.op, type, source, 0, region.target, region.offset(), count);
        }
    }

    private void fetch(Region region, SimRandom random) {
        Window window = region.area.window;
        DataType type = type(region);
        MemorySegment result = state.stage(region.cells).fill((byte) 0);
        long count = result.byteSize() / type.bytes();
        int kind = random.below(region.area.floats ? 3 : 5);
        switch (kind) {
            case 0 -> {
                window.getAccumulate(AtomicOp.NO_OP, type, null, 0, result, 0, region.target, region.offset(), count);
                window.flush(region.target);
            }
            case 1 -> {
                MemorySegment source = values(region.area, region.cells);
                if (region.byBlocks()) {
                    window.rgetAccumulateStrided(region.op, type, source, 0, 16, result, 0, 16, region.target,
                        region.offset(), 16, 8 / type.bytes(),
                        (region.cells + 1) / 2).await();
                } else {
                    window.rgetAccumulate(region.op, type, source, 0, result, 0, region.target, region.offset(), count)
                        .await();
                }
            }
            case 2 -> {
                AtomicOp op = random.chance(300) ? AtomicOp.REPLACE : region.op;
                MemorySegment source = values(region.area, region.cells);
                if (region.byBlocks()) {
                    window.getAccumulateStrided(op, type, source, 0, 16, result, 0, 16, region.target, region.offset(),
                        16, 8 / type.bytes(),
                        (region.cells + 1) / 2);
                } else {
                    window.getAccumulate(op, type, source, 0, result, 0, region.target, region.offset(), count);
                }
                window.flushLocal(region.target);
            }
            case 3 -> {
                for (long i = 0; i < count; i++) {
                    state.fold(window.fetchAndOp(region.op, type, state.value(), region.target,
                        region.offset() + i * type.bytes()));
                }
                return;
            }
            default -> {
                long old = random.chance(700) ? window.fetchAndOp(AtomicOp.NO_OP, type, 0, region.target,
                    region.offset()) : state.value();
                state.fold(window.compareAndSwap(type, old, state.value(), region.target, region.offset()));
                return;
            }
        }
        state.foldAll(result);
    }

    private void own(Region region) {
        for (int i = region.from; i < region.from + region.cells; i++) {
            state.fold(region.area.window.memory().getAtIndex(LONG, i));
            region.area.window.memory().setAtIndex(LONG, i, value(region.area));
        }
    }

    /** Blocks into the slots of a scratch window; gsync; they are read by their home or by others; gsync. */
    private void exchange(long step) {
        SimRandom plan = state.plan(EXCHANGE, -step);
        long slotBytes = slotCells * 8L;
        int readers = 1 + plan.below(2);
        for (int source = 0; source < state.ranks; source++) {
            for (int target = 0; target < state.ranks; target++) {
                if (plan.chance(500) && source == state.rank) {
                    exchange.put(state.stageValues(slotCells), target, source * slotBytes);
                }
            }
        }
        state.job.gsync();
        plan = state.plan(EXCHANGE, -step);
        plan.below(2);
        for (int source = 0; source < state.ranks; source++) {
            for (int target = 0; target < state.ranks; target++) {
                if (plan.chance(500)) {
                    if (target == state.rank) {
                        state.foldAll(exchange.memory().asSlice(source * slotBytes, slotBytes));
                    } else if (readers == 2 && (source + target) % state.ranks == state.rank) {
                        exchange.get(state.expect(slotCells), target, source * slotBytes);
                    }
                }
            }
        }
        complete();
    }

    @Override
    public void store(SimProgram.Results results) {
        areas.forEach(area -> results.store("area" + area.index, area.window.memory()));
    }
}
