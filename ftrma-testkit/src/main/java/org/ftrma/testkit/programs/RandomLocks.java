package org.ftrma.testkit.programs;

import static org.ftrma.testkit.programs.Mixer.LONG;
import static org.ftrma.testkit.programs.Mixer.mix;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.LockType;
import org.ftrma.Window;

/**
 * Accesses under locks, without any gsync. At every rank a window has shared cells, which all ranks change by get and
 * put under an exclusive lock, each cell by one operation that commutes; counters, into which all combine under shared
 * locks; and cells of each single rank, which finds there what it wrote before. Two locks are held in the order of
 * windows and ranks. The home changes its own shared cells directly, too, holding its own lock.
 */
final class RandomLocks implements RandomPart {
    private static final long SHAPE = 71;
    private static final long ACCESS = 72;

    private record Vault(int index, Window window) {
    }

    private record Home(Vault vault, int target) {
    }

    private final RandomState state;
    private final int shared;
    private final int counters;
    private final int owned;
    private final int most;
    private final List<Vault> vaults = new ArrayList<>();

    RandomLocks(RandomState state) {
        this.state = state;
        SimRandom shape = state.plan(SHAPE, 0);
        shared = 1 + shape.below(3);
        counters = 1 + shape.below(2);
        owned = 1 + shape.below(3);
        most = 2 + shape.below(4);
        int windows = 1 + shape.below(2);
        for (int i = 0; i < windows; i++) {
            vaults.add(new Vault(i, state.job.allocateWindow("vault" + i,
                (shared + counters + (long) state.ranks * owned) * 8)));
        }
    }

    @Override
    public void initialize() {
        for (Vault vault : vaults) {
            for (int i = 0; i < vault.window.bytes() / 8; i++) {
                vault.window.memory().setAtIndex(LONG, i, mix(vault.index, state.rank, i));
            }
        }
    }

    private AtomicOp opOf(Vault vault, int cell) {
        return (mix(vault.index, cell, SHAPE) & 1) == 0 ? AtomicOp.SUM : AtomicOp.BXOR;
    }

    private long ownedOffset() {
        return (shared + counters + (long) state.rank * owned) * 8;
    }

    private Home home(SimRandom random) {
        return new Home(vaults.get(random.below(vaults.size())), random.below(state.ranks));
    }

    @Override
    public void step(long step) {
        SimRandom random = state.plan(ACCESS + state.rank, step);
        int accesses = 1 + random.below(most);
        for (int i = 0; i < accesses; i++) {
            one(random);
        }
    }

    private void one(SimRandom random) {
        Home home = home(random);
        Window window = home.vault.window;
        switch (random.below(8)) {
            case 0, 1, 2 -> {
                window.lock(LockType.EXCLUSIVE, home.target);
                change(home, random);
                window.unlock(home.target);
            }
            case 3 -> {
                window.lock(LockType.EXCLUSIVE, home.target);
                changeOwned(home, random);
                window.unlock(home.target);
            }
            case 4 -> two(home, home(random), random);
            case 5 -> {
                window.lock(LockType.SHARED, home.target);
                readAndCount(home, random);
                window.unlock(home.target);
            }
            case 6 -> {
                window.lock(LockType.EXCLUSIVE, state.rank);
                changeDirectly(home.vault, random.below(shared));
                window.unlock(state.rank);
            }
            default -> {
                window.lock(random.chance(500) ? LockType.SHARED : LockType.EXCLUSIVE, home.target);
                window.unlock(home.target);
            }
        }
    }

    private void two(Home a, Home b, SimRandom random) {
        if (a.equals(b)) {
            return;
        }
        boolean inOrder = a.vault.index * state.ranks + a.target < b.vault.index * state.ranks + b.target;
        Home first = inOrder ? a : b;
        Home second = inOrder ? b : a;
        first.vault.window.lock(LockType.EXCLUSIVE, first.target);
        change(first, random);
        second.vault.window.lock(LockType.EXCLUSIVE, second.target);
        change(second, random);
        if (random.chance(500)) {
            first.vault.window.flush(first.target);
            change(first, random);
        }
        Home released = random.chance(500) ? first : second;
        Home last = released == first ? second : first;
        released.vault.window.unlock(released.target);
        last.vault.window.unlock(last.target);
    }

    /** Some of the shared cells: read, changed, written back. */
    private void change(Home home, SimRandom random) {
        Window window = home.vault.window;
        int from = random.below(shared);
        int cells = 1 + random.below(shared - from);
        MemorySegment buffer = state.stage(cells);
        if (cells == 1 && random.chance(500)) {
            buffer.set(LONG, 0, window.getLong(home.target, from * 8L));
        } else {
            window.get(buffer, home.target, from * 8L);
            window.flush(home.target);
        }
        for (int i = 0; i < cells; i++) {
            long before = buffer.getAtIndex(LONG, i);
            long after = opOf(home.vault, from + i).apply(DataType.INT64, before, state.value());
            state.telescope(before, after);
            buffer.setAtIndex(LONG, i, after);
        }
        switch (random.below(3)) {
            case 0 -> {
                for (int i = 0; i < cells; i++) {
                    window.putLong(buffer.getAtIndex(LONG, i), home.target, (from + i) * 8L);
                }
            }
            case 1 -> window.rput(buffer, 0, home.target, from * 8L, buffer.byteSize()).await();
            default -> window.put(buffer, home.target, from * 8L);
        }
    }

    private void changeDirectly(Vault vault, int cell) {
        long before = vault.window.memory().getAtIndex(LONG, cell);
        long after = opOf(vault, cell).apply(DataType.INT64, before, state.value());
        state.telescope(before, after);
        vault.window.memory().setAtIndex(LONG, cell, after);
    }

    private void changeOwned(Home home, SimRandom random) {
        Window window = home.vault.window;
        if (random.chance(600)) {
            MemorySegment found = state.stage(owned);
            window.get(found, home.target, ownedOffset());
            window.flush(home.target);
            state.foldAll(found);
        }
        window.put(state.stageValues(owned), home.target, ownedOffset());
        if (random.chance(300)) {
            window.flush(home.target);
            window.putLong(state.value(), home.target, ownedOffset());
        }
    }

    private void readAndCount(Home home, SimRandom random) {
        Window window = home.vault.window;
        if (random.chance(600)) {
            state.fold(window.getLong(home.target, ownedOffset() + 8L * random.below(owned)));
        }
        if (random.chance(850)) {
            window.accumulate(AtomicOp.SUM, DataType.INT64, state.stageValues(counters), 0, home.target, shared * 8L,
                counters);
        }
    }

    @Override
    public void store(SimProgram.Results results) {
        vaults.forEach(vault -> results.store("vault" + vault.index, vault.window.memory()));
    }
}
