package org.ftrma.testkit.programs;

import static org.ftrma.testkit.programs.Mixer.LONG;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.Window;
import org.ftrma.testkit.programs.Tangle.Region;

/**
 * Cells that one rank has alone, at its own window or at another rank: everything that the interface offers, in any
 * order, each access complete before the same bytes are used again. What is read is determined, and folded.
 */
final class AloneAccess {
    private static final int KINDS = 16;

    private final Tangle tangle;
    private final RandomState state;
    private final MemorySegment kept;

    AloneAccess(Tangle tangle) {
        this.tangle = tangle;
        state = tangle.state;
        kept = state.job.protect("kept", 8 * 8);
    }

    /** A few accesses. */
    void visit(Region region, SimRandom random) {
        boolean locked = region.guard() != null;
        if (locked) {
            region.guard().lock(region.lock());
        }
        int accesses = 1 + random.below(3);
        for (int i = 0; i < accesses; i++) {
            tangle.settle(region);
            one(region, random);
        }
        if (locked) {
            tangle.settle(region);
            region.guard().unlock();
        }
    }

    /** Gives every cell a value. */
    void set(Region region, SimRandom random) {
        Window window = region.window();
        MemorySegment source = tangle.values(region.area(), region.cells());
        switch (random.below(5)) {
            case 0 -> window.accumulate(AtomicOp.REPLACE, region.type(), source, 0, region.target(), region.offset(),
                region.elements(region.cells()));
            case 1 -> {
                DataType type = region.area().floats() ? DataType.INT64 : region.type();
                for (long i = 0; i < region.elements(region.cells()); i++) {
                    window.fetchAndOp(AtomicOp.REPLACE, type, state.value(), region.target(),
                        region.offset() + i * type.bytes());
                }
                return;
            }
            case 2 -> window.getAccumulate(AtomicOp.REPLACE, region.type(), source, 0, state.stage(region.cells()), 0,
                region.target(), region.offset(),
                region.elements(region.cells()));
            case 3 -> {
                if (region.target() == state.rank && tangle.has(Ingredient.DIRECT)) {
                    region.area().own(region.from(), region.cells()).copyFrom(source);
                    return;
                }
                window.put(source, region.target(), region.offset());
            }
            default -> window.put(source, region.target(), region.offset());
        }
        touched(region);
    }

    private void touched(Region region) {
        tangle.leave(region, region.window(), region.target());
    }

    private void one(Region region, SimRandom random) {
        boolean own = region.target() == state.rank;
        boolean atomics = tangle.has(own ? Ingredient.OWN_ATOMICS : Ingredient.SLICE_ATOMICS);
        boolean puts = !own || tangle.has(Ingredient.OWN_PUTS);
        boolean direct = own && tangle.has(Ingredient.DIRECT);
        switch (random.below(KINDS)) {
            case 0, 1, 2 -> {
                if (direct) {
                    direct(region, random);
                } else {
                    get(region, random);
                }
            }
            case 3, 4 -> {
                if (puts) {
                    put(region, random);
                }
            }
            case 5, 6 -> get(region, random);
            case 7, 8 -> {
                if (atomics) {
                    fetchAndOp(region, random);
                }
            }
            case 9 -> {
                if (atomics) {
                    swap(region, random);
                }
            }
            case 10 -> {
                if (atomics) {
                    accumulate(region, random);
                }
            }
            case 11 -> {
                if (atomics) {
                    getAccumulate(region, random);
                }
            }
            case 12, 13, 14 -> fromOwn(region, random, atomics, puts);
            default -> toOwn(region, random);
        }
    }

    private void direct(Region region, SimRandom random) {
        MemorySegment memory = region.area().own(region.from(), region.cells());
        if (random.chance(700)) {
            state.foldAll(memory);
        }
        if (random.chance(500)) {
            for (int i = random.below(region.cells()); i < region.cells(); i++) {
                memory.setAtIndex(LONG, i, tangle.value(region.area()));
            }
        }
    }

