package org.ftrma.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.ftrma.FtrmaException;
import org.ftrma.launch.Interrupts;
import org.ftrma.launch.JobCommand;
import org.ftrma.launch.options.GivenOptions;
import org.ftrma.launch.options.LauncherOption;
import org.ftrma.launch.options.SingleOption;
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

    private static final Pattern BEGUN = Pattern.compile(" begins step (\\d+) ");
    private final PrintStream out;
    private final PrintStream err;
    private final String ftrma;

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
        String whyNot = TrialHosts.whyNoNamespaces();
        err.println("NAS FT class W, " + ITERATIONS + " time steps: " + (hosts - 1) * SLOTS + " computing ranks and "
            + SLOTS + " checksum ranks on " + hosts + " hosts, " + SLOTS + " processes on each.");
        err.println(whyNot.isEmpty() ? "The hosts are made of namespaces: each has its own network, memory and "
            + "processes. In step " + step + " one loses its power (--seed " + seed + " repeats the choice)."
            : "Each host is an agent of this machine, with a loopback address of its own, and its ranks reach those of "
            + "others by the network path only. In step " + step + " one is killed with its ranks (--seed " + seed
            + " repeats the choice). That leaves out what a network does: nobody falls silent, since the kernel tells "
            + "of each death, links do not fail or slow down, and all share one memory; " + whyNot + ".");
        try (TrialHosts place = TrialHosts.make(hosts)) {
            return run(place, given, hosts, victim, step);
        } catch (IOException e) {
            throw new FtrmaException(FtrmaException.Category.SETUP, "the hosts of the demonstration cannot be made: "
                + e.getMessage(), e);
        }
    }

    private int run(TrialHosts place, GivenOptions given, int hosts, int victim, long step) throws IOException {
        List<String> command = new ArrayList<>(List.of(ftrma, "fft", "--config", "none", "--class", "W", "--iterations",
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
                Matcher begun = BEGUN.matcher(line);
                if (!isLost && begun.find() && Long.parseLong(begun.group(1)) >= step) {
                    isLost = true; // not each step is told of where they are short
                    err.println("Host " + place.name(victim) + " is gone now.");
                    place.lose(victim);
                }
            }
        }
        int status = ended(launcher, printer);
        if (status == 0 && !isLost) {
            err.println("ftrma: the job told of no step from " + step + " on, so that no host was lost: "
                + "nothing was shown; try again");
            return 1;
        }
        return status;
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
}
