package org.ftrma.testkit.programs;

import static org.ftrma.testkit.programs.Mixer.LONG;
import static org.ftrma.testkit.programs.Mixer.mix;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ftrma.AtomicOp;
import org.ftrma.Job;
import org.ftrma.MisuseException;

/**
 * A race-free program made up from a number (design 8.2): its windows, accesses, flushes, synchronization and values.
 * It is named {@code random-FLAVOUR-NUMBER}, with {@code -without-LIST} where ingredients are left out, so that its
 * name replays it. Its final windows, and the protected numbers into which all that it read is folded, depend on the
 * number of ranks and steps only.
 */
public final class RandomProgram implements SimProgram {
    private static final Pattern NAME = Pattern.compile("random-([a-z]+)-([0-9]{1,18})(?:-without-([a-z,-]+))?");
    private static final long ORDER = 1;
    private static final long SHAPE = 2;
    private static final long INGREDIENTS = 3;
    private static final long LOOP = 4;
    private static final long CUT = 5;
    private static final long CELLS = 6;
    private static final int CUTS_PER_MILLE = 80;
    private static final int POLLING_PER_MILLE = 250;
    private static final int CHAINS_PER_MILLE = 500;
    private static final int LEFT_OUT_PER_MILLE = 400;

    private final Flavour flavour;
    private final long number;
    private final long steps;
    private final Set<Ingredient> without;

    /** The program of that flavour and number. */
    public RandomProgram(Flavour flavour, long number, long steps) {
        this(flavour, number, steps, Set.of());
    }

    /** The same without some of its ingredients, where its flavour has such. */
    public RandomProgram(Flavour flavour, long number, long steps, Set<Ingredient> without) {
        this.without = without.isEmpty() ? Set.of() : EnumSet.copyOf(without);
        this.flavour = flavour;
        this.number = number;
        this.steps = steps;
    }

    /** The program of that name, or null if the name is of another form. */
    static RandomProgram parse(String name, long steps) {
        Matcher matcher = NAME.matcher(name);
        if (!matcher.matches()) {
            return null;
        }
        if (Long.parseLong(matcher.group(2)) < 0) {
            throw new MisuseException("program=" + name + ": its number is too large");
        }
        return new RandomProgram(Flavour.byKey(matcher.group(1)), Long.parseLong(matcher.group(2)), steps,
            Ingredient.parse(matcher.group(3) == null ? "" : matcher.group(3)));
    }

    @Override
    public String name() {
        return "random-" + flavour.key() + "-" + number
            + (without.isEmpty() ? "" : "-without-" + Ingredient.format(without));
    }

    private long seed() {
        return mix(number, flavour.ordinal(), 0x5eed);
    }

    /** Whether its ranks poll for one another's signals. */
    @Override
    public boolean polls() {
        if (tangled()) {
            return !left().contains(Ingredient.CHAINS) && new SimRandom(mix(seed(), SHAPE)).chance(CHAINS_PER_MILLE);
        }
        return (flavour == Flavour.ATOMICS || flavour == Flavour.MIXED)
            && new SimRandom(mix(seed(), SHAPE)).chance(POLLING_PER_MILLE);
    }

    private boolean tangled() {
        return flavour == Flavour.TANGLED || flavour == Flavour.GUARDED;
    }

    /** What a tangled program does without: many have few ingredients, so that one is not always hidden by another. */
    private Set<Ingredient> left() {
        Set<Ingredient> left = EnumSet.noneOf(Ingredient.class);
        SimRandom random = new SimRandom(mix(seed(), INGREDIENTS));
        for (Ingredient ingredient : Ingredient.values()) {
            if (random.chance(LEFT_OUT_PER_MILLE) || without.contains(ingredient)) {
                left.add(ingredient);
            }
        }
        return left;
    }

    private List<RandomPart> tangledParts(RandomState state) {
        Set<Ingredient> left = left();
        SimRandom shape = state.plan(SHAPE, 0);
        List<RandomPart> parts = new ArrayList<>();
        parts.add(new RandomTangle(state, flavour == Flavour.TANGLED, polls(), left));
        if (shape.chance(150) && !left.contains(Ingredient.LOCK_ALL)) {
            parts.add(new RandomAtomics(state, false));
        }
        if (shape.chance(400) && !left.contains(Ingredient.CHANCE)) {
            parts.add(new RandomChance(state));
        }
        parts.add(new RandomCollectives(state, !left.contains(Ingredient.COLLECTIVES) ? shape.below(300) : 0));
        return parts;
    }

    private List<RandomPart> parts(RandomState state) {
        SimRandom shape = state.plan(SHAPE, 0);
        List<RandomPart> parts = new ArrayList<>();
        if (flavour == Flavour.GSYNC || flavour == Flavour.MIXED) {
            parts.add(new RandomGsync(state));
        }
        if (flavour == Flavour.LOCKS || flavour == Flavour.MIXED) {
            parts.add(new RandomLocks(state));
        }
        if (flavour == Flavour.ATOMICS || flavour == Flavour.MIXED) {
            parts.add(new RandomAtomics(state, flavour == Flavour.ATOMICS && shape.chance(500)));
        }
        if (polls()) {
            parts.add(new RandomSignals(state));
        }
        if (shape.chance(400)) {
            parts.add(new RandomChance(state));
        }
        parts.add(new RandomCollectives(state, shape.below(flavour == Flavour.GSYNC || flavour == Flavour.MIXED ? 700
            : 400)));
        return parts;
    }

    @Override
    public void run(Job job, Results results) {
        try (Arena arena = Arena.ofConfined()) {
            RandomState state = new RandomState(job, seed(), arena);
            List<RandomPart> parts = tangled() ? tangledParts(state) : parts(state);
            RandomPart cells = state.plan(CELLS, 0).chance(300) ? new RandomCells(state) : step -> { };
            job.initialize(() -> {
                parts.forEach(RandomPart::initialize);
                cells.initialize();
                // Nobody may access a window before its home has filled it.
                job.gsync();
            });
            LoopForm.of(state.plan(LOOP, 0)).run(job, steps, step -> {
                state.beginStep(step);
                if (state.plan(CUT, step).chance(CUTS_PER_MILLE)) {
                    job.checkpoint();
                }
                for (RandomPart part : shuffled(parts, state.plan(ORDER, step))) {
                    part.step(step);
                }
                cells.step(step);
            });
            state.beginStep(steps + 1);
            parts.forEach(RandomPart::finish);
            cells.finish();
            job.gsync();
            state.quiet();
            parts.forEach(part -> part.store(results));
            MemorySegment totals = arena.allocate(16, 8);
            totals.set(LONG, 0, state.seen());
            totals.set(LONG, 8, job.allReduce(AtomicOp.SUM, state.telescoped()));
            results.store("totals", totals);
        }
    }

    static <T> List<T> shuffled(List<T> list, SimRandom random) {
        List<T> copy = new ArrayList<>(list);
        for (int i = copy.size() - 1; i > 0; i--) {
            int j = random.below(i + 1);
            T one = copy.get(i);
            copy.set(i, copy.get(j));
            copy.set(j, one);
        }
        return copy;
    }
}
