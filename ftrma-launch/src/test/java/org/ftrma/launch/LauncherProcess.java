package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.ftrma.launch.agent.Watchdog;

/** A launcher in a process of its own, and everything that it may leave behind. */
final class LauncherProcess implements AutoCloseable {
    private static final long DEADLINE_SECONDS = 60;
    /** SIGINT in a set of signals. */
    private static final long INTERRUPT = 1L << 1;
    private final Process process;
    private final List<String> lines = new ArrayList<>();
    private final Set<ProcessHandle> family = new HashSet<>();
    private final Set<Path> places = new HashSet<>();
    /** Places of jobs before: one of them may have had this process's number, and have been killed with all of it. */
    private final Set<Path> before = Set.copyOf(places("ftrma-"));
    private int port;

    LauncherProcess(String... arguments) {
        this(List.of(), arguments);
    }

    /** Started by a command that takes the launcher's command line as its last arguments. */
    LauncherProcess(List<String> startedBy, String... arguments) {
        List<String> command = new ArrayList<>(interruptible());
        command.addAll(startedBy);
        command.addAll(FastStarts.launcher());
        command.add("-Dftrma.rank.class.path=" + FastStarts.library());
        command.add(Main.class.getName());
        command.addAll(FastStarts.quick(List.of(arguments)));
        try {
            process = new ProcessBuilder(command).start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        collect(process.getInputStream());
        collect(process.getErrorStream());
    }

    /** Where the classes of this test run are. */
    static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    private void collect(InputStream from) {
        Thread.ofPlatform().daemon().start(() -> {
            try (BufferedReader reader = new BufferedReader(new InputStreamReader(from, StandardCharsets.UTF_8))) {
                for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                    synchronized (lines) {
                        lines.add(line);
                    }
                }
            } catch (IOException e) {
                synchronized (lines) {
                    lines.add("reading broke off: " + e);
                }
            }
        });
    }

    List<String> lines() {
        synchronized (lines) {
            return List.copyOf(lines);
        }
    }

    void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() - end < 0, () ->
                "waited " + DEADLINE_SECONDS + " s for " + what + "; output:\n"
                + String.join("\n", lines()));
            java.util.concurrent.locks.LockSupport.parkNanos(5_000_000);
        }
    }

    void awaitLine(String part) {
        String what = "a line with \"" + part + "\"";
        await(what + " or the end", () -> !process.isAlive() || has(part));
        // What was printed last may still be on its way.
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
        await(what + " from the ended launcher", () -> has(part) || System.nanoTime() - end > 0);
        assertTrue(has(part), () -> "no " + what + "; output:\n" + String.join("\n", lines()));
    }

    private boolean has(String part) {
        return lines().stream().anyMatch(line -> line.contains(part));
    }

    /** Notes what there is now: processes, places in the file system, the port. */
    void takeStock() {
        process.descendants().forEach(family::add);
        places.addAll(places());
        for (Path place : places) {
            Path file = place.resolve("job.properties");
            if (Files.exists(file)) {
                Properties properties = new Properties();
                try (InputStream in = Files.newInputStream(file)) {
                    properties.load(in);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                port = Integer.parseInt(properties.getProperty("port"));
            }
        }
        assertTrue(port != 0 && places.size() == 2, "found " + places);
    }

    /** The places in the file system that are there now. */
    List<Path> places() {
        return places("ftrma-" + process.pid() + "-").stream().filter(place -> !before.contains(place)).toList();
    }

    private static List<Path> places(String prefix) {
        List<Path> found = new ArrayList<>();
        String runtime = System.getenv("XDG_RUNTIME_DIR");
        Set<Path> roots = new HashSet<>(List.of(Path.of("/tmp"), Path.of("/dev/shm")));
        if (runtime != null) {
            roots.add(Path.of(runtime));
        }
        for (Path root : roots) {
            try (Stream<Path> entries = Files.list(root)) {
                entries.filter(entry -> entry.getFileName().toString().startsWith(prefix))
                    .forEach(found::add);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return found;
    }

    /** Java processes among the descendants: the ranks. */
    List<ProcessHandle> ranks() {
        return process.descendants().filter(handle -> handle.info().command().orElse("").endsWith("java")).toList();
    }

    /**
     * Tests in the background may have been started with signals ignored, which everything that they start would
     * ignore, too.
     */
    static List<String> interruptible() {
        try (Stream<String> status = Files.lines(Path.of("/proc/self/status"))) {
            long ignored = status.filter(line -> line.startsWith("SigIgn:"))
                .mapToLong(line -> Long.parseUnsignedLong(line.substring(7).strip(), 16)).sum();
            return (ignored & INTERRUPT) == 0 ? List.of() : List.of("/usr/bin/env", "--default-signal=INT");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    long pid() {
        return process.pid();
    }

    /** Kills all that belongs to it: who would clean up first, so that nobody does. */
    void killAll() {
        List<ProcessHandle> all = process.descendants().toList();
        all.stream().filter(Watchdog::is).forEach(handle -> signal("KILL", handle.pid()));
        await("the end of who cleans up", () -> all.stream().filter(Watchdog::is).noneMatch(ProcessHandle::isAlive));
        signal("KILL", process.pid());
        all.forEach(ProcessHandle::destroyForcibly);
        await("the end of all", () -> !process.isAlive() && all.stream().noneMatch(ProcessHandle::isAlive));
    }

    int awaitExit() {
        await("the launcher's end", () -> !process.isAlive());
        return process.exitValue();
    }

    void signal(String name, long pid) {
        try {
            assertTrue(new ProcessBuilder("/bin/sh", "-c", "kill -" + name + " " + pid).start()
                .waitFor(20, TimeUnit.SECONDS));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** After the launcher's end nothing of the stock may be left, and nothing may have come in its place. */
    void assertNothingLeft() throws IOException {
        await("the end of all processes", () -> family.stream().noneMatch(ProcessHandle::isAlive));
        await("the removal of " + places, () -> places().isEmpty() && places.stream().noneMatch(Files::exists));
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            throw new AssertionError("the port is still open: " + socket);
        } catch (java.net.ConnectException e) {
            assertTrue(e.getMessage() != null);
        }
        Set<Long> pids = new HashSet<>();
        family.forEach(handle -> pids.add(handle.pid()));
        await("the end of shared memory segments", () -> segmentsOf(pids).isEmpty());
    }

    private static List<String> segmentsOf(Set<Long> pids) {
        try {
            return Files.readAllLines(Path.of("/proc/sysvipc/shm")).stream().skip(1)
                .filter(line -> pids.contains(Long.parseLong(line.trim().split("\\s+")[4]))).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
