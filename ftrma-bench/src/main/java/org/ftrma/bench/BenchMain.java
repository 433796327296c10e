package org.ftrma.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.ftrma.bench.figures.FigureBench;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.NoBenchmarksException;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import picocli.CommandLine;

/**
 * Runs benchmarks: {@code access ...} those between two processes ({@link AccessBench}), {@code overhead ...} those of whole jobs
 * ({@link OverheadBench}), {@code fig10c ...} the paper's experiments ({@link FigureBench}), else {@code PATTERN [JMH options]}, such as
 * {@code BenchMain XorBenchmark -p bytes=4096 -f 1}. The gc profiler is always on, so that allocation per operation is shown beside the time; forked
 * JVMs get the flags that the library needs. Results also go to the file named by {@code -rff}, as JSON.
 */
public final class BenchMain {
    private BenchMain() {
    }

    /** What has a name of its own. */
    @CommandLine.Command(name = "ftrma bench", subcommands = {AccessBench.class, OverheadBench.class, FigureBench.class})
    private static final class Commands {
    }

    /** Runs the benchmarks that the arguments name. */
    public static void main(String[] args) throws RunnerException, IOException, InterruptedException {
        CommandLine commands = new CommandLine(new Commands()).setUsageHelpAutoWidth(true);
        if (args.length > 0 && FigureBench.labels().contains(args[0])) {
            List<String> words = new ArrayList<>(List.of("figure"));
            words.addAll(List.of(args));
            System.exit(commands.execute(words.toArray(String[]::new)));
        }
        if (args.length > 0 && commands.getSubcommands().containsKey(args[0])) {
            System.exit(commands.execute(args));
        }
        List<String> flags = new ArrayList<>(List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow",
            "-XX:+UseSerialGC", "-XX:-UsePerfData"));
        CommandLineOptions given = parse(args);
        flags.addAll(given.getJvmArgsAppend().orElse(List.of()));
        if (given.shouldHelp()) {
            given.showHelp();
            return;
        }
        if (given.shouldList()) {
            new Runner(given).list();
            return;
        }
        OptionsBuilder options = new OptionsBuilder();
        options.parent(given);
        options.addProfiler("gc");
        options.jvmArgsAppend(flags.toArray(String[]::new));
        if (given.getResult().hasValue() && !given.getResultFormat().hasValue()) {
            options.resultFormat(ResultFormatType.JSON);
        }
        try {
            new Runner(options.build()).run();
        } catch (NoBenchmarksException e) {
            refuse("bench: no benchmark matches " + given.getIncludes() + "; a pattern such as XorBenchmark, or -l lists them all");
        }
    }

    private static CommandLineOptions parse(String[] args) {
        try {
            return new CommandLineOptions(args);
        } catch (CommandLineOptionException e) {
            return refuse("bench: " + e.getMessage());
        }
    }

    /** Does not return. */
    private static CommandLineOptions refuse(String why) {
        System.err.println("ftrma: " + why + "\nTry: ./ftrma bench --help");
        System.exit(2);
        throw new IllegalStateException(why);
    }
}
