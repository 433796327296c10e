package org.ftrma.launch.topology;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.ftrma.MisuseException;
import org.ftrma.options.JobOption;
import org.ftrma.options.Units;
import org.ftrma.xor.MemoryDemand;
import org.ftrma.xor.MemoryPlan;
import org.ftrma.xor.domains.FailureDistribution;
import org.ftrma.xor.domains.Machine;
import org.ftrma.xor.domains.PlacementRisk;
import org.ftrma.xor.domains.Topology;
import picocli.CommandLine.ParseResult;

/** The command that says how to protect a job: interval, waste, groups, memory, with the arithmetic. One thread. */
public final class PlanCommand {
    /** Its options. */
    public static final List<MachineOption> OPTIONS = List.of(MachineOption.MACHINE, MachineOption.TOPOLOGY,
        MachineOption.NODES, MachineOption.RANKS,
        MachineOption.IMAGE, MachineOption.CHECKPOINT, MachineOption.MTBF, MachineOption.RECOVERY, MachineOption.LENGTH,
        MachineOption.TARGET,
        MachineOption.LOSSES, MachineOption.AWARE, MachineOption.SAMPLES, MachineOption.SEED, MachineOption.JSON);
    /** What holds where an option is not given, as far as it differs from what the others do. */
    public static final Map<MachineOption, String> DEFAULTS =
        Map.of(MachineOption.LOSSES, "1 to 3 are compared", MachineOption.AWARE,
        "all levels are compared", MachineOption.TARGET, "0.001, for the length of the job");
    private static final int MOST_LOSSES = 3;
    /** What ./ftrma run can protect against in each group. */
    private static final int RUNNABLE_LOSSES = (int) JobOption.LOSSES.form().max();
    private static final double DEFAULT_TARGET = 0.001;
    private static final double DEFAULT_DECAY = 1.3567;
    private static final double NANOS = 1e9;
    private final PrintStream out;

    /** A command that prints to {@code out}. */
    public PlanCommand(PrintStream out) {
        this.out = out;
    }

    /** Runs it; returns the exit code. */
    public int execute(ParseResult parsed) {
        MachineArguments arguments = new MachineArguments(parsed);
        Machine machine = withMtbf(arguments, arguments.machine());
        Topology topology = machine.topology();
        long image = arguments.number(MachineOption.IMAGE);
        int samples = (int) Units.count(MachineOption.SAMPLES.key(), arguments.text(MachineOption.SAMPLES), 2,
            Integer.MAX_VALUE);
        long seed = arguments.number(MachineOption.SEED);
        Plan.Seconds seconds = new Plan.Seconds(seconds(arguments, MachineOption.CHECKPOINT),
            seconds(arguments, MachineOption.RECOVERY), seconds(arguments, MachineOption.LENGTH));
        Plan plan = new Plan(machine, arguments.ranks(MachineOption.RANKS), seconds,
            arguments.has(MachineOption.TARGET) ? arguments.probability(MachineOption.TARGET) : DEFAULT_TARGET, samples,
            seed);
        if (plan.waste() >= 1) {
            throw new MisuseException(String.format(Locale.ROOT,
                "a checkpoint of %s and a recovery of %s, with a failure every %s, leave no time for the job: "
                + "checkpoints take %.0f%% and failures %.0f%%", time(seconds.checkpoint()), time(seconds.recovery()),
                time(plan.mtbfSeconds()),
                100 * plan.checkpointWaste(), 100 * plan.failureWaste()));
        }
        int losses = arguments.has(MachineOption.LOSSES) ? arguments.losses() : 0;
        int aware = arguments.has(MachineOption.AWARE) ? arguments.aware(topology) : -1;
        List<Plan.Choice> choices = plan.choices(losses == 0 ? 1 : losses, losses == 0 ? MOST_LOSSES : losses,
            Math.max(0, aware),
            aware < 0 ? topology.levels() : aware);
        Plan.Choice best = Plan.best(choices).orElseThrow(() ->
            new MisuseException(plan.ranks() + " ranks and their checksum ranks do not fit on "
                + topology));
        MemoryPlan memory;
        try {
            memory = MemoryPlan.of(new MemoryDemand(plan.ranks(), best.checksums() / best.losses(), best.losses())
                .windows(image));
        } catch (IllegalArgumentException e) {
            throw MachineArguments.refused(MachineOption.IMAGE, arguments.text(MachineOption.IMAGE), e);
        }
        if (arguments.has(MachineOption.JSON)) {
            out.println(MachineArguments.json(json(plan, choices, best, memory)));
        } else {
            print(plan, choices, best, memory);
        }
        return 0;
    }

