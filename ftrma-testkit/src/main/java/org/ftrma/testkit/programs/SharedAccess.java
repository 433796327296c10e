package org.ftrma.testkit.programs;

import static org.ftrma.testkit.programs.Mixer.LONG;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.LockType;
import org.ftrma.Window;
import org.ftrma.testkit.programs.Tangle.Guard;
import org.ftrma.testkit.programs.Tangle.Region;

/**
 * Cells that several ranks use in a phase, their home among them: they combine into them, change them under a lock that
 * may be anywhere, or read them. What a change finds depends on the order of the ranks and goes into
 * {@link RandomState#telescope} only.
 */
final class SharedAccess {
    private final Tangle tangle;
    private final RandomState state;

    SharedAccess(Tangle tangle) {
        this.tangle = tangle;
        state = tangle.state;
    }

    void read(Region region, SimRandom random) {
        Window window = region.window();
        MemorySegment result = state.stage(region.cells());
        switch (random.below(4)) {
            case 0 -> {
                state.fold(window.getLong(region.target(), region.offset()));
                return;
            }
            case 1 -> {
                if (region.target() == state.rank && tangle.has(Ingredient.DIRECT)) {
                    result.copyFrom(region.area().own(region.from(), region.cells()));
                } else {
                    window.rget(result, 0, region.target(), region.offset(), result.byteSize()).await();
                }
            }
            case 2 -> {
                window.getStrided(result, 0, 8, region.target(), region.offset(), 8, 8, region.cells());
                window.flush(region.target());
            }
            default -> {
                window.get(result, region.target(), region.offset());
                window.flushLocal(region.target());
            }
        }
        state.foldAll(result);
    }

    private static long element(DataType type, MemorySegment segment, long index) {
        return type == DataType.INT32 ? segment.getAtIndex(ValueLayout.JAVA_INT, index)
            : segment.getAtIndex(LONG, index);
    }

    private void telescope(Region region, AtomicOp op, long before, long operand) {
        if (region.fetched()) {
            state.telescope(before, op.apply(region.type(), before, operand));
        }
    }

    private void telescopeAll(Region region, MemorySegment before, MemorySegment operands) {
        for (long i = 0; i < region.elements((int) (before.byteSize() / 8)); i++) {
            telescope(region, region.op(), element(region.type(), before, i), element(region.type(), operands, i));
        }
    }

    /** Several ranks do this at the same time. */
    void add(Region region, SimRandom random) {
        boolean locked = region.guard() != null;
        if (locked) {
            region.guard().lock(LockType.SHARED);
        }
        atomically(region, 0, region.cells(), random);
        if (locked) {
            region.window().flush(region.target());
            region.guard().unlock();
        } else if (random.chance(500)) {
            region.window().flush(region.target());
        }
    }

    /** Changes some cells by atomics. */
    private void atomically(Region region, int first, int cells, SimRandom random) {
        int kind = random.below(8);
        if (!region.fetched() && kind < 6) {
            MemorySegment source = tangle.values(region.area(), cells);
            long offset = region.offset() + first * 8L;
            if (kind < 2 && tangle.has(Ingredient.FORMS)) {
                region.window().raccumulate(region.op(), region.type(), source, 0, region.target(), offset,
                    region.elements(cells)).await();
            } else if (kind < 4 && tangle.has(Ingredient.FORMS)) {
                region.window().accumulateStrided(region.op(), region.type(), source, 0, 8, region.target(), offset, 8,
                    region.elements(1), cells);
            } else if (kind == 4 && tangle.has(Ingredient.FORMS) && region.op() == AtomicOp.SUM) {
                DataType type = region.type();
                for (long i = 0; i < region.elements(cells); i++) {
                    region.window().accumulate(region.op(), type, element(type, source, i), region.target(),
                        offset + i * type.bytes());
                }
            } else {
                region.window().accumulate(region.op(), region.type(), source, 0, region.target(), offset,
                    region.elements(cells));
            }
        } else if (kind < 4 && !region.area().floats()) {
            fetchEach(region, first, cells);
        } else if (kind < 6 && !region.area().floats()) {
            swapEach(region, first, cells);
        } else {
            getAccumulate(region, first, cells, random);
        }
    }

    private void fetchEach(Region region, int first, int cells) {
        DataType type = region.type();
        for (long i = 0; i < region.elements(cells); i++) {
            long operand = type == DataType.INT32 ? (int) state.value() : state.value();
            long before = region.window().fetchAndOp(region.op(), type, operand, region.target(),
                region.offset() + first * 8L + i * type.bytes());
            telescope(region, region.op(), before, operand);
        }
    }

    private void swapEach(Region region, int first, int cells) {
        DataType type = region.type();
        Window window = region.window();
        for (long i = 0; i < region.elements(cells); i++) {
            long offset = region.offset() + first * 8L + i * type.bytes();
            long operand = type == DataType.INT32 ? (int) state.value() : state.value();
            long expected = window.fetchAndOp(AtomicOp.NO_OP, type, 0, region.target(), offset);
            for (boolean swapped = false; !swapped;) {
                long found = window.compareAndSwap(type, expected, region.op().apply(type, expected, operand),
                    region.target(), offset);
                swapped = found == expected;
                expected = found;
            }
            telescope(region, region.op(), expected, operand);
        }
    }

