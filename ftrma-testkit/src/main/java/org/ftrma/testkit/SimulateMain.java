package org.ftrma.testkit;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.ftrma.MisuseException;
import org.ftrma.options.OptionValues;
import org.ftrma.options.Protocol;
import org.ftrma.testkit.bugs.ProtocolBugs;
import org.ftrma.testkit.programs.Flavour;
import org.ftrma.testkit.programs.Ingredient;
import org.ftrma.testkit.programs.MessageFlavour;

/**
 * The simulate command: replays a run, or enumerates crashes. See {@link SimulateOption}. One thread; runs use all
 * processors.
 */
public final class SimulateMain {
    private static final String NO_CRASH = "none";
    private static final Set<SimulateOption> ONE_PROGRAM = EnumSet.of(SimulateOption.PROGRAM, SimulateOption.SEED,
        SimulateOption.CRASHES,
        SimulateOption.SINGLES, SimulateOption.KILLS, SimulateOption.PAIRS, SimulateOption.SCHEDULES,
        SimulateOption.NODES, SimulateOption.AWARE,
        SimulateOption.TOPOLOGY, SimulateOption.NODE_KILLS, SimulateOption.GROUP_KILLS, SimulateOption.HOST_FAULTS);

    private static final Set<SimulateOption> MANY_RUNS = EnumSet.of(SimulateOption.SINGLES, SimulateOption.KILLS,
        SimulateOption.PAIRS,
        SimulateOption.SCHEDULES, SimulateOption.NODE_KILLS, SimulateOption.GROUP_KILLS, SimulateOption.HOST_FAULTS,
        SimulateOption.STORES);
    private static final Set<SimulateOption> RANDOM_PROGRAMS = EnumSet.of(SimulateOption.FROM, SimulateOption.FLAVOUR,
        SimulateOption.MESSAGES, SimulateOption.WITHOUT, SimulateOption.ONLY);
    private static final Set<SimulateOption> INGREDIENTS = EnumSet.of(SimulateOption.WITHOUT, SimulateOption.ONLY);

    private final OptionValues<SimulateOption> given;
    private final PrintStream out;
    private final PrintStream err;
    private final List<SimReport> reports = new ArrayList<>();

    private SimulateMain(OptionValues<SimulateOption> given, PrintStream out, PrintStream err) {
        this.given = given;
        this.out = out;
        this.err = err;
    }

    /** Exit code 0 if all runs ended as they should, 1 if not, 2 for a wrong command line. */
    public static void main(String[] args) {
        System.exit(execute(List.of(args), System.out, System.err));
    }

    /** As {@link #main}, for commands that contain this one; returns the exit code. */
    public static int execute(List<String> args, PrintStream out, PrintStream err) {
        if (args.contains("--help") || args.contains("-h")) {
            out.print(SimulateOption.help());
            return 0;
        }
        try {
            return run(args, out, err) ? 0 : 1;
        } catch (MisuseException e) {
            err.println("ftrma: simulate: " + e.getMessage());
            return 2;
        }
    }

    /** Returns whether all runs ended as they should. Throws {@link MisuseException} for a wrong command line. */
    public static boolean run(List<String> args, PrintStream out, PrintStream err) {
        SimulateMain command = new SimulateMain(SimulateOption.TABLE.parse(args), out, err);
        if (command.crashesAtStores() && !StoreLoader.isInside()) {
            return StoreLoader.simulate(args, out, err);
        }
        return command.run();
    }

    private boolean crashesAtStores() {
        return given.count(SimulateOption.STORES) > 0
            || crashes().stream().anyMatch(crash -> crash.how() == Crash.How.STORE);
    }

    private List<Crash> crashes() {
        String text = given.text(SimulateOption.CRASHES);
        return Crash.parse(text.equals(NO_CRASH) ? "" : text);
    }

    private int losses() {
        return given.count(SimulateOption.LOSSES);
    }

    private Simulation simulation() {
        Simulation simulation = new Simulation().program(given.text(SimulateOption.PROGRAM)).checksums(losses())
            .steps(given.number(SimulateOption.STEPS)).seed(given.number(SimulateOption.SEED)).faults(faults())
            .progress(text -> err.println("ftrma: simulate: " + text));
        return shape(simulation);
    }

