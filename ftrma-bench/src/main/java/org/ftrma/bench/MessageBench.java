package org.ftrma.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ftrma.MisuseException;
import org.ftrma.bench.command.CommandEnd;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code ./ftrma bench messages [mapped|network] [name...]}: {@link MessageBenchmark} one by one, each in jobs of two
 * ranks in turn, with {@code --protocol none} and with {@code pessimistic-v}.
 */
@Command(name = "messages", description =
    "Measures round trips of messages between two processes, one benchmark after the other, each without protection "
    + "and with --protocol pessimistic-v in turn: time and allocated bytes.")
public final class MessageBench implements Callable<Integer> {
    private static final long TIMEOUT_SECONDS = 300;
    private static final List<String> PROTOCOLS = List.of("none", "pessimistic-v");
    private static final Pattern RESULT = Pattern.compile("^MessageBenchmark\\.\\w+(:\\S*norm)? .*?([0-9.]+|≈ \\S+)"
        + "(?: ± +[0-9.]+)? +(ns|B)/op");

    @Parameters(paramLabel = "mapped|network|NAME", arity = "0..*",
        description = "path, and names of benchmarks (default: all of both): ${COMPLETION-CANDIDATES}",
        completionCandidates = Candidates.class)
    private List<String> arguments = List.of();

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "3",
        description = "jobs of each kind, for the median (default: ${DEFAULT-VALUE})")
    private int rounds;

    @Option(names = CommandEnd.ASKED, description = "print one JSON object as the last line")
    private boolean json;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "show this help and exit")
    private boolean help;

    /** What may be asked for. */
    static final class Candidates implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return List.of(MessageBenchmark.NAMES).iterator();
        }
    }

    /** Of one job: nanoseconds of a round trip, and bytes allocated in each. */
    private record Measured(double nanos, String allocated) {
    }

    /** Returns an exit code: 0 whatever the figures are. */
    @Override
    public Integer call() throws IOException, InterruptedException {
        if (rounds < 1 || rounds > 1000) {
            throw new MisuseException("--rounds=" + rounds + ": must be 1 to 1000");
        }
        List<String> paths = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (String argument : arguments) {
            if (argument.equals("mapped") || argument.equals("network")) {
                paths.add(argument);
            } else if (List.of(MessageBenchmark.NAMES).contains(argument)) {
                names.add(argument);
            } else {
                throw new MisuseException("'" + argument + "' is neither a path (mapped, network) nor a benchmark ("
                    + String.join(", ", MessageBenchmark.NAMES) + ")");
            }
        }
        List<Map<String, Object>> results = new ArrayList<>();
        for (String path : paths.isEmpty() ? List.of("mapped", "network") : paths) {
            for (String name : names.isEmpty() ? List.of(MessageBenchmark.NAMES) : names) {
                results.add(compare(path, name));
            }
        }
        System.out.println("\nround trips in ns, and bytes allocated in each (JMH, gc profiler); medians of " + rounds);
        results.forEach(one -> System.out.printf(Locale.ROOT, "%-8s %-11s none %10.1f ns %8s B   pessimistic-v %10.1f "
            + "ns %8s B   ratio %.2f (%.2f, %.2f)%n", one.get("path"), one.get("name"), one.get("noneNanos"),
            one.get("noneBytes"), one.get("loggedNanos"), one.get("loggedBytes"), one.get("ratio"),
            one.get("leastRatio"), one.get("mostRatio")));
        if (json) {
            System.out.println(CommandEnd.success(Map.of("results", results)));
        }
        return 0;
    }

    /** Both kinds of jobs in turn, every other time the other way round. */
    private Map<String, Object> compare(String path, String name) throws IOException, InterruptedException {
        double[][] nanos = new double[PROTOCOLS.size()][rounds];
        String[] allocated = new String[PROTOCOLS.size()];
        double[] ratios = new double[rounds];
        for (int round = 0; round < rounds; round++) {
            for (int turn = 0; turn < PROTOCOLS.size(); turn++) {
                int which = (turn + round) % PROTOCOLS.size();
                Measured one = oneJob(path, name, PROTOCOLS.get(which));
                nanos[which][round] = one.nanos();
                allocated[which] = one.allocated();
                System.out.printf(Locale.ROOT, "bench messages: %s %s, %s, round %d of %d: %.1f ns, %s B%n", path, name,
                    PROTOCOLS.get(which), round + 1, rounds, one.nanos(), one.allocated());
            }
            ratios[round] = nanos[1][round] / nanos[0][round];
        }
        Arrays.sort(ratios);
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("path", path);
        result.put("name", name);
        result.put("noneNanos", median(nanos[0]));
        result.put("noneBytes", allocated[0]);
        result.put("loggedNanos", median(nanos[1]));
        result.put("loggedBytes", allocated[1]);
        result.put("ratio", ratios[rounds / 2]);
        result.put("leastRatio", ratios[0]);
        result.put("mostRatio", ratios[rounds - 1]);
        return result;
    }

    private static double median(double... values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private static Measured oneJob(String path, String name, String protocol) throws IOException,
        InterruptedException {
        List<String> command = new ArrayList<>(List.of(ProcessHandle.current().info().command().orElse("java"), "-cp",
            System.getProperty("java.class.path"), "--enable-native-access=ALL-UNNAMED", "-XX:-UsePerfData",
            "org.ftrma.launch.Main", "run", "--ranks", "2", "--path", path.equals("network") ? "network" : "auto",
            "--deadline", "10m", "--start", "local", "--protocol", protocol));
        if (!protocol.equals(PROTOCOLS.getFirst())) {
            command.addAll(List.of("--checksums", "1", "--interval", "none"));
        }
        command.addAll(List.of("--class-path", System.getProperty("java.class.path"), "--",
            MessageBenchmark.class.getName(), name));
        double nanos = Double.NaN;
        String allocated = "?";
        for (String line : PerftestComparison.runAndRead(new ProcessBuilder(command), TIMEOUT_SECONDS)) {
            Matcher result = RESULT.matcher(line);
            if (result.find() && result.group(3).equals("ns")) {
                nanos = Double.parseDouble(result.group(2));
            } else if (result.find(0) && result.group(1) != null) {
                allocated = result.group(2);
            }
        }
        if (Double.isNaN(nanos)) {
            throw new IOException("no result of " + name + " on the " + path + " path with --protocol " + protocol);
        }
        return new Measured(nanos, allocated);
    }
}
