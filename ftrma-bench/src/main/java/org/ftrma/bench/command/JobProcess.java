package org.ftrma.bench.command;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ftrma.options.ShellLine;

/**
 * A command of {@code ftrma} in a process of its own. Ranks of jobs start as those of {@code ./ftrma} do, with the same
 * ahead-of-time cache, for which the class path begins with the same jars; those of the benchmarks follow. Any thread.
 */
public final class JobProcess implements AutoCloseable {
    private static final Pattern BEGUN = Pattern.compile(" begins step (\\d+) ");
    private static final String APP = "ftrma.app.class.path";
    private static final String CACHE = "ftrma.rank.aot";
    private static final long ORDERLY_SECONDS = 25;

    private final List<String> arguments;
    private final Process process;
    private final Consumer<String> hearer;
    private final Thread reader;
    private final Thread errorReader;
    private final Thread watch;
    /** What it printed, and how many streams have more to come. Guarded by itself. */
    private final List<String> lines = new ArrayList<>();
    private int streams = 2;

    private JobProcess(List<String> arguments, Process process, Consumer<String> hearer, long timeoutSeconds) {
        this.arguments = arguments;
        this.hearer = hearer;
        this.process = process;
        reader = Thread.ofPlatform().daemon().start(() -> read(process.getInputStream()));
        errorReader = Thread.ofPlatform().daemon().start(() -> read(process.getErrorStream()));
        watch = Thread.ofPlatform().daemon().start(() -> endLate(timeoutSeconds));
    }

    private static List<String> java(List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(ProcessHandle.current().info().command().orElse("java"), "-cp",
            classPath(), "--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC", "-XX:-UsePerfData",
            "-XX:TieredStopAtLevel=1"));
        if (System.getProperty(CACHE) != null) {
            command.add("-D" + CACHE + "=" + System.getProperty(CACHE));
        }
        command.add("org.ftrma.launch.Main");
        return withJson(command, arguments);
    }

    private static List<String> withJson(List<String> command, List<String> arguments) {
        List<String> all = new ArrayList<>(command);
        int program = arguments.indexOf("--");
        int end = program < 0 ? arguments.size() : program;
        all.addAll(arguments.subList(0, end));
        all.add(CommandEnd.ASKED); // behind the names of commands, and before what is the program's
        all.addAll(arguments.subList(end, arguments.size()));
        return all;
    }

    /**
     * Runs a command to its end.
     *
     * @param arguments of the command, without {@code --json}
     * @param timeoutSeconds how long it may take
     * @return its JSON result
     * @throws IOException if it fails, does not verify, or tells no result, with what it printed
     */
    public static Map<String, Object> run(List<String> arguments, long timeoutSeconds) throws IOException,
        InterruptedException {
        try (JobProcess job = start(arguments, timeoutSeconds)) {
            return job.result();
        }
    }

    /** Starts a command; see {@link #run}. To be closed, which ends it. */
    public static JobProcess start(List<String> arguments, long timeoutSeconds) throws IOException {
        return start(arguments, line -> { }, timeoutSeconds);
    }

    /**
     * The same.
     *
     * @param hearer is given each line that it prints, as soon as it is there
     */
    public static JobProcess start(List<String> arguments, Consumer<String> hearer, long timeoutSeconds)
        throws IOException {
        ProcessBuilder builder = new ProcessBuilder(java(arguments)).redirectErrorStream(true);
        builder.environment().remove("SLURM_JOB_ID"); // what is measured is this host, in an allocation of Slurm too
        builder.environment().put("FTRMA_CONFIG", "none"); // and what the command line says, wherever that is typed
        return new JobProcess(arguments, builder.start(), hearer, timeoutSeconds);
    }

    /** Starts a process, given its command line. */
    @FunctionalInterface
    public interface Starter {
        /** With pipes. */
        Process start(List<String> command) throws IOException;
    }

    /**
     * Starts a command of a script of ftrma, wherever that is.
     *
     * @param starter starts the script
     * @param script its path
     * @param hearer is given each line that it prints, on one of two threads, as soon as it is there
     */
    public static JobProcess start(Starter starter, String script, List<String> arguments, Consumer<String> hearer,
        long timeoutSeconds) throws IOException {
        return new JobProcess(arguments, starter.start(withJson(List.of(script), arguments)), hearer, timeoutSeconds);
    }

    private static String classPath() {
        String own = System.getProperty("java.class.path");
        return System.getProperty(APP) == null ? own : System.getProperty(APP) + ":" + own;
    }

    private void read(InputStream stream) {
        try (BufferedReader output = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            output.lines().forEach(this::add);
        } catch (IOException | UncheckedIOException e) {
            add("reading its output broke off: " + e.getMessage());
        } finally {
            synchronized (lines) {
                streams--;
                lines.notifyAll();
            }
        }
    }

    private void add(String line) {
        hearer.accept(line);
        synchronized (lines) {
            lines.add(line);
            lines.notifyAll();
        }
    }

    /** Waits until it has printed a line with this part; false if it ends without. */
    public boolean awaitLine(String part) throws InterruptedException {
        return awaitLine(line -> line.contains(part));
    }

    /** Waits until it has told of a step, or of a later one: not each is told of where they are short. */
    public boolean awaitStep(long step) throws InterruptedException {
        return awaitLine(line -> {
            Matcher begun = BEGUN.matcher(line);
            return begun.find() && Long.parseLong(begun.group(1)) >= step;
        });
    }

    private boolean awaitLine(Predicate<String> isIt) throws InterruptedException {
        synchronized (lines) {
            int seen = 0;
            while (true) {
                for (; seen < lines.size(); seen++) {
                    if (isIt.test(lines.get(seen))) {
                        return true;
                    }
                }
                if (streams == 0) {
                    return false;
                }
                lines.wait(); // which the command's timeout ends
            }
        }
    }

    /** Waits until it has ended, but not longer; returns whether it has. */
    boolean awaitEnd(long nanos) throws InterruptedException {
        return process.waitFor(nanos, TimeUnit.NANOSECONDS);
    }

    /** The processes that it has started and that live. */
    List<Long> members() {
        return process.descendants().map(ProcessHandle::pid).toList();
    }

    /** Waits for the end. */
    public Map<String, Object> result() throws IOException, InterruptedException {
        int status = process.waitFor();
        reader.join();
        errorReader.join();
        watch.interrupt();
        synchronized (lines) {
            String last = lines.stream().filter(line -> line.startsWith("{")).reduce("", (before, line) -> line);
            Map<String, Object> result = last.isEmpty() ? Map.of() : JSON.std.mapFrom(last);
            if (status != 0 || result.isEmpty() || Boolean.FALSE.equals(result.get("verified"))) {
                throw new IOException("./ftrma " + ShellLine.of(arguments) + " ended with status " + status + ":\n"
                    + String.join("\n", lines));
            }
            return result;
        }
    }

    private void endLate(long timeoutSeconds) {
        try {
            if (!process.waitFor(timeoutSeconds, TimeUnit.SECONDS)) {
                process.destroy();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // it has ended in time
        }
    }

    /** Where it has not ended it does now: a job in good order, which may take 20 s. */
    @Override
    public void close() {
        watch.interrupt();
        process.destroy();
        try {
            if (!process.waitFor(ORDERLY_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
