package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.ftrma.testkit.hosts.NamespacedHosts;
import org.ftrma.testkit.hosts.RunningProcess;

/** A job on namespaced hosts, whose launcher is a process on the login host, and what it has printed. */
final class HostsJob implements AutoCloseable {
    private static final long DEADLINE_SECONDS = 150;
    private static final long LOOK_NANOS = 5_000_000;
    private static final long LOOK_AT_HOSTS_NANOS = 50_000_000;
    private final NamespacedHosts hosts;
    private final Process launcher;
    private final List<String> out = new ArrayList<>();
    private final List<String> err = new ArrayList<>();
    private final Thread[] readers;

    /** Starts one; words are separated by spaces. */
    HostsJob(NamespacedHosts hosts, Path directory, String words) throws IOException {
        this(hosts, hosts.run(NamespacedHosts.LOGIN, Stream.concat(Stream.of(ftrma(directory).toString()),
            FastStarts.quick(List.of(words.split(" +"))).stream()).toList()));
    }

    /** One whose launcher was started. */
    HostsJob(NamespacedHosts hosts, Process launcher) {
        this.hosts = hosts;
        this.launcher = launcher;
        readers = new Thread[] {collect(launcher.getInputStream(), out), collect(launcher.getErrorStream(), err)};
    }

    /** What all jobs here have in common. */
    static String options(NamespacedHosts hosts, Path directory) throws IOException {
        return " --shell " + hosts.remoteShell() + " --remote-ftrma " + ftrma(directory) + " --advertise "
            + hosts.address(NamespacedHosts.LOGIN) + " --verbose --json ";
    }

    /** The command of this test run. FTRMA_LIBRARY names another library than its own. */
    static Path ftrma(Path directory) throws IOException {
        Path script = directory.resolve("ftrma");
        if (!Files.exists(script)) {
            Files.writeString(script, "#!/bin/sh\nexec '" + String.join("' '", FastStarts.launcher())
                + "' -Dftrma.rank.class.path=\"${FTRMA_LIBRARY:-" + FastStarts.library() + "}\" -Dftrma.command='"
                + script + "' " + Main.class.getName() + " \"$@\"\n");
            Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
        }
        return script;
    }

    private static Thread collect(InputStream from, List<String> lines) {
        return Thread.ofVirtual().start(() -> {
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

    /** All that the launcher has printed. */
    String text() {
        synchronized (out) {
            synchronized (err) {
                return String.join("\n", err) + "\n" + String.join("\n", out);
            }
        }
    }

    boolean tells(String part) {
        synchronized (err) {
            return err.stream().anyMatch(line -> line.contains(part));
        }
    }

    static void await(String what, BooleanSupplier condition, Supplier<String> more) {
        await(what, condition, more, LOOK_NANOS);
    }

    /** The same of something that is found out by going through all processes of the machine. */
    static void awaitOnHosts(String what, BooleanSupplier condition, Supplier<String> more) {
        await(what, condition, more, LOOK_AT_HOSTS_NANOS);
    }

    private static void await(String what, BooleanSupplier condition, Supplier<String> more, long lookNanos) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() - end < 0, () -> "waited " + DEADLINE_SECONDS + " s for " + what + "; "
                + more.get());
            LockSupport.parkNanos(lookNanos);
        }
    }

    /** Waits for what can only come while the launcher runs: its end is the end of the wait. */
    HostsJob awaitWhileItRuns(String what, BooleanSupplier condition) {
        await(what, () -> condition.getAsBoolean() || !launcher.isAlive(), this::text);
        if (!condition.getAsBoolean()) {
            joinReaders(); // what it has printed last
            assertTrue(condition.getAsBoolean(), () -> "the launcher has ended with status " + launcher.exitValue()
                + " before " + what + ":\n" + text());
        }
        return this;
    }

    HostsJob awaitLine(String part) {
        return awaitWhileItRuns("a line with '" + part + "'", () -> tells(part));
    }

    private void joinReaders() {
        for (Thread reader : readers) {
            try {
                assertTrue(reader.join(Duration.ofSeconds(DEADLINE_SECONDS)), () -> "waited " + DEADLINE_SECONDS
                    + " s for the end of what the launcher prints, after its own; " + text());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Tells the launcher to end. */
    void terminateLauncher() {
        launcher.toHandle().destroy();
    }

    /** Kills the launcher without a word. */
    void killLauncher() {
        launcher.toHandle().destroyForcibly();
    }

    /** The JSON object of a job that ended with this status. */
    Map<String, Object> ends(int status) throws IOException {
        await("the end of the job", () -> !launcher.isAlive(), this::text);
        joinReaders();
        assertEquals(status, launcher.exitValue(), this::text);
        return JSON.std.mapFrom(out.getLast());
    }

    /** The end of a job whose result is right. */
    Map<String, Object> endsVerified() throws IOException {
        Map<String, Object> result = ends(0);
        assertEquals(true, result.get("verified"), this::text);
        return result;
    }

    /** Waits until nothing of the job is on a host any more. */
    void awaitNothingOn(int host) {
        awaitOnHosts("the end of all that was started on host " + host, () -> hosts.processes(host).isEmpty()
            && hosts.sharedMemory(host).isEmpty() && hosts.temporaryFiles(host).isEmpty(), () ->
            hosts.processes(host) + " " + hosts.sharedMemory(host) + " " + hosts.temporaryFiles(host) + "\n" + text());
    }

    /** Processes on a host whose command line has a word. */
    List<RunningProcess> running(int host, String word) {
        return hosts.processes(host).stream().filter(process -> process.command().contains(word)).toList();
    }

    @Override
    public void close() {
        launcher.destroyForcibly();
        try {
            launcher.waitFor(20, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
