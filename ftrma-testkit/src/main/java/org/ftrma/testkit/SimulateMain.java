package org.ftrma.testkit;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.ftrma.MisuseException;
import org.ftrma.checkpoint.Fault;
import org.ftrma.options.JobOption;
import org.ftrma.options.Units;
import org.ftrma.testkit.programs.Flavour;
import org.ftrma.testkit.programs.Ingredient;

/** The simulate command: replays a run, or enumerates crashes. See {@link SimulateOption}. */
public final class SimulateMain {
    private static final Set<SimulateOption> ONE_PROGRAM = EnumSet.of(SimulateOption.PROGRAM, SimulateOption.SEED, SimulateOption.CRASHES,
        SimulateOption.SINGLES, SimulateOption.KILLS, SimulateOption.PAIRS, SimulateOption.SCHEDULES, SimulateOption.NODES, SimulateOption.AWARE,
        SimulateOption.TOPOLOGY, SimulateOption.NODE_KILLS, SimulateOption.GROUP_KILLS);

    private static final Set<SimulateOption> MANY_RUNS = EnumSet.of(SimulateOption.SINGLES, SimulateOption.KILLS, SimulateOption.PAIRS,
        SimulateOption.SCHEDULES, SimulateOption.NODE_KILLS, SimulateOption.GROUP_KILLS, SimulateOption.STORES);
    private static final Set<SimulateOption> RANDOM_PROGRAMS = EnumSet.of(SimulateOption.FROM, SimulateOption.FLAVOUR, SimulateOption.WITHOUT,
        SimulateOption.ONLY);

    private final Map<SimulateOption, String> given = new EnumMap<>(SimulateOption.class);
    private final PrintStream out;
    private final PrintStream err;
    private final List<SimReport> reports = new ArrayList<>();
    private boolean json;

    private SimulateMain(List<String> args, PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
        for (int i = 0; i < args.size(); i++) {
            String arg = args.get(i);
            int equals = arg.indexOf('=');
            String name = equals < 0 ? arg : arg.substring(0, equals);
            SimulateOption option = name.startsWith("--") ? SimulateOption.byKey(name.substring(2)) : null;
            if (arg.equals("--json")) {
                json = true;
            } else if (option == null) {
                throw new MisuseException("argument=" + arg + ": no such option; see --help");
            } else if (equals >= 0) {
                given.put(option, arg.substring(equals + 1));
            } else if (i + 1 < args.size()) {
                given.put(option, args.get(++i));
            } else {
                throw new MisuseException("argument=" + arg + ": a value is missing; see --help");
            }
        }
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
        SimulateMain command = new SimulateMain(args, out, err);
        if (command.crashesAtStores() && !StoreLoader.isInside()) {
            return StoreLoader.simulate(args, out, err);
        }
        return command.run();
    }

    private boolean crashesAtStores() {
        return count(SimulateOption.STORES, 0, Integer.MAX_VALUE) > 0
            || Crash.parse(value(SimulateOption.CRASHES).replace("none", "")).stream().anyMatch(crash -> crash.how() == Crash.How.STORE);
    }

    private String value(SimulateOption option) {
        return given.getOrDefault(option, option.defaultText());
    }

    private int count(SimulateOption option, int min, int max) {
        return (int) Units.count(option.key(), value(option), min, max);
    }

    private int losses() {
        return count(SimulateOption.LOSSES, 1, (int) JobOption.LOSSES.max());
    }

    private Simulation simulation() {
        return new Simulation().program(value(SimulateOption.PROGRAM)).ranks(count(SimulateOption.RANKS, 1, 64))
            .losses(losses())
            .checksums(given.containsKey(SimulateOption.CHECKSUMS) ? count(SimulateOption.CHECKSUMS, 1, 64) : losses())
            .spares(count(SimulateOption.SPARES, 0, 64))
            .nodes(count(SimulateOption.NODES, 0, 64), value(SimulateOption.AWARE)).topology(value(SimulateOption.TOPOLOGY))
            .steps(count(SimulateOption.STEPS, 1, 10_000)).interval(value(SimulateOption.INTERVAL)).protocol(value(SimulateOption.PROTOCOL))
            .path(value(SimulateOption.PATH))
            .demand(value(SimulateOption.DEMAND)).logLow(count(SimulateOption.LOG_LOW, 0, 100)).logBudget(value(SimulateOption.LOG_BUDGET))
            .seed(Units.count(SimulateOption.SEED.key(), value(SimulateOption.SEED), 0, Long.MAX_VALUE)).faults(faults())
            .progress(text -> err.println("ftrma: simulate: " + text));
    }

