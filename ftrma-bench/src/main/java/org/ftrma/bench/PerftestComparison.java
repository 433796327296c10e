package org.ftrma.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Accesses on the network path beside ucx_perftest, UCX's own benchmark in C: the same transport (tcp over the loopback
 * device) and error mode ({@code -e}: UCP_ERR_HANDLING_MODE_PEER), in turn, several rounds of each. What is compared
 * with what is in the table below; one access of 8 bytes each.
 *
 * <p>ucx_perftest's target polls all the time; ours is a service thread that the operating system may put to sleep.
 */
final class PerftestComparison {
    /** A round of either side takes a few seconds. */
    static final int ROUNDS = 3;
    private static final long TIMEOUT_SECONDS = 120;
    private static final int CONNECT_ATTEMPTS = 100;
    private static final int OVERALL_AVERAGE = 4;
    private static final double LIMIT = 1.15;

    /** One of our benchmarks and its counterpart. */
    enum Pair {
        /** Both wait for nothing but room in the socket. */
        PUT("put8", "ucp_put_bw", 1, 400_000, true, false,
            "a stream of puts, not flushed, beside the same of ucp_put_bw"),
        /** perftest has no flush in a loop; its ping-pong sends a put each way and reports half of that. */
        PUT_FLUSH("put8Flush", "ucp_put_lat", 2, 100_000, false, true,
            "put and flush (its request and answer) beside a put and the peer's put back, twice what ucp_put_lat "
            + "reports"),
        /** One at a time. */
        FETCH_AND_OP("fetchAndOp", "ucp_fadd", 1, 150_000, true, true,
            "one fetch-and-add at a time beside ucp_fadd -O 1"),
        /** One at a time. */
        COMPARE_AND_SWAP("compareAndSwap", "ucp_cswap", 1, 150_000, true, true,
            "one compare-and-swap at a time beside ucp_cswap -O 1");

        final String benchmark;
        final String test;
        final int factor;
        final int iterations;
        final boolean limited;
        final boolean oneAtATime;
        final String meaning;

        Pair(String benchmark, String test, int factor, int iterations, boolean limited, boolean oneAtATime,
            String meaning) {
            this.benchmark = benchmark;
            this.test = test;
            this.factor = factor;
            this.iterations = iterations;
            this.limited = limited;
            this.oneAtATime = oneAtATime;
            this.meaning = meaning;
        }

        /** The counterpart of a benchmark, or null. */
        static Pair of(String benchmark) {
            return Arrays.stream(values()).filter(pair -> pair.benchmark.equals(benchmark)).findFirst().orElse(null);
        }
    }

    /** Runs our side once; returns ns per operation. */
    @FunctionalInterface
    interface Ours {
        double nanos() throws IOException, InterruptedException;
    }

    private PerftestComparison() {
    }

    /** Measures in turn; returns lines for people. */
    static List<String> compare(Pair pair, Ours ours) throws IOException, InterruptedException {
        double[] mine = new double[ROUNDS];
        double[] theirs = new double[ROUNDS];
        double[] ratios = new double[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            mine[round] = ours.nanos();
            theirs[round] = pair.factor * perftest(pair);
            ratios[round] = mine[round] / theirs[round];
        }
        double ratio = median(ratios);
        List<String> lines = new ArrayList<>();
        lines.add(String.format(Locale.ROOT, "network  %-14s %s", pair.benchmark, pair.meaning));
        lines.add(String.format(Locale.ROOT,
            "network  %-14s %.0f ns, ucx_perftest %.0f ns (medians of %d rounds in turn), ratio %.2f (%s)%s",
            pair.benchmark, median(mine), median(theirs), ROUNDS, ratio, rounds(ratios),
            !pair.limited ? "" : ratio <= LIMIT ? ", at most 1.15: yes" : ", at most 1.15: NO"));
        return lines;
    }

    private static String rounds(double[] ratios) {
        return String.join(" ", Arrays.stream(ratios).mapToObj(ratio -> String.format(Locale.ROOT, "%.2f", ratio))
            .toList());
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    /** Overall average of one run, in ns. */
    private static double perftest(Pair pair) throws IOException, InterruptedException {
        String port = freePort();
        List<String> common = new ArrayList<>(List.of("-t", pair.test, "-s", "8", "-e", "-p", port));
        if (pair.oneAtATime) {
            common.addAll(List.of("-O", "1"));
        }
        Process server = builder(List.of("ucx_perftest"), common)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        try {
            ProcessBuilder client = builder(List.of("ucx_perftest", "127.0.0.1", "-n", "" + pair.iterations, "-w",
                "" + pair.iterations / 5),
                common);
            List<String> output = List.of();
            for (int attempt = 0; attempt < CONNECT_ATTEMPTS && server.isAlive(); attempt++) {
                // Refused until the server listens.
                output = runAndRead(client, TIMEOUT_SECONDS);
                for (String line : output) {
                    if (line.startsWith("Final:")) {
                        return 1000 * Double.parseDouble(line.trim().split("\\s+")[OVERALL_AVERAGE]);
                    }
                }
            }
            throw new IOException(String.join(" ", client.command()) + " measured nothing: "
                + String.join("\n", output));
        } finally {
            server.destroyForcibly();
            server.waitFor();
        }
    }

    private static ProcessBuilder builder(List<String> first, List<String> rest) {
        List<String> command = new ArrayList<>(first);
        command.addAll(rest);
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(Map.of("UCX_TLS", "tcp", "UCX_NET_DEVICES", "lo"));
        return builder.redirectErrorStream(true);
    }

    private static String freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return "" + socket.getLocalPort();
        }
    }

    static List<String> runAndRead(ProcessBuilder builder, long timeoutSeconds) throws IOException,
        InterruptedException {
        Process process = builder.redirectErrorStream(true).start();
        List<String> lines = new ArrayList<>();
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(process.getInputStream(),
            StandardCharsets.UTF_8))) {
            reader.lines().forEach(lines::add);
        }
        if (!process.waitFor(timeoutSeconds, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException("did not end within " + timeoutSeconds + " s: "
                + String.join(" ", builder.command()));
        }
        return lines;
    }
}
