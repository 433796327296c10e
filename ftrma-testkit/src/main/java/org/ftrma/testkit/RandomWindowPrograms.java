package org.ftrma.testkit;

import java.util.Arrays;
import java.util.List;
import org.ftrma.options.JobOption;
import java.util.Set;
import org.ftrma.testkit.programs.Flavour;
import org.ftrma.testkit.programs.Ingredient;
import org.ftrma.testkit.programs.RandomProgram;
import org.ftrma.testkit.programs.SimRandom;

/**
 * Race-free programs on windows (design 8.2).
 *
 * @param only the only flavour, or null: they take turns
 * @param without what programs are made without, where their flavour has ingredients
 */
record RandomWindowPrograms(Flavour only, Set<Ingredient> without) implements RandomPrograms {
    /** Collectives along trees, which such small jobs would not have. */
    private static final int TREE_PER_MILLE = 600;
    private static final String[] INTERVALS = {"1", "1", "2", "2", "3", "none"};

    @Override
    public String what() {
        return "random programs " + (only == null ? "of all flavours" : "of flavour " + only.key());
    }

    @Override
    public List<String> flavours() {
        return Arrays.stream(Flavour.values()).map(Flavour::key).toList();
    }

    private Flavour of(long number) {
        return only != null ? only : Flavour.values()[(int) (number % Flavour.values().length)];
    }

    @Override
    public String flavour(long number) {
        return of(number).key();
    }

    @Override
    public Simulation draw(long number, int losses, SimRandom random) {
        int ranks = 2 + random.below(3);
        int groups = ranks == 4 && random.chance(400) ? 2 : 1;
        int spares = random.below(3);
        long length = 2 + random.below(4);
        int most = Math.max(1, losses);
        RandomProgram program = new RandomProgram(of(number), number, length, without);
        // Who polls while a process is being started takes very many steps.
        return new Simulation().program(program.name()).ranks(ranks).losses(most).checksums(groups * most)
            .spares(program.polls() ? 2 : spares).steps(length)
            .interval(INTERVALS[random.below(INTERVALS.length)]).seed(number)
            .set(JobOption.DIRECT_COLLECTIVES, new SimRandom(number).chance(TREE_PER_MILLE) ? "1"
                : JobOption.DIRECT_COLLECTIVES.defaultText());
    }

    @Override
    public boolean mayHangWherePolled() {
        return false;
    }
}
