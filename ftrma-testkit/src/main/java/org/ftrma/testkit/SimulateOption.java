package org.ftrma.testkit;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.ftrma.options.CommandOption;
import org.ftrma.options.JobOption;
import org.ftrma.options.OptionForm;
import org.ftrma.options.OptionTable;
import org.ftrma.options.OptionText;
import org.ftrma.testkit.programs.Flavour;
import org.ftrma.testkit.programs.Ingredient;
import org.ftrma.testkit.programs.MessageFlavour;
import org.ftrma.testkit.programs.Programs;
import org.ftrma.testkit.programs.SimProgram;

/** The options of the simulate command: name, form, default and meaning in one place. Any thread. */
public enum SimulateOption implements CommandOption {
    PROGRAM("program", OptionForm.text("NAME"), "halo", "the program: " + names() + ", random-FLAVOUR-NUMBER, "
        + "messages-FLAVOUR-NUMBER or strangers-NUMBER"),
    RANKS(JobOption.RANKS, OptionForm.count(1, 64), "3", "computing ranks"),
    CHECKSUMS(JobOption.CHECKSUMS, OptionForm.count(1, 64), "1",
        "total checksum ranks (default with --losses of 2 or more: as many)"),
    LOSSES(JobOption.LOSSES, "1",
        "simultaneous losses a group survives, and its number of checksum ranks, as for run"),
    SPARES(JobOption.SPARES, OptionForm.count(0, 64), "0", "standby processes"),
    STEPS("steps", OptionForm.count(1, 10_000), "5", "steps of the program"),
    INTERVAL(JobOption.INTERVAL, "2", "checkpoint interval, as for run: N (steps), a time with a unit, daly, none"),
    PROTOCOL(JobOption.PROTOCOL, JobOption.PROTOCOL.defaultText(), "the protocol, as for run"),
    PATH(JobOption.PATH, JobOption.PATH.defaultText(),
        "as for run; with network, accesses of logging protocols stay in flight for a while too"),
    LOG_LOW(JobOption.LOG_LOW, "33", "as for run: percentage of log memory in use that triggers demand checkpoints"),
    LOG_BUDGET(JobOption.LOG_BUDGET, "1MiB", "as for run"),
    DEMAND(JobOption.DEMAND, JobOption.DEMAND.defaultText(), "as for run: demand checkpoints, bulk, streaming or off"),
    INDEPENDENT(JobOption.INDEPENDENT, JobOption.INDEPENDENT.defaultText(),
        "as for run: interval of periodic single-rank checkpoints"),
    EAGER(JobOption.EAGER, JobOption.EAGER.defaultText(), "as for run, for programs whose ranks send messages"),
    LANE(JobOption.LANE, JobOption.LANE.defaultText(), "as for run, at least four times --eager"),
    UNEXPECTED(JobOption.UNEXPECTED, JobOption.UNEXPECTED.defaultText(), "as for run"),
    MESSAGE_LOG(JobOption.MESSAGE_LOG, JobOption.MESSAGE_LOG.defaultText(), "as for run"),
    EVENT_LOGGER(JobOption.EVENT_LOGGER, JobOption.EVENT_LOGGER.defaultText(), "as for run: onesided or active"),
    DIRECT_COLLECTIVES(JobOption.DIRECT_COLLECTIVES, JobOption.DIRECT_COLLECTIVES.defaultText(), "as for run"),
    SEED("seed", OptionForm.count(0, Long.MAX_VALUE), "1",
        "the first seed; it and the crashes determine everything in a run"),
    CRASHES("crashes", OptionForm.text("LIST"), "",
        "one run with these crashes, such as m1@37b,m3@12a: member 1 dies before its 37th point, member 3 after "
        + "its 12th; h instead of b: it hangs; w: it hangs, and continues before it is dead; m1@37s: it dies "
        + "before its 37th store; m1@2i: it dies when its second demand checkpoint is committed; m1#900: it dies "
        + "at step 900 of the simulation; h1#900: host 1 is down from that step on; none: no crash"),
    SINGLES("singles", OptionForm.yesNo(), "yes", "one crash at every point of every member, before and after it"),
    KILLS("kills", SimulateOption.stride(), "0",
        "a kill at every Nth step of the simulation and a hang at every Nth point, for every member"),
    STORES("stores", SimulateOption.stride(), "0",
        "a crash before every Nth plain store of the protocol into memory (such as between the words of a log "
        + "record), for every member, and then another one of another rank whenever a demand checkpoint of that "
        + "rank is committed; with --seeds: half of the crashes are of this kind, whatever the number"),
    NODES(JobOption.NODES, OptionForm.count(0, 64), "0", "simulated nodes, as for run"),
    TOPOLOGY(JobOption.TOPOLOGY, JobOption.TOPOLOGY.defaultText(), "instead of --nodes, as for run"),
    AWARE(JobOption.AWARE, JobOption.AWARE.defaultText(), "with --nodes or --topology, as for run"),
    HOSTS("hosts", OptionForm.count(0, 64), "0",
        "number of hosts, over which members are spread as --nodes N --aware node does: those of one host share "
        + "memory, and accesses of others stay in flight for a while"),
    HOST_FAULTS("host-faults", SimulateOption.stride(), "0",
        "with --hosts: every host down, suspended, cut off, deaf or mute, for long or shortly, at every Nth step"
        + " of the simulation"),
    GROUP_KILLS("group-kills", SimulateOption.stride(), "0",
        "a kill of --losses members of a group at once, at every Nth step of the simulation, for all choices of "
        + "these members; and of one more of them"),
    NODE_KILLS("node-kills", SimulateOption.stride(), "0",
        "with --nodes or --topology: a kill of a whole node at every Nth step of the simulation, for every node"),
    PAIRS("pairs", OptionForm.count(0, Integer.MAX_VALUE).or(SimulateOption.ALL).as("N|" + SimulateOption.ALL), "0",
        "a sample of pairs of crashes over many seeds, or all pairs at the one seed (takes minutes with 2 ranks "
        + "and 2 steps, hours with more; it reports its progress)"),
    SCHEDULES("schedules", OptionForm.count(0, Integer.MAX_VALUE), "0", "runs without crashes over many seeds"),
    SEEDS("seeds", OptionForm.count(0, Integer.MAX_VALUE), "0",
        "instead: N random race-free programs, each without crashes, with one, and some with two; ranks, steps "
        + "and so on are random unless given"),
    MESSAGES("messages", OptionForm.flag(), "off",
        "with --seeds: programs whose ranks send messages, with a protocol that supports them; losses, path, "
        + "--eager, --independent and so on are random too"),
    FROM("from", OptionForm.count(0, Long.MAX_VALUE).as("S"), "1", "number of the first random program"),
    FLAVOUR("flavour", OptionForm.text("NAME"), SimulateOption.ALL,
        "of the random programs: " + flavours(Arrays.stream(Flavour.values()).map(Flavour::key)) + " or "
        + SimulateOption.ALL + "; with --messages: "
        + flavours(Arrays.stream(MessageFlavour.values()).map(MessageFlavour::key)) + " or " + SimulateOption.ALL),
    WITHOUT("without", OptionForm.text("LIST"), "",
        "what programs of the flavours tangled and guarded are made without, to find what matters: some of "
        + Ingredient.format(EnumSet.allOf(Ingredient.class)).replace(",", ", ")),
    ONLY("only", OptionForm.text("LIST"), "",
        "the only ingredients that they are made of; each program still omits some"),
    FAULTS("faults", OptionForm.text("LIST"), "", "bugs to inject into the protocol, to see them found"),
    JSON("json", OptionForm.flag(), "off", "print one JSON object as the last line of standard output");

