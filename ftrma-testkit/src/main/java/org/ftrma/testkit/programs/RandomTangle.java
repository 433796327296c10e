package org.ftrma.testkit.programs;

import static org.ftrma.testkit.programs.Mixer.LONG;
import static org.ftrma.testkit.programs.Mixer.mix;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.ftrma.AtomicOp;
import org.ftrma.LockType;
import org.ftrma.testkit.programs.Tangle.Area;
import org.ftrma.testkit.programs.Tangle.Guard;
import org.ftrma.testkit.programs.Tangle.Region;
import org.ftrma.testkit.programs.Tangle.Role;

/**
 * Everything at once on the same windows: in each phase, cells of one rank alone (the own window by all means, private
 * slices elsewhere), cells into which all combine, cells that any lock anywhere guards, cells that are read; and locks,
 * chains of locks, collectives, and accesses carried into the next step in between. Phases are separated by gsync, or
 * by a flush and another collective; in a program without phases each cell has one role for ever, and nobody waits but
 * for locks.
 */
final class RandomTangle implements RandomPart {
    private static final long SHAPE = 111;
    private static final long PHASE = 112;
    private static final long ORDER = 113;
    private static final long SYNC = 114;
    private static final long MIDDLE = 115;
    private static final long SIGNALS = 116;
    private static final long PHASE_STRIDE = 1L << 32;
    private static final int MOST_HOPS = 2;

    private final RandomState state;
    private final Tangle tangle;
    private final AloneAccess alone;
    private final SharedAccess shared;
    private final CarriedAccess carried;
    private final LockChain chain;
    private final SignalChain signalChain;
    private final boolean phased;
    private final int phases;
    private final int collectivesPerMille;
    /** The scratch regions of this step that have values. */
    private final Set<Region> set = new HashSet<>();

    RandomTangle(RandomState state, boolean phased, boolean chains, Set<Ingredient> without) {
        this.state = state;
        this.phased = phased;
        SimRandom shape = state.plan(SHAPE, 0);
        phases = phased ? 1 + shape.below(3) : 1;
        collectivesPerMille = phased ? 400 : shape.chance(300) ? 300 : 0;
        int hops = chains && !without.contains(Ingredient.CHAINS) ? 1 + shape.below(MOST_HOPS) : 0;
        SimRandom signals = state.plan(SIGNALS, 0);
        boolean hasSignals = signals.chance(500) && !without.contains(Ingredient.SIGNALS) && state.ranks > 1;
        int signalHops = hasSignals ? 1 + signals.below(MOST_HOPS) : 0;
        tangle = new Tangle(state, without, hops * LockChain.PER_HOP + signalHops * SignalChain.PER_HOP);
        alone = new AloneAccess(tangle);
        shared = new SharedAccess(tangle);
        carried = new CarriedAccess(tangle);
        chain = new LockChain(tangle, hops);
        signalChain = new SignalChain(tangle, signalHops, hops * LockChain.PER_HOP);
    }

    @Override
    public void initialize() {
        for (Area area : tangle.areas) {
            for (int i = 0; i < area.cells() && !area.scratch(); i++) {
                boolean flag = i >= tangle.chainsFrom() && i < tangle.freeFrom(area);
                area.window().memory().setAtIndex(LONG, i,
                    flag ? 0 : area.floats() ? Double.doubleToRawLongBits(state.rank * 8 + i)
                    : mix(state.rank, i, area.index()));
            }
        }
    }

    @Override
    public void step(long step) {
        carried.complete(step - 1);
        set.clear();
        for (int phase = 0; phase < phases; phase++) {
            phase(phase, step);
        }
        carried.begin(step);
    }

    @Override
    public void finish() {
        carried.complete(state.step() - 1);
    }

    private void phase(int phase, long step) {
        long key = phase * PHASE_STRIDE + step;
        List<Runnable> actions = new ArrayList<>();
        SimRandom random = state.plan(ORDER + phase, step * 64 + state.rank);
        addAccesses(actions, regions(phased ? key : 0, phase), phase, random);
        addLocks(actions, random);
        if (phase == phases - 1) {
            actions.add(() -> chain.begin(step));
            actions.add(() -> signalChain.begin(step));
        }
        SimRandom middle = state.plan(MIDDLE, key);
        boolean collective = middle.chance(collectivesPerMille) && tangle.has(Ingredient.COLLECTIVES);
        List<Runnable> mixed = RandomProgram.shuffled(actions, random);
        int at = random.below(mixed.size() + 1);
        for (int i = 0; i <= mixed.size(); i++) {
            if (collective && i == at) {
                collective(middle);
            }
            if (i < mixed.size()) {
                mixed.get(i).run();
                if (random.chance(100) && tangle.has(Ingredient.FORMS)) {
                    state.job.progress();
                }
            }
        }
        if (phase == phases - 1) {
            chain.pass(step);
            signalChain.pass(step);
        }
        complete(key);
    }

    /** What this rank takes part in. */
    private List<Region> regions(long plan, int phase) {
        List<Region> mine = new ArrayList<>();
        for (Area area : tangle.areas) {
            for (int target = 0; target < state.ranks; target++) {
                SimRandom random = state.plan(PHASE + area.index(), plan * 64 + target);
                for (int at = tangle.freeFrom(area); at < area.cells();) {
                    Region region = region(random, area, target, at, area.scratch() && phase == 0);
                    at += region.cells();
                    if (region.involves(state.rank)) {
                        mine.add(region);
                    }
                }
            }
        }
        return mine;
    }

