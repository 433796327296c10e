package org.ftrma.launch;

import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.lang.module.ResolvedModule;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.ftrma.LocalJobs;
import org.ftrma.LocalOptions;
import org.ftrma.LocalResult;
import org.ftrma.MisuseException;
import org.ftrma.launch.options.LauncherOption;
import org.ftrma.launch.options.SingleOption;
import org.ftrma.options.JobOption;
import org.ftrma.rank.RankLibrary;
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
        List<String> line = new ArrayList<>(List.of(CommandTree.RUN, "--" + JobOption.RANKS.key(),
            Integer.toString(ranks), "--" + SingleOption.CLASS_PATH.key(), classPath()));
        line.addAll(options.words());
        if (!line.contains("--" + LauncherOption.VERBOSE.key()) && !line.contains(QUIET)) {
            line.add(QUIET);
        }
        line.add("--");
        line.add(mainClass);
        line.addAll(arguments);
        return line;
    }

    /** Where the modules of this process are that are not the JDK's. */
    private static Stream<Path> modules() {
        return ModuleLayer.boot().configuration().modules().stream().map(ResolvedModule::reference)
            .filter(module -> module.location().map(URI::getScheme).filter("file"::equals).isPresent())
            .peek(LocalLauncher::checkServices).map(module -> Path.of(module.location().orElseThrow()));
    }

    /** The processes of a job have a class path, on which a service is not found that module-info alone tells of. */
    private static void checkServices(ModuleReference module) {
        for (ModuleDescriptor.Provides provided : module.descriptor().provides()) {
            String file = "META-INF/services/" + provided.service();
            try (ModuleReader reader = module.open()) {
                if (reader.find(file).isEmpty()) {
                    throw new MisuseException("module " + module.descriptor().name() + ": only its module-info says "
                        + "that it provides " + provided.service() + ", and processes of a job have its classes on "
                        + "their class path, where that is not seen; add the file " + file + " with the "
                        + (provided.providers().size() == 1 ? "line " : "lines ")
                        + String.join(", ", provided.providers()));
                }
            } catch (IOException e) {
                throw new UncheckedIOException("the module " + module.descriptor().name() + " cannot be read", e);
            }
        }
    }

    /** The places of this process's classes that exist. */
    static Stream<Path> places() {
        return Stream.concat(Arrays.stream(System.getProperty("java.class.path", "").split(File.pathSeparator))
            .filter(place -> !place.isEmpty()).map(Path::of), modules())
            .map(place -> place.toAbsolutePath().normalize()).filter(Files::exists).distinct();
    }

    /** The places of this process that exist, without those that each process of a job has in any case. */
    private static String classPath() {
        Set<String> library = Set.of(RankLibrary.classPath().split(File.pathSeparator));
        String places = places().map(Path::toString).filter(place -> !library.contains(place))
            .collect(Collectors.joining(File.pathSeparator));
        if (places.isEmpty()) {
            throw new MisuseException("java.class.path=" + System.getProperty("java.class.path")
                + ": has no place with the program's classes");
        }
        return places;
    }
}
