package org.ftrma.launch;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.ftrma.FtrmaException;
import org.ftrma.launch.options.GivenOptions;
import org.ftrma.launch.options.LauncherOption;
import org.ftrma.launch.options.SingleOption;
import org.ftrma.testkit.hosts.NamespacedHosts;
import picocli.CommandLine.ParseResult;

/**
 * Shows a job on several hosts, one of which loses its power in the middle of it. The hosts are made of namespaces
 * where this process may make some; else each is an agent of this machine, which is killed with all its ranks. One
 * thread.
 */
final class HostsDemo {
    /** On each host: so that a group has one member on each. */
    private static final int SLOTS = 2;
    private static final int ITERATIONS = 240;
    private static final int INTERVAL = 12;

    private final PrintStream out;
    private final PrintStream err;
    private final String ftrma;

    /** Where the hosts are. */
    private interface Place extends AutoCloseable {
        /** Starts a launcher, given its command line. */
        Process launch(List<String> command) throws IOException;

        /** Options by which it reaches the hosts. */
        List<String> options() throws IOException;

        /** The name of a host, from 1. */
        String name(int host);

        /** A host is gone, without a word. */
        void lose(int host);

        @Override
        void close();
    }

    /** @param ftrma the command of which this process is a part */
    HostsDemo(PrintStream out, PrintStream err, String ftrma) {
        this.out = out;
        this.err = err;
        this.ftrma = ftrma;
    }

    int execute(ParseResult parsed) {
        GivenOptions given = new GivenOptions(parsed);
        int hosts = (int) given.number(SingleOption.DEMO_HOSTS);
        long seed = JobCommand.seed(given);
        Random random = new Random(seed);
        int victim = 1 + random.nextInt(hosts);
        long step = ITERATIONS / 3 + random.nextInt(ITERATIONS / 3);
        String whyNot = NamespacedHosts.whyNot();
        err.println("NAS FT class W, " + ITERATIONS + " time steps: " + (hosts - 1) * SLOTS + " computing ranks and "
            + SLOTS + " checksum ranks on " + hosts + " hosts, " + SLOTS + " processes on each.");
        err.println(whyNot.isEmpty() ? "The hosts are made of namespaces: each has its own network, memory and "
            + "processes. In step " + step + " one loses its power (--seed " + seed + " repeats the choice)."
            : "Each host is an agent of this machine, and its ranks reach the others by the network path only. In step "
            + step + " one is killed with its ranks (--seed " + seed + " repeats the choice). That leaves out what a "
            + "network does when a host falls silent, since " + whyNot + ".");
        try (Place place = whyNot.isEmpty() ? namespaces(hosts) : agents()) {
            return run(place, given, hosts, victim, step);
        } catch (IOException e) {
            throw new FtrmaException(FtrmaException.Category.SETUP, "the hosts of the demonstration cannot be made: "
                + e.getMessage(), e);
        }
    }

    private int run(Place place, GivenOptions given, int hosts, int victim, long step) throws IOException {
        List<String> command = new ArrayList<>(List.of(ftrma, "fft", "--class", "W", "--iterations",
            Integer.toString(ITERATIONS), "--ranks", Integer.toString((hosts - 1) * SLOTS), "--checksums",
            Integer.toString(SLOTS), "--protocol", "coordinated", "--interval", Integer.toString(INTERVAL),
            "--warm-up", "0.3", "--verbose", "--remote-ftrma", ftrma, "--hosts", IntStream.rangeClosed(1, hosts)
                .mapToObj(host -> place.name(host) + ":" + SLOTS).collect(Collectors.joining(","))));
        command.addAll(place.options());
        if (given.has(LauncherOption.JSON)) {
            command.add("--json");
        }
        Process launcher = place.launch(command);
        Thread printer = Thread.ofPlatform().daemon().name("ftrma-demo-output").start(() -> {
            try (Stream<String> lines = lines(launcher.getInputStream())) {
                lines.forEach(out::println);
            }
        });
        boolean isAll = given.has(LauncherOption.VERBOSE);
        boolean isLost = false;
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(launcher.getErrorStream(),
            StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                if (isAll || isWorthTelling(line)) {
                    err.println(line);
                }
                if (!isLost && line.contains(" begins step " + step + " ")) {
                    isLost = true;
                    err.println("Host " + place.name(victim) + " is gone now.");
                    place.lose(victim);
                }
            }
        }
        return ended(launcher, printer);
    }

    private static boolean isWorthTelling(String line) {
        return !line.contains(" begins step ") && !line.contains(" is committed") && !line.contains(" plays ")
            || line.contains("lost");
    }

    private static Stream<String> lines(java.io.InputStream from) {
        return new BufferedReader(new InputStreamReader(from, StandardCharsets.UTF_8)).lines();
    }

    private static int ended(Process launcher, Thread printer) {
        try {
            int status = launcher.waitFor();
            printer.join();
            return status;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            launcher.destroy();
            return Interrupts.STATUS;
        }
    }

    private static Place namespaces(int count) {
        NamespacedHosts hosts = NamespacedHosts.of(count);
        return new Place() {
            @Override
            public Process launch(List<String> command) {
                return hosts.run(NamespacedHosts.LOGIN, command);
            }

            @Override
            public List<String> options() {
                return List.of("--shell", hosts.remoteShell().toString(), "--advertise",
                    hosts.address(NamespacedHosts.LOGIN));
            }

            @Override
            public String name(int host) {
                return hosts.name(host);
            }

            @Override
            public void lose(int host) {
                hosts.powerOff(host);
            }

            @Override
            public void close() {
                hosts.close();
            }
        };
    }

    private static Place agents() throws IOException {
        Path directory = Files.createTempDirectory("ftrma-demo-");
        Path shell = directory.resolve("shell");
        Files.writeString(shell, "#!/bin/sh\necho $$ > '" + directory + "'/\"$1\"\nexec /bin/sh -c \"$2\"\n");
        Files.setPosixFilePermissions(shell, PosixFilePermissions.fromString("rwx------"));
        return new Place() {
            @Override
            public Process launch(List<String> command) throws IOException {
                return new ProcessBuilder(command).start();
            }

            @Override
            public List<String> options() {
                return List.of("--shell", shell.toString(), "--advertise", "127.0.0.1");
            }

            @Override
            public String name(int host) {
                return "agent" + host;
            }

            @Override
            public void lose(int host) {
                try {
                    long pid = Long.parseLong(Files.readString(directory.resolve(name(host))).strip());
                    ProcessHandle.of(pid).ifPresent(agent -> {
                        agent.descendants().forEach(ProcessHandle::destroyForcibly);
                        agent.destroyForcibly();
                    });
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }

            @Override
            public void close() {
                try (Stream<Path> files = Files.list(directory)) {
                    for (Path file : files.toList()) {
                        Files.delete(file);
                    }
                    Files.delete(directory);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        };
    }
}