    /** All options. */
    public static final OptionTable<SimulateOption> TABLE = OptionTable.of(SimulateOption.class);
    /** Everything that there is of something. */
    static final String ALL = "all";

    private final OptionText text;
    private final JobOption job;

    SimulateOption(String key, OptionForm form, String defaultValue, String meaning) {
        text = new OptionText(key, form, defaultValue, meaning);
        job = null;
    }

    SimulateOption(JobOption job, String defaultValue, String meaning) {
        this(job, job.form(), defaultValue, meaning);
    }

    SimulateOption(JobOption job, OptionForm form, String defaultValue, String meaning) {
        text = new OptionText(job.key(), form, defaultValue, meaning);
        this.job = job;
    }

    private static OptionForm stride() {
        return OptionForm.count(0, Integer.MAX_VALUE).as("STRIDE");
    }

    private static String flavours(Stream<String> keys) {
        return keys.collect(Collectors.joining(", "));
    }

    private static String names() {
        return Stream.of(Programs.all(1), Programs.ownWindow(1), Programs.signals(1)).flatMap(List::stream)
            .map(SimProgram::name).collect(Collectors.joining(", "));
    }

    @Override
    public OptionText text() {
        return text;
    }

    /** The job option of which this one has the value, or null. */
    JobOption job() {
        return job;
    }

    static String help() {
        return "Runs the protocol in simulation: one thread at a time, in an order that only the seed decides.\n"
            + "Without --" + CRASHES.key() + " all runs are compared with the one without failures.\n\n" + TABLE.help()
            + "\nExit codes: 0 all runs ended as they should, 1 one did not, 2 wrong usage.\n";
    }
}
