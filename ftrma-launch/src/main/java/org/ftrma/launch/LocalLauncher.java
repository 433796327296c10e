package org.ftrma.launch;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.ftrma.LocalJobs;
import org.ftrma.LocalOptions;
import org.ftrma.LocalResult;
import org.ftrma.MisuseException;
import org.ftrma.launch.options.LauncherOption;
import org.ftrma.launch.options.SingleOption;
import org.ftrma.options.JobOption;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * Runs jobs for a process that is no command, as the command {@code run} does: with the same options, the same checks
 * of them, and the same facts in the end. It never ends the process. Any thread; each job has one of its own, since the
 * end of the thread that starts processes ends them.
 */
public final class LocalLauncher implements LocalJobs {
    private static final String THREAD = "ftrma-local";
    private static final String QUIET = "--" + LauncherOption.QUIET.key();

    /** Found by its name in META-INF/services. */
    public LocalLauncher() {
    }

    @Override
    public LocalResult run(int ranks, LocalOptions options, String name, String mainClass, List<String> arguments) {
        List<String> line = line(ranks, options, mainClass, arguments);
        ParseResult parsed = parse(line);
        // Where it is quiet it tells what goes wrong, and nothing else.
        PrintStream err = LoggerOutput.stream(System.getLogger(LoggerOutput.LOGGER), line.contains(QUIET)
            ? System.Logger.Level.WARNING : System.Logger.Level.INFO, System.err);
        Interrupts interrupts = new Interrupts();
        AtomicReference<JobReport> report = new AtomicReference<>();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread thread = Thread.ofPlatform().name(THREAD).daemon().start(() -> {
            try {
                report.set(new JobCommand(System.out, err, interrupts).job(parsed, Map.of()));
            } catch (Throwable e) {
                failure.set(e);
            }
        });
        await(thread, interrupts);
        return switch (failure.get()) {
            case null -> result(report.get(), name);
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case Throwable e -> throw new IllegalStateException("the job of " + name + " broke down: " + e, e);
        };
    }

    /** An interrupt of the caller ends the job, which is waited for then, too: nothing of it is left. */
    private static void await(Thread thread, Interrupts interrupts) {
        boolean interrupted = false;
        while (true) {
            try {
                thread.join();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
                interrupts.arrive();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static LocalResult result(JobReport report, String name) {
        Map<String, Object> facts = new LinkedHashMap<>(report.figures());
        facts.put("app", name);
        return new LocalResult(report.exitCode(), (String) facts.get("outcome"), (String) facts.get("message"),
            (Boolean) facts.get("verified"), Collections.unmodifiableMap(facts), JobReport.text(facts));
    }

    private static ParseResult parse(List<String> line) {
        try {
            return CommandTree.create().parseArgs(line.toArray(String[]::new)).subcommand();
        } catch (ParameterException e) {
            throw new MisuseException(e.getMessage());
        }
    }

    private static List<String> line(int ranks, LocalOptions options, String mainClass, List<String> arguments) {
        List<String> line = new ArrayList<>(List.of(CommandNames.RUN, "--" + JobOption.RANKS.key(),
            Integer.toString(ranks), "--" + SingleOption.CLASS_PATH.key(), ClassPlaces.classPath()));
        line.addAll(options.words());
        if (!line.contains("--" + LauncherOption.VERBOSE.key()) && !line.contains(QUIET)) {
            line.add(QUIET);
        }
        line.add("--");
        line.add(mainClass);
        line.addAll(arguments);
        return line;
    }
}
