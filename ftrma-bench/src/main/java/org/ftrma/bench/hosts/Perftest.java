package org.ftrma.bench.hosts;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.DatagramSocket;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * ucx_perftest, UCX's own benchmark in C, between this host and another one: over tcp by the device that ranks use, in
 * the same error mode ({@code -e}: UCP_ERR_HANDLING_MODE_PEER). Its server polls all the time, on a core of its own if
 * there is one. One thread.
 */
final class Perftest {
    private static final String PROGRAM = "ucx_perftest";
    /** A run takes a second or two; whatever becomes of this process, none stays longer. */
    private static final int TIMEOUT_SECONDS = 60;
    private static final long CONNECT_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final int MEDIAN = 2;
    private static final int OVERALL_AVERAGE = 4;
    private static final int LEAST_WARM_UP = 10;
    private static final String ENDLESS = "1000000000";
    private static final int ANY_PORT = 9;

    private final String device;
    private final Inet4Address address;

    private Perftest(String device, Inet4Address address) {
        this.device = device;
        this.address = address;
    }

    /** Over one device of this host. */
    static Perftest on(String device) {
        try {
            NetworkInterface found = NetworkInterface.getByName(device);
            if (found == null) {
                throw new IllegalArgumentException("--device " + device + ": there is no such network device");
            }
            return new Perftest(device, found.inetAddresses().filter(Inet4Address.class::isInstance)
                .map(Inet4Address.class::cast).findFirst().orElse(null));
        } catch (SocketException e) {
            throw new IllegalStateException("network device " + device + ": " + e.getMessage(), e);
        }
    }

    /** The device by which an address is reached, as agents find theirs. */
    static String deviceTowards(String reached) {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(new InetSocketAddress(InetAddress.getByName(reached), ANY_PORT)); // nothing is sent
            return NetworkInterface.getByInetAddress(socket.getLocalAddress()).getName();
        } catch (SocketException | UnknownHostException e) {
            throw new IllegalStateException("the device towards " + reached + ": " + e.getMessage(), e);
        }
    }

    String device() {
        return device;
    }

    Inet4Address address() {
        return address;
    }

    /** Why it cannot be run here; empty if it can. */
    String whyNot() {
        if (address == null) {
            return device + " has no IPv4 address";
        }
        for (String folder : System.getenv().getOrDefault("PATH", "/usr/bin").split(File.pathSeparator)) {
            if (Files.isExecutable(Path.of(folder, PROGRAM))) {
                return "";
            }
        }
        return "not installed: apt install ucx-utils";
    }

    /** A server that was started. */
    record Server(Process process, int port) implements AutoCloseable {
        /** Ends after its one client. */
        void awaitEnd() throws IOException {
            ended(process);
        }

        @Override
        public void close() {
            process.destroy(); // which timeout passes on
        }
    }

    /** Starts the server for one run. */
    Server serve(Access.Test test) throws IOException {
        int port = freePort();
        return new Server(builder(List.of(), test, port).redirectOutput(ProcessBuilder.Redirect.DISCARD).start(), port);
    }

    private int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, address)) {
            return socket.getLocalPort();
        }
    }

    /** Runs the client; returns nanoseconds for each access: the mean of a stream, else the median of the latest. */
    double measure(String host, int port, Access.Test test, int iterations) throws IOException {
        List<String> own = List.of(host, "-n", Integer.toString(iterations), "-w",
            Integer.toString(Math.max(LEAST_WARM_UP, iterations / 5)));
        long end = System.nanoTime() + CONNECT_NANOS;
        List<String> output = List.of();
        while (System.nanoTime() - end < 0) {
            ProcessBuilder client = builder(own, test, port);
            output = run(client);
            for (String line : output) {
                if (line.startsWith("Final:")) {
                    return 1000 * Double.parseDouble(line.trim().split("\\s+")[test.isStream() ? OVERALL_AVERAGE
                        : MEDIAN]);
                }
            }
            LockSupport.parkNanos(1_000_000); // refused until the server listens
        }
        throw new IOException(PROGRAM + " " + host + " -t " + test.name() + " -s " + test.bytes()
            + " measured nothing within 20 s: " + String.join("\n", output));
    }

    /**
     * Starts a client that goes on until it is closed.
     *
     * @throws IOException if its server did not let it in
     */
    EndlessPingPong begin(String host, int port, Access.Test test) throws IOException {
        long end = System.nanoTime() + CONNECT_NANOS;
        while (System.nanoTime() - end < 0) {
            EndlessPingPong begun = new EndlessPingPong(builder(List.of(host, "-n", ENDLESS, "-w", Integer.toString(
                LEAST_WARM_UP)), test, port));
            if (begun.awaitBegin()) {
                return begun;
            }
            begun.close();
            LockSupport.parkNanos(1_000_000); // refused until the server listens
        }
        throw new IOException(PROGRAM + " " + host + " -t " + test.name() + " told nothing within 20 s");
    }

    private static List<String> run(ProcessBuilder builder) throws IOException {
        Process process = builder.start();
        List<String> lines = new ArrayList<>();
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(process.getInputStream(),
            StandardCharsets.UTF_8))) {
            reader.lines().forEach(lines::add);
        }
        ended(process);
        return lines;
    }

    private static void ended(Process process) throws IOException {
        try {
            if (!process.waitFor(TIMEOUT_SECONDS + 5, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IOException(PROGRAM + " did not end within " + (TIMEOUT_SECONDS + 5) + " s");
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while " + PROGRAM + " ran", e);
        }
    }

    private ProcessBuilder builder(List<String> own, Access.Test test, int port) {
        List<String> command = new ArrayList<>(List.of("timeout", "-k", "1", Integer.toString(TIMEOUT_SECONDS),
            PROGRAM));
        command.addAll(own);
        command.addAll(List.of("-t", test.name(), "-s", Integer.toString(test.bytes()), "-e", "-p",
            Integer.toString(port)));
        if (test.outstanding() > 0) {
            command.addAll(List.of("-O", Integer.toString(test.outstanding())));
        }
        if (test.sleeps()) {
            command.addAll(List.of("-E", "sleep"));
        }
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(Map.of("UCX_TLS", "tcp", "UCX_NET_DEVICES", device, "UCX_PROTO_ENABLE", "n"));
        return builder;
    }
}