    private Set<Fault> faults() {
        Set<Fault> faults = EnumSet.noneOf(Fault.class);
        for (String name : value(SimulateOption.FAULTS).replaceAll("[\\[\\] ]", "").split(",")) {
            if (!name.isEmpty()) {
                try {
                    faults.add(Fault.valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_')));
                } catch (IllegalArgumentException e) {
                    throw new MisuseException("--faults=" + name + ": must be some of " + List.of(Fault.values()));
                }
            }
        }
        return faults;
    }

    private boolean run() {
        if (count(SimulateOption.SEEDS, 0, Integer.MAX_VALUE) > 0) {
            return randomPrograms();
        }
        refuse(RANDOM_PROGRAMS, "only together with --seeds");
        boolean replayed = given.containsKey(SimulateOption.CRASHES);
        if (replayed) {
            refuse(MANY_RUNS, "not together with --crashes, which is one run");
        }
        Simulation simulation = simulation();
        boolean good = replayed ? replay(simulation) : enumerate(simulation);
        if (json) {
            out.println(json(simulation, good, replayed));
        }
        return good;
    }

    private void refuse(Set<SimulateOption> options, String why) {
        for (SimulateOption option : options) {
            if (given.containsKey(option)) {
                throw new MisuseException("--" + option.key() + "=" + value(option) + ": " + why);
            }
        }
    }

    private boolean randomPrograms() {
        refuse(ONE_PROGRAM, "not together with --seeds");
        String flavour = value(SimulateOption.FLAVOUR);
        long from = Units.count(SimulateOption.FROM.key(), value(SimulateOption.FROM), 0, Long.MAX_VALUE);
        RandomReport report = new RandomRuns().flavour(flavour.equals("all") ? null : Flavour.byKey(flavour)).faults(faults())
            .without(without()).seeds(from, count(SimulateOption.SEEDS, 1, Integer.MAX_VALUE))
            .losses(losses()).shaped(this::shape).run();
        out.println(report);
        if (json) {
            out.println(report.json());
        }
        return report.clean();
    }

    private Set<Ingredient> without() {
        Set<Ingredient> without = Ingredient.parse(value(SimulateOption.WITHOUT));
        if (given.containsKey(SimulateOption.ONLY)) {
            without.addAll(EnumSet.complementOf(Ingredient.parse(value(SimulateOption.ONLY))));
        }
        return without;
    }

    /** What is given is not drawn. */
    private Simulation shape(Simulation drawn) {
        Simulation shaped = drawn.protocol(value(SimulateOption.PROTOCOL)).path(value(SimulateOption.PATH)).demand(value(SimulateOption.DEMAND))
            .logLow(count(SimulateOption.LOG_LOW, 0, 100)).logBudget(value(SimulateOption.LOG_BUDGET));
        shaped = given.containsKey(SimulateOption.RANKS) ? shaped.ranks(count(SimulateOption.RANKS, 1, 64)) : shaped;
        shaped = given.containsKey(SimulateOption.CHECKSUMS) ? shaped.checksums(count(SimulateOption.CHECKSUMS, 1, 64)) : shaped;
        shaped = given.containsKey(SimulateOption.SPARES) ? shaped.spares(count(SimulateOption.SPARES, 0, 64)) : shaped;
        shaped = given.containsKey(SimulateOption.STEPS) ? shaped.steps(count(SimulateOption.STEPS, 1, 10_000)) : shaped;
        return given.containsKey(SimulateOption.INTERVAL) ? shaped.interval(value(SimulateOption.INTERVAL)) : shaped;
    }

    private boolean replay(Simulation simulation) {
        String text = value(SimulateOption.CRASHES);
        List<Crash> crashes = Crash.parse(text.equals("none") ? "" : text);
        for (Crash crash : crashes) {
            if (crash.ofMember() && crash.number() >= simulation.members()) {
                throw new MisuseException("--crashes=" + text + ": " + crash + ": members are 0 to " + (simulation.members() - 1));
            }
        }
        SimResult result = simulation.crashes(Crash.format(crashes)).replay();
        if (result.fired() < crashes.size()) {
            err.println("ftrma: simulate: only " + result.fired() + " of " + crashes.size() + " crashes took place: the run ended before");
        }
        String fault = simulation.judge(result);
        out.println(result.story() + (fault == null ? "as it should be" : "WRONG: " + fault));
        return fault == null;
    }

    private boolean enumerate(Simulation simulation) {
        String singles = value(SimulateOption.SINGLES);
        if (!singles.equals("yes") && !singles.equals("no")) {
            throw new MisuseException("--singles=" + singles + ": must be yes or no");
        }
        int schedules = count(SimulateOption.SCHEDULES, 0, Integer.MAX_VALUE);
        int kills = count(SimulateOption.KILLS, 0, Integer.MAX_VALUE);
        boolean all = value(SimulateOption.PAIRS).equals("all");
        int pairs = all ? 0 : count(SimulateOption.PAIRS, 0, Integer.MAX_VALUE);
        int nodeKills = count(SimulateOption.NODE_KILLS, 0, Integer.MAX_VALUE);
        if (nodeKills > 0) {
            simulation.requireNodes(nodeKills);
        }
        int groupKills = count(SimulateOption.GROUP_KILLS, 0, Integer.MAX_VALUE);
        int stores = count(SimulateOption.STORES, 0, Integer.MAX_VALUE);
        if (singles.equals("no") && !all && schedules == 0 && kills == 0 && pairs == 0 && nodeKills == 0 && groupKills == 0 && stores == 0) {
            throw new MisuseException("--singles=no: nothing is left to run; add --kills, --stores, --node-kills, --group-kills, --pairs, "
                + "--schedules or --crashes");
        }
        if (schedules > 0) {
            print(simulation.schedules(schedules));
        }
        if (singles.equals("yes")) {
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
        return "{\"simulation\":\"" + simulation.label() + "\",\"seed\":" + simulation.seed() + ",\"good\":" + good + ",\"runs\":" + runs
            + ",\"failed\":" + failed + ",\"catastrophic\":" + gaveUp + ",\"steps\":" + steps + "}";
    }
}
