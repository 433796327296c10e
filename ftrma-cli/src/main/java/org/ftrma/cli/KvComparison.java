package org.ftrma.cli;

import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.ftrma.FtrmaException;
import org.ftrma.MisuseException;
import org.ftrma.apps.kvstore.KvOption;
import org.ftrma.apps.kvstore.KvOptions;
import org.ftrma.launch.JobReport;
import org.ftrma.launch.MoreCommands;
import org.ftrma.launch.options.GivenOptions;
import org.ftrma.launch.options.LauncherOption;
import org.ftrma.options.CommandOption;
import org.ftrma.options.JobOption;
import picocli.CommandLine.ParseResult;

/**
 * {@code kv --compare}: the same keys inserted by as many processes in the two ways that the table has, and into a
 * Chronicle Map that the processes
 * share, which is what one would take instead on one machine. One after the other; one thread.
 */
final class KvComparison {
    /** Where the program of the processes that share a map is; the ftrma script builds it. */
    static final String CLASS_PATH = "ftrma.compare.class.path";
    private static final long TIMEOUT_NANOS = TimeUnit.MINUTES.toNanos(10);
    private static final List<CommandOption> WITHOUT = List.of(LauncherOption.KILL, LauncherOption.STOP,
        LauncherOption.CHAOS,
        LauncherOption.VERIFY_RESTART, LauncherOption.CHECK_RACES, KvOption.WORK, KvOption.WAIT);

    private final MoreCommands.Jobs jobs;
    private final PrintStream out;
    private final PrintStream err;

    KvComparison(MoreCommands.Jobs jobs, PrintStream out, PrintStream err) {
        this.jobs = jobs;
        this.out = out;
        this.err = err;
    }

    int execute(ParseResult parsed) {
        GivenOptions given = new GivenOptions(parsed);
        for (CommandOption option : WITHOUT) {
            if (given.has(option)) {
                throw new MisuseException("--" + option.key() + ": --compare is for inserts at full speed, without "
                    + "failures");
            }
        }
        String classPath = System.getProperty(CLASS_PATH);
        if (classPath == null) {
            throw new FtrmaException(FtrmaException.Category.SETUP, "--compare: what it compares with is not built; "
                + "the ftrma script does that");
        }
        List<String> arguments = KvOption.TABLE.values(given.of(KvOption.class)).arguments();
        KvOptions options = KvOptions.parse(arguments.toArray(String[]::new));
        int ranks = (int) given.number(JobOption.RANKS);
        JobReport batches = jobs.run(parsed, Map.of(KvOption.WORK, "0"));
        if (batches.exitCode() != 0) {
            return batches.exitCode();
        }
        JobReport singles = jobs.run(parsed, Map.of(KvOption.WORK, "1"));
        if (singles.exitCode() != 0) {
            return singles.exitCode();
        }
        SharedMapRun.Result map = SharedMapRun.run(ranks, options.inserts(), arguments, classPath, TIMEOUT_NANOS);
        if (!map.verified()) {
            err.println("ftrma: the Chronicle Map does not hold each key once with its value: " + map);
        }
        print(given.has(LauncherOption.JSON), batches.figures(), singles.figures(), map);
        return map.verified() ? 0 : 1;
    }

    private void print(boolean json, Map<String, Object> batches, Map<String, Object> singles,
        SharedMapRun.Result map) {
        double rate = map.inserts() / map.seconds();
        if (json) {
            Map<String, Object> chronicle = new LinkedHashMap<>();
            chronicle.put("inserts", map.inserts());
            chronicle.put("seconds", map.seconds());
            chronicle.put("insertsPerSecond", rate);
            chronicle.put("found", map.found());
            chronicle.put("lost", map.inserts() - map.found());
            chronicle.put("duplicated", map.size() - map.found());
            chronicle.put("verified", map.verified());
            Map<String, Object> compared = new LinkedHashMap<>();
            compared.put("oneByOneInsertsPerSecond", singles.get("insertsPerSecond"));
            compared.put("chronicleMap", chronicle);
            compared.put("timesChronicleMap", number(batches) / rate);
            compared.put("oneByOneTimesChronicleMap", number(singles) / rate);
            batches.put("compared", compared);
            out.println(JobReport.text(batches));
            return;
        }
        out.printf(Locale.ROOT, "%s keys inserted by %s processes:%n", batches.get("inserts"), batches.get("ranks"));
        line("hash table, protocol " + batches.get("protocol") + ", in batches", number(batches), rate,
            batches.get("verified"));
        line("hash table, one insert after the other", number(singles), rate, singles.get("verified"));
        line("Chronicle Map, one persisted map", rate, rate, map.verified());
    }

    private void line(String what, double insertsPerSecond, double reference, Object verified) {
        out.printf(Locale.ROOT, "  %-50s %12.0f inserts/s %7.2f x  %s%n", what, insertsPerSecond,
            insertsPerSecond / reference,
            Boolean.TRUE.equals(verified) ? "verified" : "NOT VERIFIED");
    }

    private static double number(Map<String, Object> figures) {
        return ((Number) figures.get("insertsPerSecond")).doubleValue();
    }
}
