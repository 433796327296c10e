package org.ftrma.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.ftrma.MisuseException;
import org.ftrma.bench.command.CommandEnd;
import org.ftrma.bench.command.JobProcess;
import org.ftrma.bench.command.TurnTaking;
import org.ftrma.options.ShellLine;
import org.ftrma.options.Units;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code ./ftrma bench overhead [--pairs N] [--quick] [--json] [name...]}: what protection costs. Jobs of NAS FT on two
 * ranks and one checksum rank in turn with the same without protection, in pairs of which every other one begins with
 * the unprotected run; the median of the pairs' ratios counts, and the {@linkplain MedianInterval interval} in which it
 * lies says what it is worth. Prints a table, or one JSON object.
 *
 * <p>The two runs of a pair with access logging {@linkplain TurnTaking take turns} of a quarter of a second, each
 * standing still while the other one runs: so both meet the same machine, which others may make slow for a second or
 * two at a time. Intervals of checkpoints go by the clock, which goes on meanwhile: coordinated runs come one after the
 * other.
 *
 * <p>Daly's interval is judged by what protection takes away: the time in which the program was blocked plus the
 * processor time of the checksum rank, as shares of the run's time (the checksum rank has a core of its own where there
 * is one; here it takes it from the program, as the ratio shows).
 */
@Command(name = "overhead", description =
    "Measures the cost of protection: jobs of NAS FT on two ranks and one checksum rank in turn with the same "
    + "without protection. Takes about 35 minutes on an idle machine.")
public final class OverheadBench implements Callable<Integer> {
    /** What a job may take, and more for each step. */
    private static final long TIMEOUT_SECONDS = 600;
    private static final long STEP_TIMEOUT_SECONDS = 2;
    private static final double BUSY = 0.5;
    private static final int MOST_PAIRS = 1000;
    private static final int MOST_STEPS = 100_000;
    /** What intervals by the clock must bring for a verdict. */
    private static final int LEAST_CHECKPOINTS = 5;
    private static final long LEAST_TURN_NANOS = 100_000_000;
    private static final long MOST_TURN_NANOS = 10_000_000_000L;
    /** What a job that takes turns must not take for a failure. */
    private static final List<String> PATIENT = List.of("--verbose", "--heartbeat-timeout", "5m");

    /** One comparison. */
    private enum Experiment {
        /** Access logging; the first image is taken before the first step. */
        FULL_A("full-A", "A", 1000, 12, 9, 0.05, false, true, "--protocol full --interval none"),
        /** The same with four times as much in each step. */
        FULL_B("full-B", "B", 200, 5, 9, 0.05, false, true, "--protocol full --interval none"),
        /** Five checkpoints or more, in its full length. */
        DALY_B("daly-B", "B", 1200, 30, 1, 0.01, true, false, "--protocol coordinated --mtbf 1h"),
        /** The paper's interval, five times or more. */
        FIXED_B("fixed-B", "B", 160, 15, 7, 0.05, false, false, "--protocol coordinated --interval 2.7s");

        private final String label;
        private final String problem;
        private final int iterations;
        private final int quickIterations;
        private final int pairs;
        private final double limit;
        private final boolean byShare;
        private final boolean inTurns;
        private final List<String> options;

        Experiment(String label, String problem, int iterations, int quickIterations, int pairs, double limit,
            boolean byShare, boolean inTurns,
            String options) {
            this.label = label;
            this.problem = problem;
            this.iterations = iterations;
            this.quickIterations = quickIterations;
            this.pairs = pairs;
            this.limit = limit;
            this.byShare = byShare;
            this.inTurns = inTurns;
            this.options = List.of(options.split(" "));
        }

        static Experiment named(String label) {
            return Arrays.stream(values()).filter(one -> one.label.equals(label)).findFirst()
                .orElseThrow(() -> new MisuseException(
                "'" + label + "' is not an experiment (" + String.join(", ",
                Arrays.stream(values()).map(one -> one.label).toList()) + ")"));
        }

