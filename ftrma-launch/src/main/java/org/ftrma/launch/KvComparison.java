package org.ftrma.launch;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.ftrma.FtrmaException;
import org.ftrma.MisuseException;
import org.ftrma.apps.kvstore.KvOption;
import org.ftrma.apps.kvstore.KvOptions;
import org.ftrma.launch.host.SharedMapRun;
import org.ftrma.options.JobOption;
import org.ftrma.options.Units;
import picocli.CommandLine.ParseResult;

/**
 * {@code kv --compare}: the same keys inserted by as many processes in the two ways that the table has, and into a Chronicle Map that the processes
 * share, which is what one would take instead on one machine. One after the other; one thread.
 */
final class KvComparison {
    /** Where the program of the processes that share a map is; the ftrma script builds it. */
    static final String CLASS_PATH = "ftrma.compare.class.path";
    private static final long TIMEOUT_NANOS = TimeUnit.MINUTES.toNanos(10);
    private static final List<String> WITHOUT = List.of("kill", "stop", "chaos", "verify-restart", "check-races", KvOption.WORK.key(),
        KvOption.WAIT.key());

    private final JobCommand jobs;
    private final PrintStream out;
    private final PrintStream err;

    KvComparison(JobCommand jobs, PrintStream out, PrintStream err) {
        this.jobs = jobs;
        this.out = out;
        this.err = err;
    }

    int execute(ParseResult parsed) {
        for (String key : WITHOUT) {
            if (parsed.hasMatchedOption(key)) {
                throw new MisuseException("--" + key + ": --compare is for inserts at full speed, without failures");
            }
        }
        String classPath = System.getProperty(CLASS_PATH);
        if (classPath == null) {
            throw new FtrmaException(FtrmaException.Category.SETUP, "--compare: what it compares with is not built; the ftrma script does that");
        }
        List<String> arguments = new ArrayList<>();
        for (KvOption option : KvOption.values()) {
            if (parsed.hasMatchedOption(option.key())) {
                arguments.addAll(List.of("--" + option.key(), parsed.matchedOptionValue(option.key(), "")));
            }
        }
        KvOptions options = KvOptions.parse(arguments.toArray(String[]::new));
        int ranks = (int) Units.count(JobOption.RANKS.key(), parsed.matchedOptionValue(JobOption.RANKS.key(), JobOption.RANKS.defaultValue()), 1, 1024);
        JobReport batches = jobs.job(parsed, Map.of(KvOption.WORK.key(), "0"));
        if (batches.exitCode() != 0) {
            return batches.exitCode();
        }
        JobReport singles = jobs.job(parsed, Map.of(KvOption.WORK.key(), "1"));
        if (singles.exitCode() != 0) {
            return singles.exitCode();
        }
        SharedMapRun.Result map = SharedMapRun.run(ranks, options.inserts(), arguments, classPath, TIMEOUT_NANOS);
        if (!map.verified()) {
            err.println("ftrma: the Chronicle Map does not hold each key once with its value: " + map);
        }
        print(parsed, batches.figures(), singles.figures(), map);
        return map.verified() ? 0 : 1;
    }

    private void print(ParseResult parsed, Map<String, Object> batches, Map<String, Object> singles, SharedMapRun.Result map) {
        double rate = map.inserts() / map.seconds();
        if (parsed.hasMatchedOption("json")) {
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
        line("hash table, protocol " + batches.get("protocol") + ", in batches", number(batches), rate, batches.get("verified"));
        line("hash table, one insert after the other", number(singles), rate, singles.get("verified"));
        line("Chronicle Map, one persisted map", rate, rate, map.verified());
    }

    private void line(String what, double insertsPerSecond, double reference, Object verified) {
        out.printf(Locale.ROOT, "  %-50s %12.0f inserts/s %7.2f x  %s%n", what, insertsPerSecond, insertsPerSecond / reference,
            Boolean.TRUE.equals(verified) ? "verified" : "NOT VERIFIED");
    }

    private static double number(Map<String, Object> figures) {
        return ((Number) figures.get("insertsPerSecond")).doubleValue();
    }
}
