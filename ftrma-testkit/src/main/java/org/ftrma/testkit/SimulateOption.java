package org.ftrma.testkit;

import java.util.EnumSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.ftrma.options.CommandOption;
import org.ftrma.options.OptionText;
import org.ftrma.testkit.programs.Ingredient;
import org.ftrma.testkit.programs.Programs;

/** The options of the simulate command: name, value, default and meaning in one place. */
public enum SimulateOption implements CommandOption {
    PROGRAM("program", "NAME", "halo", "the program: " + names() + ", or random-FLAVOUR-NUMBER"),
    RANKS("ranks", "N", "3", "computing ranks"),
    CHECKSUMS("checksums", "N", "1", "checksum ranks of all groups together (with --losses of 2 and more: as many, if not given)"),
    LOSSES("losses", "N", "1", "losses that each group survives at once, and its checksum ranks, as for run"),
    SPARES("spares", "N", "0", "processes started ahead"),
    STEPS("steps", "N", "5", "steps of the program"),
    INTERVAL("interval", "WHEN", "2", "when to checkpoint, as for run: N (steps), a time with a unit, daly, none"),
    PROTOCOL("protocol", "NAME", "coordinated", "the protocol, as for run"),
    PATH("path", "NAME", "auto", "as for run: with network, accesses of logging protocols are under way for a while too"),
    LOG_LOW("log-low", "N", "33", "as for run: from how many percent of the log budget in use on demand checkpoints are asked for"),
    LOG_BUDGET("log-budget", "BYTES", "1MiB", "as for run"),
    DEMAND("demand", "NAME", "bulk", "as for run: demand checkpoints, bulk, streaming or off"),
    SEED("seed", "N", "1", "the first seed; it and the crashes decide everything in a run"),
    CRASHES("crashes", "LIST", "", "one run with these crashes, for example m1@37b,m3@12a: member 1 dies before its 37th point, member 3 after its "
        + "12th; h instead of b: it hangs; w: it does, and goes on before it is dead; m1@37s: it dies before its 37th store; "
        + "m1#900: it dies at step 900 of the simulation; none: no crash"),
    SINGLES("singles", "yes|no", "yes", "one crash at every point of every member, before and after it"),
    KILLS("kills", "STRIDE", "0", "a kill at every so many steps of the simulation and a hang at every so many points, for every member"),
    STORES("stores", "STRIDE", "0", "a crash before every so many plain stores of the protocol into memory (between the words of a log record, say), "
        + "for every member; with --seeds: half of the crashes are of this kind, whatever the number"),
    NODES("nodes", "N", "0", "simulated nodes, as for run"),
    TOPOLOGY("topology", "FILE", "none", "in place of --nodes, as for run"),
    AWARE("aware", "LEVEL", "none", "with --nodes or --topology, as for run"),
    GROUP_KILLS("group-kills", "STRIDE", "0", "a kill of as many members of a group at once as --losses says, at every so many steps of the "
        + "simulation, for all choices of these members; and of one more of them"),
    NODE_KILLS("node-kills", "STRIDE", "0", "with --nodes or --topology: a kill of all of a node at every so many steps of the simulation, for "
        + "every node"),
    PAIRS("pairs", "N|all", "0", "a sample of pairs of crashes over many seeds, or all pairs at the one seed (takes minutes with 2 ranks and "
        + "2 steps, hours with more; it tells how far it is"),
    SCHEDULES("schedules", "N", "0", "runs without crashes over many seeds"),
    SEEDS("seeds", "N", "0", "instead of all that: so many random race-free programs, each without crashes, with one, and some with two; ranks, "
        + "steps and so on are drawn where they are not given"),
    FROM("from", "S", "1", "the first random program's number"),
    FLAVOUR("flavour", "NAME", "all", "of the random programs: gsync, locks, atomics, mixed, tangled, guarded or all"),
    WITHOUT("without", "LIST", "", "what programs of the flavours tangled and guarded are made without, to find what matters: some of "
        + Ingredient.format(EnumSet.allOf(Ingredient.class)).replace(",", ", ")),
    ONLY("only", "LIST", "", "the only ingredients that they are made of; each program still does without some"),
    FAULTS("faults", "LIST", "", "bugs to put into the protocol, to see them found");

    private static final int WIDTH = 84;
    private static final int INDENT = 25;

    private final OptionText text;

    SimulateOption(String key, String label, String defaultValue, String meaning) {
        text = new OptionText(key, label, defaultValue, meaning);
    }

    private static String names() {
        return Stream.concat(Programs.all(1).stream(), Programs.ownWindow(1).stream()).map(SimProgram::name).collect(Collectors.joining(", "));
    }

    @Override
    public OptionText text() {
        return text;
    }

    static String help() {
        StringBuilder text = new StringBuilder("Runs the protocol in simulation: one thread at a time, in an order that only the seed decides.\n"
            + "Without --crashes all runs are compared with the one without failures.\n\n");
        for (SimulateOption option : values()) {
            text.append(String.format("  --%-20s ", option.key() + " " + option.label())).append(wrapped(option.description())).append('\n');
        }
        return text + "  --json                 the last line is one JSON object\n\n"
            + "Exit codes: 0 all runs ended as they should, 1 one did not, 2 wrong usage.\n";
    }

    private static String wrapped(String meaning) {
        StringBuilder text = new StringBuilder();
        int column = 0;
        for (String word : meaning.split(" ")) {
            if (column + word.length() > WIDTH) {
                text.append('\n').append(" ".repeat(INDENT));
                column = 0;
            } else if (column > 0) {
                text.append(' ');
            }
            text.append(word);
            column += word.length() + 1;
        }
        return text.toString();
    }

    static SimulateOption byKey(String key) {
        return CommandOption.byKey(values(), key);
    }
}
