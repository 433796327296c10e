package org.ftrma.testkit;

import java.util.Arrays;
import java.util.List;
import org.ftrma.options.EventLoggerForm;
import org.ftrma.options.JobOption;
import org.ftrma.testkit.programs.MessageFlavour;
import org.ftrma.testkit.programs.RandomMessages;
import org.ftrma.testkit.programs.SimRandom;

/**
 * Programs whose ranks send messages.
 *
 * @param only the only flavour, or null: they take turns
 */
record RandomMessagePrograms(MessageFlavour only) implements RandomPrograms {
    private static final String[] INTERVALS = {"1", "2", "2", "3", "none"};
    /** A lane has room for four messages. */
    private static final String[] EAGER = {"64B", "1KiB", "4KiB", "4KiB"};
    private static final String[] LANE = {"4KiB", "4KiB", "16KiB", "64KiB"};
    private static final int TWO_LOSSES_PER_MILLE = 250;
    private static final int TWO_GROUPS_PER_MILLE = 500;
    private static final int NETWORK_PER_MILLE = 400;
    private static final int ACTIVE_PER_MILLE = 300;
    private static final int LITTLE_PER_MILLE = 300;
    private static final String[] INDEPENDENT = {"1", "2", "3", "50us"};
    private static final int INDEPENDENT_PER_MILLE = 300;

    @Override
    public String what() {
        return "random message programs " + (only == null ? "of all flavours" : "of flavour " + only.key());
    }

    @Override
    public List<String> flavours() {
        return Arrays.stream(MessageFlavour.values()).map(MessageFlavour::key).toList();
    }

    private MessageFlavour of(long number) {
        return only != null ? only : MessageFlavour.values()[(int) (number % MessageFlavour.values().length)];
    }

    @Override
    public String flavour(long number) {
        return of(number).key();
    }

    @Override
    public Simulation draw(long number, int losses, SimRandom random) {
        int ranks = 2 + random.below(4);
        int groups = ranks >= 3 && random.chance(TWO_GROUPS_PER_MILLE) ? 2 : 1;
        int most = random.chance(TWO_LOSSES_PER_MILLE) ? 2 : 1;
        int each = losses > 0 ? losses : most;
        long length = 2 + random.below(4);
        int lane = random.below(LANE.length);
        Simulation simulation = new Simulation()
            .program(new RandomMessages(of(number), number, length).name())
            .ranks(ranks).losses(each).checksums(groups * each).spares(random.below(3)).steps(length)
            .interval(INTERVALS[random.below(INTERVALS.length)])
            .path(random.chance(NETWORK_PER_MILLE) ? "network" : JobOption.PATH.defaultText()).seed(number)
            .set(JobOption.EAGER, EAGER[Math.min(lane, random.below(EAGER.length))])
            .set(JobOption.LANE, LANE[lane]);
        if (random.chance(LITTLE_PER_MILLE)) {
            simulation.set(JobOption.UNEXPECTED, "1MiB");
        }
        if (random.chance(LITTLE_PER_MILLE)) {
            simulation.set(JobOption.MESSAGE_LOG, "2MiB"); // with less some programs get no further
        }
        if (random.chance(INDEPENDENT_PER_MILLE)) {
            simulation.set(JobOption.INDEPENDENT, INDEPENDENT[random.below(INDEPENDENT.length)]);
        }
        if (random.chance(ACTIVE_PER_MILLE)) {
            simulation.set(JobOption.EVENT_LOGGER, EventLoggerForm.ACTIVE.word());
        }
        return simulation;
    }

    @Override
    public boolean mayHangWherePolled() {
        return true;
    }
}