        /**
         * Returns whether a job with so many checkpoints says nothing about this: intervals that go by the clock are
         * what cannot take turns.
         */
        boolean tooShort(int checkpoints) {
            return !inTurns && checkpoints < LEAST_CHECKPOINTS;
        }
    }

    /** What one job tells. */
    private record Run(double seconds, double setupSeconds, int checkpoints, double blockedMillis,
        double checksumMillis, double logMebibytes) {
    }

    @Parameters(paramLabel = "NAME", arity = "0..*", description =
        "full-A and full-B: protocol full; daly-B: coordinated by Daly's interval; "
        + "fixed-B: coordinated every 2.7 s (default: all)")
    private List<String> names = List.of();

    @Option(names = "--pairs", paramLabel = "N", description =
        "pairs of jobs of each experiment, 1 to 1000 (default: 9 for full-A and full-B, "
        + "7 for fixed-B, 1 for daly-B; with --quick at most 2)")
    private Integer asked;

    @Option(names = "--iterations", paramLabel = "N", description =
        "time steps of each job, 1 to 100000 (default: 1000 for full-A, 200 for full-B, 1200 for daly-B, 160 for "
        + "fixed-B); with fewer, one-time work weighs more")
    private Integer steps;

    @Option(names = "--turn", paramLabel = "TIME", description =
        "time slice of the two jobs of a pair of full-A and full-B, 100ms to 10s; 0: one job runs after the other "
        + "(default: 250ms)")
    private String turn = "250ms";

    @Option(names = "--quick", description = "few pairs of short jobs: a test, not a measurement")
    private boolean quick;

