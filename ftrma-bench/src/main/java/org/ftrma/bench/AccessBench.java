package org.ftrma.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * {@code ./ftrma bench access [mapped|network] [name...]}: {@link AccessBenchmark} one by one, each in a job of two ranks; on the network
 * path beside ucx_perftest with the
 * same transport and error mode, where it is installed (Debian package ucx-utils). Prints JMH's own results and, at the end, one line each.
 */
public final class AccessBench {
    private static final long TIMEOUT_SECONDS = 300;

    private AccessBench() {
    }

    /** Arguments: the path, then the benchmarks' names; all of both when missing. Returns an exit code. */
    public static int run(List<String> arguments) throws IOException, InterruptedException {
        List<String> paths = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (String argument : arguments) {
            if (argument.equals("mapped") || argument.equals("network")) {
                paths.add(argument);
            } else if (List.of(AccessBenchmark.NAMES).contains(argument)) {
                names.add(argument);
            } else {
                System.err.println("bench access: '" + argument + "' is no path (mapped, network) and no benchmark ("
                    + String.join(", ", AccessBenchmark.NAMES) + ")");
                return 2;
            }
        }
        List<String> summary = new ArrayList<>();
        for (String path : paths.isEmpty() ? List.of("mapped", "network") : paths) {
            for (String name : names.isEmpty() ? List.of(AccessBenchmark.NAMES) : names) {
                summary.addAll(oneJob(path, name));
            }
            if (path.equals("network")) {
                summary.addAll(perftest("put8", "ucp_put_bw"));
                summary.addAll(perftest("fetchAndOp", "ucp_fadd"));
            }
        }
        System.out.println("\nns per operation, and bytes allocated per operation (JMH, gc profiler):");
        summary.forEach(System.out::println);
        return 0;
    }

    private static List<String> oneJob(String path, String name) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(ProcessHandle.current().info().command().orElse("java"), "-cp",
            System.getProperty("java.class.path"), "--enable-native-access=ALL-UNNAMED", "-XX:-UsePerfData", "org.ftrma.launch.Main", "run",
            "--ranks", "2", "--protocol", "none", "--path", path.equals("network") ? "network" : "auto", "--deadline", "10m", "--",
            AccessBenchmark.class.getName(), name));
        List<String> lines = new ArrayList<>();
        for (String line : runAndRead(new ProcessBuilder(command), TIMEOUT_SECONDS)) {
            System.out.println(line);
            if (line.startsWith("AccessBenchmark.") && (line.contains("ns/op") || line.contains("norm"))) {
                lines.add(String.format("%-8s %s", path, line));
            }
        }
        return lines;
    }

    /** The C benchmark of UCX over tcp loopback with peer error handling, as the network path has it. */
    private static List<String> perftest(String name, String test) throws IOException, InterruptedException {
        if (!Files.isExecutable(Path.of("/usr/bin/ucx_perftest"))) {
            return List.of("network  " + name + ": no ucx_perftest to compare with (apt-get install ucx-utils)");
        }
        Map<String, String> environment = Map.of("UCX_TLS", "tcp", "UCX_NET_DEVICES", "lo");
        ProcessBuilder server = new ProcessBuilder("ucx_perftest", "-t", test, "-s", "8", "-e", "-p", "13399");
        server.environment().putAll(environment);
        Process serving = server.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        try {
            ProcessBuilder client = new ProcessBuilder("ucx_perftest", "127.0.0.1", "-t", test, "-s", "8", "-e", "-n", "200000", "-w", "20000", "-p",
                "13399");
            client.environment().putAll(environment);
            String last = "";
            for (int attempt = 0; attempt < 50 && last.isEmpty(); attempt++) {
                last = runAndRead(client, 60).stream().filter(line -> line.startsWith("Final:")).findFirst().orElse("");
                if (!serving.isAlive() && last.isEmpty()) {
                    break;
                }
            }
            return List.of("network  " + name + ": ucx_perftest " + test + " (microseconds; overall average is the third): " + last);
        } finally {
            serving.destroyForcibly();
            serving.waitFor();
        }
    }

    private static List<String> runAndRead(ProcessBuilder builder, long timeoutSeconds) throws IOException, InterruptedException {
        Process process = builder.redirectErrorStream(true).start();
        List<String> lines = new ArrayList<>();
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            reader.lines().forEach(lines::add);
        }
        if (!process.waitFor(timeoutSeconds, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException("did not end within " + timeoutSeconds + " s: " + String.join(" ", builder.command()));
        }
        return lines;
    }
}
