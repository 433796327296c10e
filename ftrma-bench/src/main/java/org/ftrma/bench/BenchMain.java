package org.ftrma.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ftrma.MisuseException;
import org.ftrma.bench.command.ChildProcesses;
import org.ftrma.bench.command.CommandEnd;
import org.ftrma.bench.figures.FigureBench;
import org.ftrma.bench.hosts.HostsBench;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.NoBenchmarksException;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import picocli.CommandLine;

/**
 * Runs benchmarks: {@code access ...} those between two processes ({@link AccessBench}), {@code messages ...}
 * messages there and back ({@link MessageBench}), {@code overhead ...} those of
 * whole jobs ({@link OverheadBench}), {@code blocking} what a checkpoint takes ({@link BlockingBench}),
 * {@code hosts ...} what a network between hosts costs ({@link HostsBench}), {@code fig10c ...} the paper's experiments
 * ({@link FigureBench}), else {@code PATTERN [JMH options]}, such as {@code BenchMain XorBenchmark -p bytes=4096 -f 1}.
 * The gc profiler is always on, so that allocation per operation is shown beside the time; forked JVMs get the flags
 * that the library needs. Results also go to the file named by {@code -rff}, as JSON; with {@code --json} the last line
 * of standard output is one JSON object.
 */
public final class BenchMain {
    /** The script that starts this JVM can tell its statuses from those of a JVM that came to no end of its own. */
    private static final int TOLD = Integer.getInteger("ftrma.status.told", 0);

    private final ChildProcesses children;
    private final boolean json;
    /** The command within it, after a space, or nothing. */
    private String part = "";

    private BenchMain(ChildProcesses children, boolean json) {
        this.children = children;
        this.json = json;
    }

    /** What has a name of its own. */
    @CommandLine.Command(name = "ftrma bench", subcommands =
        {AccessBench.class, MessageBench.class, BlockingBench.class, OverheadBench.class, HostsBench.class,
            FigureBench.class})
    private static final class Commands {
    }

    /** Runs the benchmarks that the arguments name. A signal ends what it has started, too. */
    public static void main(String[] args) {
        ChildProcesses children = ChildProcesses.endingWithThisProcess();
        int status = new BenchMain(children, List.of(args).contains(CommandEnd.ASKED)).run(args);
        System.out.flush();
        children.done();
        System.exit(TOLD + status);
    }

    private int run(String[] args) {
        try {
            CommandLine commands = new CommandLine(new Commands()).setUsageHelpAutoWidth(true);
            List<String> words = new ArrayList<>(List.of(args));
            if (args.length > 0 && FigureBench.labels().contains(args[0])) {
                words.addFirst("figure");
            }
            if (!words.isEmpty() && commands.getSubcommands().containsKey(words.getFirst())) {
                part = " " + words.getFirst();
                commands.setParameterExceptionHandler((e, line) -> failed(CommandLine.ExitCode.USAGE, e.getMessage()));
                commands.setExecutionExceptionHandler((e, line, parsed) -> failed(e));
                return commands.execute(words.toArray(String[]::new));
            }
            words.removeIf(CommandEnd.ASKED::equals);
            return jmh(words.toArray(String[]::new));
        } catch (RunnerException | IOException | CommandLineOptionException | RuntimeException e) {
            return failed(e);
        }
    }

    private int failed(Exception e) {
        if (e instanceof MisuseException || e instanceof CommandLineOptionException) {
            return failed(CommandLine.ExitCode.USAGE, e.getMessage());
        }
        if (!children.isEnding()) {
            e.printStackTrace();
        }
        return failed(CommandLine.ExitCode.SOFTWARE, e.toString());
    }

    private int failed(int status, String why) {
        if (children.isEnding()) {
            return status; // nothing failed but for the signal
        }
        System.err.println("ftrma: bench: " + why + (status == CommandLine.ExitCode.USAGE
            ? "\nTry: ./ftrma bench" + part + " --help" : ""));
        if (json) {
            System.out.println(CommandEnd.failed(status, why));
        }
        return status;
    }

    private int jmh(String[] args) throws RunnerException, IOException, CommandLineOptionException {
        List<String> flags = new ArrayList<>(List.of("--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-XX:+UseSerialGC", "-XX:-UsePerfData"));
        CommandLineOptions given = new CommandLineOptions(args);
        flags.addAll(given.getJvmArgsAppend().orElse(List.of()));
        if (given.shouldHelp()) {
            given.showHelp();
            return CommandLine.ExitCode.OK;
        }
        if (given.shouldList()) {
            new Runner(given).list();
            return CommandLine.ExitCode.OK;
        }
        if (given.getIncludes().isEmpty()) {
            throw new MisuseException("the name of a benchmark is missing: a pattern such as XorBenchmark, or -l "
                + "lists them all");
        }
        OptionsBuilder options = new OptionsBuilder();
        options.parent(given);
        if (given.getProfilers().stream().noneMatch(profiler -> profiler.getKlass().equals("gc"))) {
            options.addProfiler("gc");
        }
        options.jvmArgsAppend(flags.toArray(String[]::new));
        if (given.getResult().hasValue() && !given.getResultFormat().hasValue()) {
            options.resultFormat(ResultFormatType.JSON);
        }
        Collection<RunResult> results;
        try {
            results = new Runner(options.build()).run();
        } catch (NoBenchmarksException e) {
            return failed(CommandLine.ExitCode.USAGE, "no benchmark matches " + given.getIncludes()
                + "; a pattern such as XorBenchmark, or -l lists them all");
        }
        if (results.isEmpty()) {
            return failed(CommandLine.ExitCode.SOFTWARE, "no benchmark came to a result (see above)");
        }
        if (json) {
            System.out.println(CommandEnd.success(Map.of("results",
                results.stream().map(BenchMain::figures).toList())));
        }
        return CommandLine.ExitCode.OK;
    }

    private static Map<String, Object> figures(RunResult result) {
        Map<String, Object> figures = new LinkedHashMap<>();
        Map<String, Object> parameters = new LinkedHashMap<>();
        result.getParams().getParamsKeys().forEach(key -> parameters.put(key, result.getParams().getParam(key)));
        figures.put("benchmark", result.getParams().getBenchmark());
        figures.put("parameters", parameters);
        figures.put("score", number(result.getPrimaryResult().getScore()));
        figures.put("error", number(result.getPrimaryResult().getScoreError()));
        figures.put("unit", result.getPrimaryResult().getScoreUnit());
        Map<String, Object> others = new LinkedHashMap<>();
        result.getSecondaryResults().forEach((name, other) -> others.put(name, number(other.getScore())));
        figures.put("others", others);
        return figures;
    }

    /** There is no other word for it in JSON. */
    private static Double number(double value) {
        return Double.isFinite(value) ? value : null;
    }
}