    private Region region(SimRandom plan, Area area, int target, int at, boolean first) {
        int cells = Math.min(area.cells() - at, 1 + plan.below(3));
        Role role = Role.values()[plan.below(Role.values().length)];
        // A draw for each ingredient, whether it is there or not: the others stay as they are.
        int who = plan.chance(400) ? target : plan.below(state.ranks);
        long mask = plan.next() | (plan.chance(600) ? 1L << target : 0);
        AtomicOp op = tangle.anyOp(area, plan);
        boolean narrow = plan.chance(250) && !area.floats() && tangle.has(Ingredient.NARROW);
        boolean fetched = plan.chance(600);
        Guard any = tangle.anyGuard(plan);
        Guard guard = plan.chance(400) ? tangle.guard(any.area().index() * state.ranks + target) : any;
        boolean locked = plan.chance(250) && tangle.has(Ingredient.NEEDLESS_LOCKS);
        LockType type = plan.chance(600) ? LockType.EXCLUSIVE : LockType.SHARED;
        if (first) {
            role = Role.ALONE;
        } else if (role == Role.ADD && !tangle.has(Ingredient.COUNTERS) || role == Role.GUARDED
            && !tangle.has(Ingredient.GUARDS)) {
            role = Role.IDLE;
        }
        boolean commutes = op == AtomicOp.SUM || op == AtomicOp.BXOR || role != Role.GUARDED;
        return new Region(area, target, at, cells, role, who, mask, commutes ? op : AtomicOp.SUM, narrow, fetched,
            role == Role.GUARDED || locked ? guard : null, type);
    }

    private void addAccesses(List<Runnable> actions, List<Region> regions, int phase, SimRandom random) {
        Map<Integer, List<Region>> guarded = new TreeMap<>();
        for (Region region : regions) {
            int times = 1 + random.below(2);
            switch (region.role()) {
                case ALONE -> times(actions, times, () -> visit(region, phase, random));
                case ADD -> times(actions, times, () -> shared.add(region, random));
                case READ -> times(actions, 1, () -> shared.read(region, random));
                case GUARDED -> guarded.computeIfAbsent(region.guard().number(), number -> new ArrayList<>())
                    .add(region);
                case IDLE -> { }
            }
        }
        for (Area area : tangle.areas) {
            if (!area.scratch()) {
                times(actions, random.below(3), () -> alone.visit(tangle.home(area), random));
                times(actions, random.below(2), () -> alone.visit(tangle.slice(area, random.below(state.ranks)),
                    random));
            }
        }
        List<List<Region>> sections = new ArrayList<>(guarded.values());
        for (int i = 0; i < sections.size(); i++) {
            List<Region> outer = sections.get(i);
            List<Region> inner = i + 1 < sections.size() ? sections.get(i + 1 + random.below(sections.size() - i - 1))
                : List.of();
            times(actions, 1 + random.below(2), () ->
                shared.section(outer, random.chance(300) && tangle.has(Ingredient.NESTED) ? inner : List.of(), random));
        }
    }

    private static void times(List<Runnable> actions, int times, Runnable action) {
        for (int i = 0; i < times; i++) {
            actions.add(action);
        }
    }

    private void visit(Region region, int phase, SimRandom random) {
        if (region.area().scratch() && phase == 0 && set.add(region)) {
            alone.set(region, random);
        }
        alone.visit(region, random);
    }

    private void addLocks(List<Runnable> actions, SimRandom random) {
        int times = random.below(4);
        for (int i = 0; i < times && tangle.has(Ingredient.IDLE_LOCKS); i++) {
            Area area = tangle.areas.get(random.below(tangle.areas.size()));
            int home = random.chance(700) ? state.rank : random.below(state.ranks);
            LockType type = random.chance(700) ? LockType.EXCLUSIVE : LockType.SHARED;
            actions.add(() -> {
                area.window().lock(type, home);
                area.window().unlock(home);
            });
        }
    }

    /** A collective between accesses: its buffers are the own cells of all ranks. */
    private void collective(SimRandom plan) {
        Region mine = tangle.home(tangle.anyKept(plan));
        tangle.settle(mine);
        MemorySegment own = mine.area().own(0, mine.cells());
        switch (plan.below(4)) {
            case 0 -> state.job.broadcast(own, plan.below(state.ranks));
            case 1 -> state.job.allReduce(mine.area().floats() ? AtomicOp.MAX : AtomicOp.BXOR, mine.type(), own, own);
            case 2 -> {
                MemorySegment all = state.stage(mine.cells() * state.ranks);
                state.job.allGather(own, all);
                state.foldAll(all);
            }
            default -> state.fold(state.job.allReduce(AtomicOp.SUM, own.get(LONG, 0)));
        }
    }

    /** The end of a phase. */
    private void complete(long key) {
        SimRandom plan = state.plan(SYNC, key);
        if (!phased) {
            tangle.flushAll();
        } else if (plan.chance(400)) {
            state.job.gsync();
            tangle.completed();
        } else {
            tangle.flushAll();
            switch (plan.below(3)) {
                case 0 -> state.job.barrier();
                case 1 -> state.fold(state.job.allReduce(AtomicOp.BXOR, key));
                default -> state.job.allGather(state.stageValues(1), state.stage(state.ranks));
            }
        }
        state.quiet();
    }

    @Override
    public void store(SimProgram.Results results) {
        tangle.areas.stream().filter(area -> !area.scratch())
            .forEach(area -> results.store("tangle" + area.index(), area.window().memory()));
    }
}