    private static double seconds(MachineArguments arguments, MachineOption option) {
        return arguments.number(option) / NANOS;
    }

    /**
     * The machine with the times between failures that were given: a level's distribution keeps its shape, or gets that
     * of the paper's nodes.
     */
    private static Machine withMtbf(MachineArguments arguments, Machine machine) {
        List<FailureDistribution> failures = new ArrayList<>(machine.failures());
        Topology topology = machine.topology();
        Set<Integer> seen = new HashSet<>();
        for (String one : arguments.has(MachineOption.MTBF) ? arguments.text(MachineOption.MTBF).split(",")
            : new String[0]) {
            String[] parts = one.split("=", 2);
            int level;
            try {
                level = parts.length == 2 ? topology.level(parts[0]) : 0;
            } catch (IllegalArgumentException e) {
                throw MachineArguments.refused(MachineOption.MTBF, one, e);
            }
            if (level == 0) {
                throw new MisuseException("--mtbf=" + one + ": not a level and a time, such as " + topology.levelName(1)
                    + "=24h");
            }
            if (!seen.add(level)) {
                throw new MisuseException("--mtbf=" + arguments.text(MachineOption.MTBF) + ": " + parts[0]
                    + " is given twice");
            }
            double perDay = Plan.SECONDS_PER_DAY * NANOS / Units.durationNanos(MachineOption.MTBF.key(), parts[1]);
            failures.set(level - 1, scaled(failures.get(level - 1), topology.count(level), perDay));
        }
        Machine result = new Machine(topology, failures);
        if (failures.stream().allMatch(distribution -> distribution == null)) {
            throw new MisuseException("--mtbf is missing: " + topology.name()
                + " does not tell how often anything fails; give --mtbf "
                + topology.levelName(1) + "=TIME");
        }
        return result;
    }

    private static FailureDistribution scaled(FailureDistribution given, int elements, double perDay) {
        FailureDistribution shape = given == null ? FailureDistribution.exponential(1, DEFAULT_DECAY) : given;
        double factor = perDay / shape.perDay(1, elements);
        double[] table = shape.table();
        if (table.length == 0) {
            return FailureDistribution.exponential(shape.scale() * factor, shape.decay());
        }
        for (int i = 0; i < table.length; i++) {
            table[i] *= factor;
        }
        return FailureDistribution.tabulated(table);
    }

