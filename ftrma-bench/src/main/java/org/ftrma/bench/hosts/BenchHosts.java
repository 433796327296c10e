package org.ftrma.bench.hosts;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.ftrma.MisuseException;
import org.ftrma.bench.command.JobProcess;
import org.ftrma.cli.TrialHosts;

/**
 * The hosts on which jobs are measured: made for that, or the user's own. Numbered from 1. One thread.
 */
final class BenchHosts implements AutoCloseable {
    private static final int ANY_PORT = 9;

    private final String ftrma = command();
    private final List<String> names;
    /** Null: the user's. */
    private final TrialHosts made;
    private final List<String> options;
    private final String launcherAddress;
    private final String device;

    private BenchHosts(List<String> names, TrialHosts made, List<String> options, String launcherAddress,
        String device) {
        this.names = names;
        this.made = made;
        this.options = options;
        this.launcherAddress = launcherAddress;
        this.device = device;
    }

    /** The command of which this process is a part. */
    static String command() {
        return System.getProperty("ftrma.command", "ftrma");
    }

    /** Makes some on this machine. */
    static BenchHosts made(int count) throws IOException {
        TrialHosts hosts = TrialHosts.make(count);
        List<String> names = new ArrayList<>();
        for (int host = 1; host <= count; host++) {
            names.add(hosts.name(host));
        }
        return new BenchHosts(names, hosts, List.of(), hosts.launcherAddress(), null);
    }

    /**
     * Those of the user.
     *
     * @param options by which launchers reach them
     * @param advertised the address at which they reach launchers, or null
     * @param device null: as agents find it
     */
    static BenchHosts named(List<String> names, List<String> options, String advertised, String device) {
        return new BenchHosts(names, null, options, advertised != null ? advertised : sourceOfRouteTo(
            names.getFirst()), device);
    }

    private static String sourceOfRouteTo(String host) {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(new InetSocketAddress(InetAddress.getByName(host), ANY_PORT)); // nothing is sent
            return socket.getLocalAddress().getHostAddress();
        } catch (IOException | java.io.UncheckedIOException e) {
            throw new MisuseException("--hosts: host " + host + " cannot be reached: " + e.getMessage()
                + "; --advertise names the address at which hosts reach this one");
        }
    }

    /** What they are, for people. */
    String text() {
        return made == null ? "hosts " + String.join(", ", names) : TrialHosts.whyNoNamespaces().isEmpty()
            ? names.size() + " hosts made of namespaces, each with its own network, on this machine"
            : names.size() + " agents of this machine, whose ranks reach each other over its loopback device. That "
            + "leaves out what a network between hosts costs, and what it does when a host falls silent, since "
            + TrialHosts.whyNoNamespaces();
    }

    /** The address at which hosts reach a launcher. */
    String launcherAddress() {
        return launcherAddress;
    }

    /** The network device, or "-": as agents find it. */
    String device() {
        return device == null ? "-" : device;
    }

    String name(int host) {
        return names.get(host - 1);
    }

    /** Whether {@link #lose} can be called; else the job itself must lose a host. */
    boolean canLose() {
        return made != null;
    }

    /** A host dies: without power, where it has a network of its own. */
    void lose(int host) {
        made.lose(host);
    }

    /** It can be used again. */
    void restore(int host) {
        made.restore(host);
    }

    /**
     * Starts a job.
     *
     * @param slots of as many hosts, from the first one on
     * @param arguments of the command; what follows "--" is left where it is
     */
    JobProcess start(List<Integer> slots, List<String> arguments, Consumer<String> hearer, long timeoutSeconds)
        throws IOException {
        List<String> all = new ArrayList<>(List.of(arguments.getFirst(), "--config", "none", "--hosts",
            named(slots), "--start", "ssh"));
        all.addAll(made == null ? options : List.of("--remote-ftrma", ftrma));
        all.addAll(made == null ? List.of() : made.options());
        if (device != null) {
            all.addAll(List.of("--device", device));
        }
        all.addAll(arguments.subList(1, arguments.size()));
        JobProcess.Starter starter = made == null ? command -> new ProcessBuilder(command).start() : made::launch;
        return JobProcess.start(starter, ftrma, all, hearer, timeoutSeconds);
    }

    /** Runs a job to its end, and returns its JSON result. */
    Map<String, Object> run(List<Integer> slots, List<String> arguments, long timeoutSeconds) throws IOException,
        InterruptedException {
        try (JobProcess job = start(slots, arguments, line -> { }, timeoutSeconds)) {
            return job.result();
        }
    }

    private String named(List<Integer> slots) {
        List<String> named = new ArrayList<>();
        for (int i = 0; i < slots.size(); i++) {
            named.add(names.get(i) + ":" + slots.get(i));
        }
        return String.join(",", named);
    }

    @Override
    public void close() {
        if (made != null) {
            made.close();
        }
    }
}