    private void put(Region region, SimRandom random) {
        Window window = region.window();
        MemorySegment source = tangle.values(region.area(), region.cells());
        int every = (region.cells() + 1) / 2;
        switch (random.below(tangle.has(Ingredient.FORMS) ? 10 : 2)) {
            case 0 -> {
                for (int i = 0; i < region.cells(); i++) {
                    window.putLong(source.getAtIndex(LONG, i), region.target(), region.offset() + i * 8L);
                }
            }
            case 1 -> window.put(source, region.target(), region.offset());
            case 2 -> window.rput(source, 0, region.target(), region.offset(), source.byteSize()).await();
            case 3 -> window.putStrided(source, 0, 16, region.target(), region.offset(), 16, 8, every);
            case 4 -> window.rputStrided(source, 0, 16, region.target(), region.offset(), 16, 8, every).await();
            case 5 -> window.put(source.toArray(LONG), 0, region.cells(), region.target(), region.offset());
            case 6 -> window.put(source.toArray(ValueLayout.JAVA_INT), region.target(), region.offset());
            case 7 -> {
                for (int i = 0; i < 2 * region.cells(); i++) {
                    int value = source.getAtIndex(ValueLayout.JAVA_INT, i);
                    window.putInt(value, region.target(), region.offset() + i * 4L);
                }
            }
            default -> {
                state.job.progress();
                MemorySegment staged = window.stage(region.target(), source.byteSize());
                staged.copyFrom(source);
                if (random.chance(500)) {
                    window.put(staged, 0, region.target(), region.offset(), source.byteSize());
                } else {
                    window.putStrided(staged, 0, 8, region.target(), region.offset(), 8, 8, region.cells());
                }
            }
        }
        touched(region);
    }

    private void get(Region region, SimRandom random) {
        Window window = region.window();
        int every = (region.cells() + 1) / 2;
        MemorySegment result = state.stage(region.cells()).fill((byte) 0);
        switch (random.below(tangle.has(Ingredient.FORMS) ? 9 : 3)) {
            case 0 -> state.fold(window.getLong(region.target(), region.offset()));
            case 1 -> {
                window.get(result, region.target(), region.offset());
                window.flush(region.target());
            }
            case 2 -> {
                window.get(result, region.target(), region.offset());
                window.flushLocal(region.target());
            }
            case 3 -> window.rget(result, 0, region.target(), region.offset(), result.byteSize()).await();
            case 4 -> {
                long[] values = new long[region.cells()];
                window.get(values, region.target(), region.offset());
                result.copyFrom(MemorySegment.ofArray(values));
            }
            case 5 -> {
                int[] values = new int[2 * region.cells()];
                values[0] = window.getInt(region.target(), region.offset());
                window.get(values, 1, values.length - 1, region.target(), region.offset() + 4);
                result.copyFrom(MemorySegment.ofArray(values));
            }
            case 6 -> {
                for (int i = 0; i < 2 * region.cells(); i++) {
                    state.fold(window.getInt(region.target(), region.offset() + i * 4L));
                }
            }
            case 7 -> {
                window.getStrided(result, 0, 8, region.target(), region.offset(), 16, 8, every);
                window.flushLocalAll();
            }
            default -> window.rgetStrided(result, 0, 8, region.target(), region.offset(), 16, 8, every).await();
        }
        state.foldAll(result);
    }

    private AtomicOp op(Region region, SimRandom random) {
        return random.chance(250) ? AtomicOp.REPLACE : tangle.anyOp(region.area(), random);
    }

    private void fetchAndOp(Region region, SimRandom random) {
        if (region.area().floats()) {
            if (random.chance(500)) {
                getAccumulate(region, random);
            } else {
                fetchFloating(region, random);
            }
            return;
        }
        DataType type = region.type();
        long elements = 1 + random.below((int) region.elements(region.cells()));
        for (long i = 0; i < elements; i++) {
            state.fold(region.window().fetchAndOp(op(region, random), type, state.value(), region.target(),
                region.offset() + i * type.bytes()));
        }
        if (region.target() == state.rank && random.chance(500) && tangle.has(Ingredient.DIRECT)) {
            state.foldAll(region.area().own(region.from(), region.cells()));
        } else {
            touched(region);
        }
    }

    private void fetchFloating(Region region, SimRandom random) {
        double operand = Double.longBitsToDouble(tangle.value(region.area()));
        AtomicOp op = op(region, random);
        double old = region.window().fetchAndOp(op, operand, region.target(), region.offset());
        if (random.chance(500)) {
            old = region.window().compareAndSwap(op == AtomicOp.REPLACE ? operand : old, operand, region.target(),
                region.offset());
        }
        state.fold(Double.doubleToRawLongBits(old));
        touched(region);
    }

    private void swap(Region region, SimRandom random) {
        if (region.area().floats()) {
            accumulate(region, random);
            return;
        }
        DataType type = region.type();
        Window window = region.window();
        long old = random.chance(700) ? window.fetchAndOp(AtomicOp.NO_OP, type, 0, region.target(), region.offset())
            : state.value();
        state.fold(window.compareAndSwap(type, old, state.value(), region.target(), region.offset()));
        touched(region);
    }