    @Option(names = CommandEnd.ASKED, description = "print one JSON object instead of a table")
    private boolean json;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "show this help and exit")
    private boolean help;

    private long turnNanos;
    private boolean busy;
    private final List<Map<String, Object>> results = new ArrayList<>();

    /** Returns an exit code: 0 whatever the figures are. */
    @Override
    public Integer call() throws IOException, InterruptedException {
        if (asked != null && (asked < 1 || asked > MOST_PAIRS)) {
            throw new MisuseException("--pairs " + asked + ": from 1 to " + MOST_PAIRS);
        }
        if (steps != null && (quick || steps < 1 || steps > MOST_STEPS)) {
            throw new MisuseException("--iterations " + steps
                + (quick ? ": --quick has its own numbers, give one of the two"
                : ": from 1 to " + MOST_STEPS));
        }
        turnNanos = turn.equals("0") ? 0 : Units.durationNanos("turn", turn);
        if (turnNanos != 0 && (turnNanos < LEAST_TURN_NANOS || turnNanos > MOST_TURN_NANOS)) {
            throw new MisuseException("--turn " + turn + ": from 100ms to 10s, or 0");
        }
        List<Experiment> chosen = new ArrayList<>();
        for (String name : names) {
            chosen.add(Experiment.named(name));
        }
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        if (load > BUSY) {
            System.err.printf(Locale.ROOT,
                "bench overhead: the machine is busy (load %.1f): pairs differ widely then, look at the interval%n",
                load);
        }
        busy = load > BUSY;
        for (Experiment one : chosen.isEmpty() ? List.of(Experiment.values()) : chosen) {
            measure(one);
        }
        if (json) {
            Map<String, Object> figures = new LinkedHashMap<>();
            figures.put("load", load);
            figures.put("quick", quick);
            figures.put("experiments", results);
            System.out.println(CommandEnd.success(figures));
        } else {
            table();
        }
        return 0;
    }

    private void measure(Experiment one) throws IOException, InterruptedException {
        int full = asked != null ? asked : one.pairs;
        int pairs = quick ? Math.min(2, full) : full;
        int iterations = quick ? one.quickIterations : steps != null ? steps : one.iterations;
        Run[] plain = new Run[pairs];
        Run[] guarded = new Run[pairs];
        for (int i = 0; i < pairs; i++) {
            boolean guardedFirst = i % 2 == 1;
            List<String> bare = line(one, iterations, List.of("--protocol", "none"));
            List<String> logged = line(one, iterations, one.options);
            List<Run> both = pair(one, guardedFirst ? logged : bare, guardedFirst ? bare : logged,
                TIMEOUT_SECONDS + STEP_TIMEOUT_SECONDS * iterations);
            plain[i] = both.get(guardedFirst ? 1 : 0);
            guarded[i] = both.get(guardedFirst ? 0 : 1);
            System.err.printf(Locale.ROOT, "%s, pair %d of %d: %.3f s unprotected, %.3f s protected%n", one.label,
                i + 1, pairs, plain[i].seconds,
                guarded[i].seconds);
        }
        results.add(result(one, iterations, plain, guarded));
    }

    private Map<String, Object> result(Experiment one, int iterations, Run[] plain, Run[] guarded) {
        double[] ratios = IntStream.range(0, plain.length).mapToDouble(i -> guarded[i].seconds / plain[i].seconds)
            .sorted().toArray();
        double[] shares = Arrays.stream(guarded).mapToDouble(run ->
            1e-3 * (run.blockedMillis + run.checksumMillis) / run.seconds).sorted().toArray();
        double[] judged = one.byShare ? shares : Arrays.stream(ratios).map(ratio -> ratio - 1).toArray();
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("name", one.label);
        result.put("class", one.problem);
        result.put("options", ShellLine.of(one.options));
        result.put("iterations", iterations);
        result.put("pairs", plain.length);
        result.put("turnSeconds", one.inTurns ? 1e-9 * turnNanos : 0);
        result.put("unprotectedSeconds", median(plain, Run::seconds));
        result.put("protectedSeconds", median(guarded, Run::seconds));
        result.put("setupSeconds", median(guarded, Run::setupSeconds));
        result.put("ratio", median(ratios));
        result.put("leastRatio", ratios[0]);
        result.put("greatestRatio", ratios[ratios.length - 1]);
        result.put("checkpoints", (int) median(guarded, Run::checkpoints));
        result.put("blockedMillis", median(guarded, Run::blockedMillis));
        result.put("checksumCpuMillis", median(guarded, Run::checksumMillis));
        result.put("blockedAndChecksumShare", median(shares));
        result.put("logMebibytes", median(guarded, Run::logMebibytes));
        result.put("judgedBy", one.byShare ? "blockedAndChecksumShare" : "ratio");
        result.put("limit", one.limit);
        result.put("judged", median(judged));
        MedianInterval interval = MedianInterval.of(judged);
        result.put("judgedLower", Double.isFinite(interval.lower()) ? interval.lower() : null);
        result.put("judgedUpper", Double.isFinite(interval.upper()) ? interval.upper() : null);
        result.put("busy", busy);
        result.put("kept", kept(one, median(judged), interval, judged.length, (int) result.get("checkpoints")));
        return result;
    }

    /**
     * Shares of one run are hardly the host's doing, so that few of them count as they are, unless others use the
     * machine.
     */
    private Boolean kept(Experiment one, double judged, MedianInterval interval, int pairs, int checkpoints) {
        if (noVerdict(one, checkpoints) != null) {
            return null;
        }
        return one.byShare && pairs < MedianInterval.LEAST ? Boolean.valueOf(judged <= one.limit)
            : interval.atMost(one.limit);
    }

    /** Why there is none whatever was measured, or null. */
    private String noVerdict(Experiment one, int checkpoints) {
        if (quick) {
            return "not by --quick";
        }
        if (one.tooShort(checkpoints)) {
            return "unsettled: it takes " + LEAST_CHECKPOINTS + " checkpoints (--iterations)";
        }
        return one.byShare && busy ? "unsettled: busy machine" : null;
    }

    private static double median(Run[] runs, ToDoubleFunction<Run> figure) {
        return median(Arrays.stream(runs).mapToDouble(figure).sorted().toArray());
    }

    private static double median(double[] sorted) {
        int half = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    }

    private static List<String> line(Experiment one, int iterations, List<String> options) {
        List<String> arguments = new ArrayList<>(List.of("fft", "--class", one.problem, "--ranks", "2", "--checksums",
            "1", "--iterations",
            "" + iterations));
        arguments.addAll(options);
        return arguments;
    }

    private List<Run> pair(Experiment one, List<String> first, List<String> second, long timeoutSeconds)
        throws IOException, InterruptedException {
        if (turnNanos == 0 || !one.inTurns) {
            return List.of(run(JobProcess.run(first, timeoutSeconds), 0),
                run(JobProcess.run(second, timeoutSeconds), 0));
        }
        return TurnTaking.run(patient(first), patient(second), turnNanos, 2 * timeoutSeconds).stream()
            .map(outcome -> run(outcome.json(), outcome.pausedSecondsUntil(report(outcome.json(), "endNanos")
            .longValue()))).toList();
    }

    private static List<String> patient(List<String> arguments) {
        return Stream.concat(arguments.stream(), PATIENT.stream()).toList();
    }

    private static Run run(Map<String, Object> json, double pausedSeconds) {
        double log = 0;
        for (Object rank : (List<?>) json.get("log")) {
            Map<?, ?> figures = (Map<?, ?>) rank;
            log += number(figures.get("putBytes")) + number(figures.get("getBytes"));
        }
        return new Run(number(json.get("seconds")) - pausedSeconds, report(json, "seconds.setup").doubleValue(),
            (int) number(json.get("checkpoints")),
            number(json.get("checkpointMillis")), number(json.get("checksumCpuMillis")), log / (1 << 20));
    }

    private static Number report(Map<String, Object> json, String key) {
        return (Number) ((Map<?, ?>) json.get("reports")).get(key);
    }

    private static double number(Object value) {
        return ((Number) value).doubleValue();
    }

    private void table() {
        System.out.println("NAS FT on 2 ranks and 1 checksum rank, beside the same without protection (medians of "
            + "pairs):");
        System.out.printf(Locale.ROOT, "%-8s %5s %5s %10s %9s %7s %15s %11s %10s %12s %7s  %s%n", "", "steps", "pairs",
            "plain s", "prot. s", "ratio",
            "spread", "checkpoints", "blocked ms", "checksum ms", "log MiB", "judged");
        for (Map<String, Object> one : results) {
            boolean byShare = one.get("judgedBy").equals("blockedAndChecksumShare");
            System.out.printf(Locale.ROOT, "%-8s %5s %5s %10.3f %9.3f %7.3f %7.3f-%7.3f %11s %10.1f %12.1f %7.0f  %s "
                + "%.1f%%%s, at most %.0f%%: %s%n",
                one.get("name"), one.get("iterations"), one.get("pairs"), one.get("unprotectedSeconds"),
                one.get("protectedSeconds"),
                one.get("ratio"), one.get("leastRatio"), one.get("greatestRatio"), one.get("checkpoints"),
                one.get("blockedMillis"),
                one.get("checksumCpuMillis"), one.get("logMebibytes"), byShare ? "blocked + checksum" : "ratio",
                100 * number(one.get("judged")),
                interval(one.get("judgedLower"), one.get("judgedUpper")), 100 * number(one.get("limit")),
                verdict(one.get("kept"), Experiment.named((String) one.get("name")), (int) one.get("checkpoints")));
        }
    }

    private static String interval(Object lower, Object upper) {
        return lower == null || upper == null ? " (too few pairs to say how sure that is)"
            : String.format(Locale.ROOT, " (95%% sure: %.1f to %.1f%%)", 100 * number(lower), 100 * number(upper));
    }

    private String verdict(Object kept, Experiment one, int checkpoints) {
        if (kept != null) {
            return (kept.equals(true) ? "yes" : "NO") + (busy ? ", on a machine that was busy" : "");
        }
        return Objects.requireNonNullElse(noVerdict(one, checkpoints),
            "unsettled: it takes more pairs (--pairs) or a quieter machine");
    }
}
