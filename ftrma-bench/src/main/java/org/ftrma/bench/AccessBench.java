package org.ftrma.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
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
 * {@code ./ftrma bench access [mapped|network] [name...]}: {@link AccessBenchmark} one by one, each in a job of two
 * ranks; on the network path some of them in turn with ucx_perftest ({@link PerftestComparison}), where it is installed
 * (Debian package ucx-utils). Prints JMH's own results and, at the end, one line each.
 */
@Command(name = "access", description =
    "Measures accesses between two processes, one benchmark after the other, each in a job of two ranks: time and "
    + "allocated bytes per operation. On the network path some run in turn with ucx_perftest, if installed.")
public final class AccessBench implements Callable<Integer> {
    private static final long TIMEOUT_SECONDS = 300;
    private static final Pattern SCORE = Pattern.compile("^AccessBenchmark\\.\\w+ .*?([0-9.]+)(?: ± +[0-9.]+)? +ns/op");

    @Parameters(paramLabel = "mapped|network|NAME", arity = "0..*",
        description = "path, and names of benchmarks (default: all of both): ${COMPLETION-CANDIDATES}",
        completionCandidates = Candidates.class)
    private List<String> arguments = List.of();

    @Option(names = CommandEnd.ASKED, description = "print one JSON object as the last line")
    private boolean json;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "show this help and exit")
    private boolean help;

    private final List<Map<String, Object>> results = new ArrayList<>();

    /** What may be asked for. */
    static final class Candidates implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return List.of(AccessBenchmark.NAMES).iterator();
        }
    }

    /** Returns an exit code: 0 whatever the figures are. */
    @Override
    public Integer call() throws IOException, InterruptedException {
        List<String> paths = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (String argument : arguments) {
            if (argument.equals("mapped") || argument.equals("network")) {
                paths.add(argument);
            } else if (List.of(AccessBenchmark.NAMES).contains(argument)) {
                names.add(argument);
            } else {
                throw new MisuseException("'" + argument + "' is neither a path (mapped, network) nor a benchmark ("
                    + String.join(", ", AccessBenchmark.NAMES) + ")");
            }
        }
        boolean comparable = Files.isExecutable(Path.of("/usr/bin/ucx_perftest"));
        List<String> summary = new ArrayList<>();
        for (String path : paths.isEmpty() ? List.of("mapped", "network") : paths) {
            for (String name : names.isEmpty() ? List.of(AccessBenchmark.NAMES) : names) {
                PerftestComparison.Pair pair = path.equals("network") ? PerftestComparison.Pair.of(name) : null;
                if (pair == null || !comparable) {
                    oneJob(path, name, summary);
                } else {
                    summary.addAll(PerftestComparison.compare(pair, () -> oneJob(path, name, summary)));
                }
            }
            if (path.equals("network") && !comparable) {
                summary.add("network  no ucx_perftest to compare with (apt-get install ucx-utils)");
            }
        }
        System.out.println("\nns per operation, and bytes allocated per operation (JMH, gc profiler):");
        summary.forEach(System.out::println);
        if (json) {
            System.out.println(CommandEnd.success(Map.of("results", results, "summary", summary)));
        }
        return 0;
    }

    /** Adds JMH's results to the summary; returns ns per operation. */
    private double oneJob(String path, String name, List<String> summary) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(ProcessHandle.current().info().command().orElse("java"), "-cp",
            System.getProperty("java.class.path"), "--enable-native-access=ALL-UNNAMED", "-XX:-UsePerfData",
            "org.ftrma.launch.Main", "run",
            "--ranks", "2", "--path", path.equals("network") ? "network" : "auto", "--deadline", "10m", "--start",
            "local"));
        boolean logged = AccessBenchmark.isLogged(name);
        command.addAll(logged ? List.of("--protocol", "full", "--checksums", "1", "--interval", "none")
            : List.of("--protocol", "none"));
        command.addAll(List.of("--class-path", System.getProperty("java.class.path"), "--",
            AccessBenchmark.class.getName(), name));
        String label = String.format("%-8s %-6s ", path, logged ? "logged" : "");
        double nanos = Double.NaN;
        for (String line : PerftestComparison.runAndRead(new ProcessBuilder(command), TIMEOUT_SECONDS)) {
            System.out.println(line);
            Matcher score = SCORE.matcher(line);
            if (score.find()) {
                nanos = Double.parseDouble(score.group(1));
                summary.add(label + line);
            } else if (line.startsWith("AccessBenchmark.") && line.contains("norm")) {
                summary.add(label + line);
            }
        }
        if (Double.isNaN(nanos)) {
            throw new IOException("no result of " + name + " on the " + path + " path");
        }
        results.add(Map.of("path", path, "name", name, "nanosPerOperation", nanos));
        return nanos;
    }
}