    private void getAccumulate(Region region, int first, int cells, SimRandom random) {
        Window window = region.window();
        MemorySegment source = tangle.values(region.area(), cells);
        MemorySegment before = state.stage(cells);
        long offset = region.offset() + first * 8L;
        switch (random.below(tangle.has(Ingredient.FORMS) ? 3 : 1)) {
            case 0 -> window.getAccumulate(region.op(), region.type(), source, 0, before, 0, region.target(), offset,
                region.elements(cells));
            case 1 -> window.rgetAccumulate(region.op(), region.type(), source, 0, before, 0, region.target(), offset,
                region.elements(cells)).await();
            default -> window.getAccumulateStrided(region.op(), region.type(), source, 0, 8, before, 0, 8,
                region.target(), offset, 8,
                region.elements(1), cells);
        }
        window.flush(region.target());
        telescopeAll(region, before, source);
    }

    /** A section under the guard of the first of these regions and, if there is a second guard, under that, too. */
    void section(List<Region> first, List<Region> second, SimRandom random) {
        Guard outer = first.getFirst().guard();
        outer.lock(LockType.EXCLUSIVE);
        change(first, random);
        if (second.isEmpty()) {
            outer.unlock();
            return;
        }
        Guard inner = second.getFirst().guard();
        inner.lock(LockType.EXCLUSIVE);
        change(second, random);
        if (random.chance(500)) {
            change(first, random);
        }
        Guard released = random.chance(500) ? outer : inner;
        released.unlock();
        (released == outer ? inner : outer).unlock();
    }

    private void change(List<Region> regions, SimRandom random) {
        List<Region> changed = new ArrayList<>();
        for (Region region : RandomProgram.shuffled(regions, random)) {
            if (changed.isEmpty() || random.chance(600)) {
                changeSome(region, random);
                changed.add(region);
            }
        }
        for (Region region : changed) {
            region.window().flush(region.target());
        }
    }

    private void changeSome(Region region, SimRandom random) {
        int first = random.below(region.cells());
        int cells = 1 + random.below(region.cells() - first);
        boolean direct = region.target() == state.rank && tangle.has(Ingredient.DIRECT);
        switch (random.below(6)) {
            case 0, 1 -> {
                if (direct) {
                    directly(region, first, cells, random);
                } else {
                    readAndWrite(region, first, cells, random);
                }
            }
            case 2, 3 -> readAndWrite(region, first, cells, random);
            default -> {
                atomically(region, first, cells, random);
                if (direct && random.chance(500)) {
                    region.window().flush(region.target());
                    directly(region, first, cells, random);
                }
            }
        }
    }

    private long changed(Region region, long before) {
        long operand = tangle.value(region.area());
        long after = Tangle.applied(region.op(), region.type(), before, operand);
        if (region.fetched() && region.type() == DataType.INT32) {
            state.telescope((int) before, (int) after);
            state.telescope((int) (before >> 32), (int) (after >> 32));
        } else if (region.fetched()) {
            state.telescope(before, after);
        }
        return after;
    }

    private void directly(Region region, int first, int cells, SimRandom random) {
        MemorySegment memory = region.window().memory();
        for (int i = first; i < first + cells; i++) {
            long after = changed(region, memory.getAtIndex(LONG, region.from() + i));
            if (random.chance(700)) {
                memory.setAtIndex(LONG, region.from() + i, after);
            } else {
                region.window().putLong(after, region.target(), region.offset() + i * 8L);
            }
        }
    }

    private void readAndWrite(Region region, int first, int cells, SimRandom random) {
        Window window = region.window();
        long offset = region.offset() + first * 8L;
        MemorySegment buffer = state.stage(cells);
        if (cells == 1 && random.chance(500)) {
            buffer.set(LONG, 0, window.getLong(region.target(), offset));
        } else {
            window.get(buffer, region.target(), offset);
            window.flush(region.target());
        }
        for (int i = 0; i < cells; i++) {
            buffer.setAtIndex(LONG, i, changed(region, buffer.getAtIndex(LONG, i)));
        }
        switch (random.below(tangle.has(Ingredient.FORMS) ? 4 : 2)) {
            case 0 -> {
                for (int i = 0; i < cells; i++) {
                    window.putLong(buffer.getAtIndex(LONG, i), region.target(), offset + i * 8L);
                }
            }
            case 1 -> window.put(buffer, region.target(), offset);
            case 2 -> window.rput(buffer, 0, region.target(), offset, buffer.byteSize()).await();
            default -> window.accumulate(AtomicOp.REPLACE, region.type(), buffer, 0, region.target(), offset,
                region.elements(cells));
        }
    }
}