    private static Map<String, Object> json(Plan plan, List<Plan.Choice> choices, Plan.Choice best, MemoryPlan memory) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("machine", plan.machine().topology().name());
        json.put("ranks", plan.ranks());
        json.put("failuresPerDay", plan.failuresPerDay());
        json.put("mtbfSeconds", plan.mtbfSeconds());
        json.put("intervalSeconds", plan.intervalSeconds());
        json.put("checkpointWaste", plan.checkpointWaste());
        json.put("failureWaste", plan.failureWaste());
        json.put("waste", plan.waste());
        json.put("expectedSeconds", plan.expectedSeconds());
        json.put("target", plan.target());
        json.put("choices", choices.stream().map(choice -> choice(plan, choice)).toList());
        json.put("recommended", choice(plan, best));
        json.put("bytesPerRank", memory.perRank());
        json.put("bytesPerChecksumRank", memory.perChecksumRank());
        json.put("bytesTogether", memory.totalBytes());
        json.put("bytesUnprotected", memory.unprotectedBytes());
        return json;
    }

    private static Map<String, Object> choice(Plan plan, Plan.Choice choice) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("losses", choice.losses());
        json.put("aware", plan.levelName(choice.aware()));
        json.put("checksums", choice.checksums());
        json.put("groupSize", choice.protection().groupSize());
        json.put("pcfPerDay", choice.formula());
        json.put("placementPcfPerDay", choice.placement().perDay());
        json.put("placementStandardError", choice.placement().standardError());
        json.put("pcfOfLength", choice.ofLength());
        json.put("reached", choice.reached());
        return json;
    }

    private void print(Plan plan, List<Plan.Choice> choices, Plan.Choice best, MemoryPlan memory) {
        Topology topology = plan.machine().topology();
        line("%s; %d computing ranks", topology, plan.ranks());
        line("");
        line("Failures a day");
        for (int level = 1; level <= topology.levels(); level++) {
            double perDay = plan.failuresPerDay(level);
            line("  %-10s %s", topology.levelName(level), perDay == 0 ? "not known, taken as none"
                : String.format(Locale.ROOT, "%.4g, one in %s", perDay, time(Plan.SECONDS_PER_DAY / perDay)));
        }
        line("  together   %.4g, so the mean time between failures is M = %s", plan.failuresPerDay(),
            time(plan.mtbfSeconds()));
        double delta = plan.seconds().checkpoint();
        double ratio = delta / 2 / plan.mtbfSeconds();
        line("");
        line("Interval between checkpoints (Daly), with a checkpoint of d = %s", time(delta));
        line("  sqrt(2 d M) [1 + 1/3 sqrt(d/2M) + 1/9 d/2M] - d = %s * %.6f - %s = %s",
            time(2 * plan.mtbfSeconds() * Math.sqrt(ratio)),
            1 + Math.sqrt(ratio) / 3 + ratio / 9, time(delta), time(plan.intervalSeconds()));
        line("  run it with --interval %.3gs, or with --interval daly --mtbf %.0fs", plan.intervalSeconds(),
            Math.max(1, plan.mtbfSeconds()));
        line("");
        line("Expected waste, where all ranks go back (less with --protocol full, where only the lost one does)");
        line("  checkpoints   d / (interval + d)                      = %.4f%%", 100 * plan.checkpointWaste());
        line("  failures      ((interval + d) / 2 + recovery %s) / M = %.4f%%", time(plan.seconds().recovery()),
            100 * plan.failureWaste());
        line("  together %.4f%%: a job of %s takes %s", 100 * plan.waste(), time(plan.seconds().length()),
            time(plan.expectedSeconds()));
        line("");
        line("Fewest checksum ranks with P_cf of the job at most %.2e, as ./ftrma map places them; the paper's "
            + "formula beside", plan.target());
        line("  (a group has at most %d computing ranks: its checksum ranks read all their images at each checkpoint)",
            Plan.LARGEST_GROUP);
        line("  %-8s%-10s%10s%12s%16s%24s%14s", "losses", "t-aware", "checksums", "group size", "formula a day",
            "placement a day", "P_cf of job");
        for (Plan.Choice choice : choices) {
            PlacementRisk.Result risk = choice.placement();
            line("  %-8d%-10s%10d%12d%16.3e%24s%14.3e%s%s", choice.losses(), plan.levelName(choice.aware()),
                choice.checksums(), choice.protection().groupSize(),
                choice.formula(), String.format(Locale.ROOT, risk.standardError() == 0 ? "%.3e" : "%.3e +- %.0e",
                risk.perDay(),
                    risk.standardError()),
                choice.ofLength(), choice.reached() ? "" : "  not reached",
                choice.equals(best) ? "  <-- recommended" : "");
        }
        recommend(plan, best);
        line("");
        line("Memory, with %s of protected windows on each rank (without logs)",
            Units.bytes(memory.computing().live()));
        memory.table().lines().forEach(row -> line("  %s", row));
    }

    private void recommend(Plan plan, Plan.Choice best) {
        line("");
        line("Recommended: --checksums %d --losses %d --aware %s (%.3g%% more ranks)", best.checksums(), best.losses(),
            plan.levelName(best.aware()),
            100.0 * best.checksums() / plan.ranks());
        if (!best.reached()) {
            line("  It does not reach the target: levels at which groups are not kept apart fail too often.");
        }
        if (best.losses() > RUNNABLE_LOSSES) {
            line("  ./ftrma run survives at most %d losses in a group: --losses %d limits the plan to that.",
                RUNNABLE_LOSSES, RUNNABLE_LOSSES);
        }
    }

    /** A time for people. */
    private static String time(double seconds) {
        if (seconds < 1) {
            return String.format(Locale.ROOT, "%.3g ms", 1e3 * seconds);
        }
        if (seconds < 120) {
            return String.format(Locale.ROOT, "%.3g s", seconds);
        }
        if (seconds < 7200) {
            return String.format(Locale.ROOT, "%.1f min", seconds / 60);
        }
        return seconds < 2 * Plan.SECONDS_PER_DAY ? String.format(Locale.ROOT, "%.2f h", seconds / 3600)
            : String.format(Locale.ROOT, "%.1f d", seconds / Plan.SECONDS_PER_DAY);
    }

    private void line(String format, Object... arguments) {
        out.println(String.format(Locale.ROOT, format, arguments).stripTrailing());
    }
}
