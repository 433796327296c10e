package org.ftrma.launch.topology;

import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.ftrma.MisuseException;
import org.ftrma.options.ShellLine;
import org.ftrma.options.Units;
import org.ftrma.xor.domains.CatastropheFormula;
import org.ftrma.xor.domains.GroupMapper;
import org.ftrma.xor.domains.Machine;
import org.ftrma.xor.domains.NoPlacementException;
import org.ftrma.xor.domains.PlacementRisk;
import picocli.CommandLine.ParseResult;

/**
 * The command that tells how likely a catastrophic failure is: by the paper's formula, and for the placement that
 * {@code map} makes. One thread.
 */
public final class PcfCommand {
    /** Its options. */
    public static final List<MachineOption> OPTIONS = List.of(MachineOption.MACHINE, MachineOption.TOPOLOGY,
        MachineOption.NODES,
        MachineOption.PROCESSES, MachineOption.CHECKSUMS, MachineOption.LOSSES, MachineOption.AWARE,
        MachineOption.LENGTH, MachineOption.TARGET,
        MachineOption.SAMPLES, MachineOption.SEED, MachineOption.SWEEP, MachineOption.OUT, MachineOption.JSON);
    private static final List<MachineOption> NOT_WITH_SWEEP =
        List.of(MachineOption.CHECKSUMS, MachineOption.TARGET, MachineOption.AWARE);
    private static final double NANOS_PER_DAY = 86_400e9;
    private static final int MAX_SAMPLES = 100_000_000;
    private final PrintStream out;

    /** A command that prints to {@code out}. */
    public PcfCommand(PrintStream out) {
        this.out = out;
    }

    /** Runs it; returns the exit code. */
    public int execute(ParseResult parsed) {
        MachineArguments arguments = new MachineArguments(parsed);
        Machine machine = arguments.machine();
        requireFailures(machine);
        if (arguments.has(MachineOption.SWEEP)) {
            return sweep(arguments, machine, parsed.originalArgs());
        }
        if (arguments.has(MachineOption.OUT)) {
            throw new MisuseException("--out: goes with --sweep");
        }
        if (arguments.has(MachineOption.TARGET) == arguments.has(MachineOption.CHECKSUMS)) {
            throw new MisuseException("give either --checksums, or --target to find their number");
        }
        int processes = arguments.ranks(MachineOption.PROCESSES);
        int losses = arguments.losses();
        int aware = arguments.aware(machine.topology());
        int checksums = arguments.has(MachineOption.TARGET) ? fewest(arguments, machine, processes, losses, aware)
            : arguments.checksums(processes, losses);
        Map<String, Object> json = new LinkedHashMap<>();
        CatastropheFormula.Result formula;
        try {
            formula = CatastropheFormula.of(machine, processes, checksums, losses, aware);
        } catch (IllegalArgumentException e) {
            throw LocatedJson.caused(new MisuseException(e.getMessage()), e);
        }
        double days = arguments.number(MachineOption.LENGTH) / NANOS_PER_DAY;
        json.put("formula", formula(losses));
        json.put("machine", machine.topology().name());
        json.put("processes", processes);
        json.put("checksums", checksums);
        json.put("losses", losses);
        json.put("aware", aware == 0 ? "none" : machine.topology().levelName(aware));
        json.put("groups", formula.groups());
        json.put("groupSize", formula.groupSize());
        json.put("pcfPerDay", formula.perDay());
        json.put("lengthDays", days);
        json.put("pcfOfLength", -Math.expm1(-formula.perDay() * days));
        json.put("levels", formula.levels().stream().map(PcfCommand::level).toList());
        json.put("placement", placement(arguments, machine, new int[] {processes, checksums, losses, aware}, days));
        if (arguments.has(MachineOption.JSON)) {
            out.println(MachineArguments.json(json));
        } else {
            print(machine, formula, json);
        }
        return 0;
    }

    static String formula(int losses) {
        return "ftRMA equation 9, each conditional probability at most 1"
            + (losses == 1 ? "" : ", generalized to m=" + losses);
    }

    private static void requireFailures(Machine machine) {
        if (machine.failures().stream().allMatch(failures -> failures == null)) {
            throw new MisuseException(machine.topology().name()
                + " does not tell how often anything fails: use --machine tsubame2, or a --topology "
                + "whose levels have 'failures'");
        }
    }

    private static int fewest(MachineArguments arguments, Machine machine, int processes, int losses, int aware) {
        double target = arguments.probability(MachineOption.TARGET);
        int checksums = CatastropheFormula.fewestChecksums(machine, processes, losses, aware, target);
        if (checksums < 0) {
            double best = CatastropheFormula.of(machine, processes, processes * losses, losses, aware).perDay();
            throw new MisuseException(String.format(Locale.ROOT,
                "--target=%s: no number of checksum ranks reaches it with this --aware and --losses; a group for each "
                + "rank gives %.3g a day", arguments.text(MachineOption.TARGET), best));
        }
        return checksums;
    }