    private void accumulate(Region region, SimRandom random) {
        MemorySegment source = tangle.values(region.area(), region.cells());
        combine(region, op(region, random), source, random.below(tangle.has(Ingredient.FORMS) ? 4 : 1));
        if (random.chance(800)) {
            tangle.settle(region);
            get(region, random);
        }
    }

    private void combine(Region region, AtomicOp op, MemorySegment source, int form) {
        Window window = region.window();
        DataType type = region.type();
        int cells = (int) (source.byteSize() / 8);
        long each = 8 / type.bytes();
        int every = (cells + 1) / 2;
        switch (form) {
            case 0 -> window.accumulate(op, type, source, 0, region.target(), region.offset(), region.elements(cells));
            case 1 -> window.raccumulate(op, type, source, 0, region.target(), region.offset(), region.elements(cells))
                .await();
            case 2 -> window.accumulateStrided(op, type, source, 0, 16, region.target(), region.offset(), 16, each,
                every);
            default -> window.raccumulateStrided(op, type, source, 0, 16, region.target(), region.offset(), 16, each,
                every).await();
        }
        touched(region);
    }

    private void getAccumulate(Region region, SimRandom random) {
        Window window = region.window();
        DataType type = region.type();
        AtomicOp op = random.chance(200) ? AtomicOp.NO_OP : op(region, random);
        MemorySegment source = op == AtomicOp.NO_OP ? null : tangle.values(region.area(), region.cells());
        MemorySegment result = state.stage(region.cells()).fill((byte) 0);
        long each = 8 / type.bytes();
        int every = (region.cells() + 1) / 2;
        long elements = region.elements(region.cells());
        switch (random.below(tangle.has(Ingredient.FORMS) ? 4 : 1)) {
            case 0 -> window.getAccumulate(op, type, source, 0, result, 0, region.target(), region.offset(), elements);
            case 1 -> window.rgetAccumulate(op, type, source, 0, result, 0, region.target(), region.offset(), elements)
                .await();
            case 2 -> window.getAccumulateStrided(op, type, source, 0, 16, result, 0, 16, region.target(),
                region.offset(), 16, each, every);
            default -> window.rgetAccumulateStrided(op, type, source, 0, 16, result, 0, 16, region.target(),
                region.offset(), 16, each, every).await();
        }
        if (random.chance(500)) {
            window.flushLocal(region.target());
            touched(region);
        } else {
            window.flush(region.target());
        }
        state.foldAll(result);
    }

    /** The own cells of a window whose cells are of the same kind, or null if they are the region itself. */
    private Region mine(Region region, SimRandom random) {
        Region mine = tangle.home(tangle.anyKept(random));
        return mine.area().floats() == region.area().floats() && !mine.overlaps(region) ? mine : null;
    }

    /** A put or accumulate whose source is the own window, which is read as it is now. */
    private void fromOwn(Region region, SimRandom random, boolean atomics, boolean puts) {
        Region mine = mine(region, random);
        if (mine == null || !tangle.has(Ingredient.SOURCES)) {
            return;
        }
        tangle.settle(mine);
        int cells = 1 + random.below(Math.min(mine.cells(), region.cells()));
        MemorySegment source = mine.area().own(0, cells);
        if (atomics && random.chance(400)) {
            // Sums of sums could become too large to be whole.
            combine(region, region.area().floats() ? AtomicOp.MAX : op(region, random), source, random.below(2));
        } else if (puts && random.chance(500)) {
            region.window().put(source, region.target(), region.offset());
        } else if (puts) {
            region.window().putStrided(source, 0, 8, region.target(), region.offset(), 8, 8, cells);
        }
        touched(region);
        tangle.leave(mine, region.window(), region.target());
    }

    /** A get or fetching access that delivers into the own window, or into protected memory. */
    private void toOwn(Region region, SimRandom random) {
        Region mine = mine(region, random);
        if (mine == null || !tangle.has(Ingredient.LANDINGS)) {
            return;
        }
        tangle.settle(mine);
        int cells = 1 + random.below(Math.min(mine.cells(), region.cells()));
        boolean window = random.chance(600);
        MemorySegment result = window ? mine.area().own(0, cells) : kept.asSlice(0, cells * 8L);
        if (random.chance(600)) {
            region.window().get(result, region.target(), region.offset());
        } else {
            region.window().getAccumulate(AtomicOp.NO_OP, region.type(), null, 0, result, 0, region.target(),
                region.offset(), region.elements(cells));
        }
        if (window && random.chance(500)) {
            tangle.leave(mine, region.window(), region.target());
            touched(region);
        } else {
            region.window().flushLocal(region.target());
            state.foldAll(result);
        }
    }
}