    /** What is given takes the place of what holds otherwise, or was drawn. */
    private Simulation shape(Simulation simulation) {
        for (SimulateOption option : SimulateOption.values()) {
            if (option.job() != null && given.has(option)) {
                simulation.set(option.job(), given.text(option));
            }
        }
        if (given.count(SimulateOption.HOSTS) > 0) {
            for (SimulateOption other : List.of(SimulateOption.NODES, SimulateOption.TOPOLOGY, SimulateOption.AWARE)) {
                if (given.has(other)) {
                    throw new MisuseException("--" + other.key() + "=" + given.text(other)
                        + ": not together with --hosts, from which nodes follow");
                }
            }
            simulation.hosts(given.count(SimulateOption.HOSTS));
        }
        return given.has(SimulateOption.STEPS) ? simulation.steps(given.number(SimulateOption.STEPS)) : simulation;
    }

    private Set<String> faults() {
        Set<String> faults = new TreeSet<>();
        for (String name : given.text(SimulateOption.FAULTS).replaceAll("[\\[\\] ]", "").split(",")) {
            String bug = name.toUpperCase(Locale.ROOT).replace('-', '_');
            if (!name.isEmpty() && !ProtocolBugs.names().contains(bug)) {
                throw new MisuseException("--faults=" + name + ": must be some of " + ProtocolBugs.names());
            }
            faults.addAll(name.isEmpty() ? Set.of() : Set.of(bug));
        }
        ProtocolBugs.check(faults);
        return faults;
    }

    private boolean run() {
        if (given.count(SimulateOption.SEEDS) > 0) {
            return randomPrograms();
        }
        refuse(RANDOM_PROGRAMS, "only together with --seeds");
        boolean replayed = given.has(SimulateOption.CRASHES);
        if (replayed) {
            refuse(MANY_RUNS, "not together with --crashes, which is one run");
        }
        Simulation simulation = simulation();
        boolean good = replayed ? replay(simulation) : enumerate(simulation);
        if (given.has(SimulateOption.JSON)) {
            out.println(json(simulation, good, replayed));
        }
        return good;
    }

    private void refuse(Set<SimulateOption> options, String why) {
        for (SimulateOption option : options) {
            if (given.has(option)) {
                throw new MisuseException("--" + option.key() + "=" + given.text(option) + ": " + why);
            }
        }
    }

    private boolean randomPrograms() {
        refuse(ONE_PROGRAM, "not together with --seeds");
        boolean hasMessages = given.has(SimulateOption.MESSAGES);
        RandomReport report = new RandomRuns().of(hasMessages ? messagePrograms() : windowPrograms()).faults(faults())
            .seeds(given.number(SimulateOption.FROM), given.count(SimulateOption.SEEDS))
            .losses(hasMessages && !given.has(SimulateOption.LOSSES) ? 0 : losses()).shaped(this::shape).run();
        out.println(report);
        if (given.has(SimulateOption.JSON)) {
            out.println(report.json());
        }
        return report.clean();
    }

    private RandomPrograms windowPrograms() {
        String flavour = given.text(SimulateOption.FLAVOUR);
        return new RandomWindowPrograms(flavour.equals(SimulateOption.ALL) ? null : Flavour.byKey(flavour), without());
    }

    private RandomPrograms messagePrograms() {
        refuse(INGREDIENTS, "not together with --messages, whose programs have no ingredients");
        Protocol protocol = new Simulation().protocol(given.text(SimulateOption.PROTOCOL)).options().protocol();
        if (protocol.hasLogs()) {
            throw new MisuseException("--protocol=" + protocol + ": logs accesses, and no messages: use --protocol "
                + "coordinated, pessimistic-v or none with --messages");
        }
        String flavour = given.text(SimulateOption.FLAVOUR);
        return new RandomMessagePrograms(flavour.equals(SimulateOption.ALL) ? null : MessageFlavour.byKey(flavour));
    }