    private static Map<String, Object> level(CatastropheFormula.Level level) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", level.name());
        json.put("elements", level.elements());
        json.put("aware", level.aware());
        json.put("placeable", level.placeable());
        json.put("failuresPerDay", level.failuresPerDay());
        json.put("pcfPerDay", level.perDay());
        return json;
    }

    /** The value of the placement that {@code map} makes, or why there is none. */
    private static Map<String, Object> placement(MachineArguments arguments, Machine machine, int[] job, double days) {
        Map<String, Object> json = new LinkedHashMap<>();
        int samples = (int) Units.count(MachineOption.SAMPLES.key(), arguments.text(MachineOption.SAMPLES), 2,
            MAX_SAMPLES);
        long seed = arguments.number(MachineOption.SEED);
        try {
            PlacementRisk.Result risk = PlacementRisk.of(GroupMapper.map(machine.topology(), job[0], job[1], job[2],
                job[3]), machine.failures(),
                samples, seed);
            json.put("pcfPerDay", risk.perDay());
            json.put("standardError", risk.standardError());
            json.put("pcfOfLength", -Math.expm1(-risk.perDay() * days));
            json.put("levels", risk.levels().stream().map(level -> {
                Map<String, Object> one = new LinkedHashMap<>();
                one.put("name", level.name());
                one.put("fatalElements", level.fatalElements());
                one.put("pcfPerDay", level.perDay());
                one.put("standardError", level.standardError());
                return one;
            }).toList());
        } catch (NoPlacementException e) {
            json.put("none", e.getMessage());
        } catch (IllegalArgumentException e) {
            throw LocatedJson.caused(new MisuseException(e.getMessage()), e);
        }
        return json;
    }

    private void print(Machine machine, CatastropheFormula.Result formula, Map<String, Object> json) {
        line("%s", machine.topology());
        line("%s processes and %s checksum ranks (%.3g%%): %d groups of %d, each survives %s; t-aware: %s",
            json.get("processes"),
            json.get("checksums"),
            100.0 * (int) json.get("checksums") / (int) json.get("processes"), formula.groups(), formula.groupSize(),
            json.get("losses"),
                json.get("aware"));
        line("");
        Map<?, ?> placement = (Map<?, ?>) json.get("placement");
        List<?> own = (List<?>) placement.get("levels");
        line("%-10s%10s%9s%16s%22s%24s%18s", "level", "elements", "t-aware", "failures a day", "P_cf a day, formula",
            "P_cf a day, placement", "fatal alone");
        for (int i = 0; i < formula.levels().size(); i++) {
            CatastropheFormula.Level level = formula.levels().get(i);
            Map<?, ?> one = own == null ? null : (Map<?, ?>) own.get(i);
            boolean known = machine.failures().get(i) != null;
            line("%-10s%10d%9s%16s%22s%24s%18s", level.name(), level.elements(), level.aware() ? "yes" : "no",
                known ? number(level.failuresPerDay()) : "not known", known ? number(level.perDay()) : "-",
                one == null || !known ? "-" : estimate(one),
                one == null || !known ? "-" : one.get("fatalElements") + " of " + level.elements());
        }
        line("%-10s%10s%9s%16s%22s%24s", "all", "", "",
            number(formula.levels().stream().mapToDouble(CatastropheFormula.Level::failuresPerDay).sum()),
            number(formula.perDay()), own == null ? "-" : estimate(placement));
        line("%-10s%10s%9s%16s%22s%24s", "P_cf in " + number((double) json.get("lengthDays")) + " d", "", "", "",
            number((double) json.get("pcfOfLength")), own == null ? "-"
            : number((double) placement.get("pcfOfLength")));
        line("");
        line("formula: %s. It takes each element to run one process,", json.get("formula"));
        line("and every failure at a level that is not t-aware to be fatal; it is no bound where several processes "
            + "share an element.");
        if (own == null) {
            line("placement: %s", placement.get("none"));
            if (!formula.placeable()) {
                line("The formula's value is that of a placement which cannot be.");
            }
        } else {
            line("placement: the one that ./ftrma map makes; counted for one and two failures at once, sampled for "
                + "more (+- standard error).");
        }
    }

    private static String estimate(Map<?, ?> value) {
        double error = (double) value.get("standardError");
        return number((double) value.get("pcfPerDay")) + (error == 0 ? ""
            : String.format(Locale.ROOT, " +- %.1g", error));
    }

    private static String number(double value) {
        return value == 0 || value >= 0.01 && value < 1e4
            ? String.format(Locale.ROOT, "%.4g", value).replaceAll("\\.?0+$", "")
            : String.format(Locale.ROOT, "%.3e", value);
    }

    private int sweep(MachineArguments arguments, Machine machine, List<String> words) {
        int processes = arguments.ranks(MachineOption.PROCESSES);
        int losses = arguments.losses();
        for (MachineOption option : NOT_WITH_SWEEP) {
            if (arguments.has(option)) {
                throw new MisuseException("--" + option.key()
                    + ": not together with --sweep, which goes through all numbers of checksum ranks and all "
                    + "levels");
            }
        }
        PcfSweep sweep = PcfSweep.of(machine, processes, losses);
        if (arguments.has(MachineOption.OUT)) {
            sweep.write(arguments.path(MachineOption.OUT), "./ftrma " + ShellLine.of(words));
        }
        if (arguments.has(MachineOption.JSON)) {
            out.println(MachineArguments.json(sweep.json()));
        } else {
            sweep.print(out);
        }
        return 0;
    }

    private void line(String format, Object... arguments) {
        out.println(String.format(Locale.ROOT, format, arguments).stripTrailing());
    }
}