    private Set<Ingredient> without() {
        Set<Ingredient> without = Ingredient.parse(given.text(SimulateOption.WITHOUT));
        if (given.has(SimulateOption.ONLY)) {
            without.addAll(EnumSet.complementOf(Ingredient.parse(given.text(SimulateOption.ONLY))));
        }
        return without;
    }

    private boolean replay(Simulation simulation) {
        List<Crash> crashes = crashes();
        for (Crash crash : crashes) {
            if (crash.how().isOfHost() && crash.number() >= simulation.hosts()) {
                throw new MisuseException("--crashes=" + given.text(SimulateOption.CRASHES) + ": " + crash + ": there "
                    + (simulation.hosts() == 0 ? "are no hosts; add --hosts N"
                    : "are hosts 0 to " + (simulation.hosts() - 1)));
            }
            if (crash.ofMember() && crash.number() >= simulation.members()) {
                throw new MisuseException("--crashes=" + given.text(SimulateOption.CRASHES) + ": " + crash
                    + ": members are 0 to " + (simulation.members() - 1));
            }
        }
        SimResult result = simulation.crashes(Crash.format(crashes)).replay();
        if (result.fired() < crashes.size()) {
            err.println("ftrma: simulate: only " + result.fired() + " of " + crashes.size()
                + " crashes took place: the run ended before");
        }
        String fault = simulation.judge(result);
        out.println(result.story() + (fault == null ? "as it should be" : "WRONG: " + fault));
        return fault == null;
    }

    private boolean enumerate(Simulation simulation) {
        boolean singles = given.yes(SimulateOption.SINGLES);
        int schedules = given.count(SimulateOption.SCHEDULES);
        int kills = given.count(SimulateOption.KILLS);
        boolean all = given.text(SimulateOption.PAIRS).equals(SimulateOption.ALL);
        int pairs = given.count(SimulateOption.PAIRS);
        int nodeKills = given.count(SimulateOption.NODE_KILLS);
        if (nodeKills > 0) {
            simulation.requireNodes(nodeKills);
        }
        int groupKills = given.count(SimulateOption.GROUP_KILLS);
        int stores = given.count(SimulateOption.STORES);
        int hostFaults = given.count(SimulateOption.HOST_FAULTS);
        if (!singles && !all && schedules == 0 && kills == 0 && pairs == 0 && nodeKills == 0 && groupKills == 0
            && stores == 0 && hostFaults == 0) {
            throw new MisuseException("--singles=no: nothing is left to run; add --kills, --stores, --node-kills, "
                + "--host-faults, "
                + "--group-kills, --pairs, "
                + "--schedules or --crashes");
        }
        if (schedules > 0) {
            print(simulation.schedules(schedules));
        }
        if (singles) {
            print(simulation.singles());
        }
        if (kills > 0) {
            print(simulation.kills(kills));
        }
        if (stores > 0) {
            print(simulation.stores(stores));
        }
        if (nodeKills > 0) {
            print(simulation.nodeKills(nodeKills));
        }
        if (hostFaults > 0) {
            print(simulation.hostFaults(hostFaults));
        }
        if (groupKills > 0) {
            print(simulation.groupKills(groupKills, losses()));
            print(simulation.groupKills(groupKills, losses() + 1));
        }
        if (pairs > 0) {
            print(simulation.pairs(pairs));
        }
        if (all) {
            print(simulation.allPairs());
        }
        return reports.stream().allMatch(SimReport::clean);
    }

    private void print(SimReport report) {
        reports.add(report);
        out.println(report);
    }

    private String json(Simulation simulation, boolean good, boolean replayed) {
        long runs = replayed ? 1 : reports.stream().mapToLong(SimReport::runs).sum();
        long failed = replayed && !good ? 1 : reports.stream().mapToLong(SimReport::failed).sum();
        long gaveUp = reports.stream().mapToLong(SimReport::gaveUp).sum();
        long steps = reports.stream().mapToLong(SimReport::steps).sum();
        return "{\"simulation\":\"" + simulation.label() + "\",\"seed\":" + simulation.seed() + ",\"good\":" + good
            + ",\"runs\":" + runs
            + ",\"failed\":" + failed + ",\"catastrophic\":" + gaveUp + ",\"steps\":" + steps + "}";
    }
}
