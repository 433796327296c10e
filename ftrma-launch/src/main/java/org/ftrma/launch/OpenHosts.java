package org.ftrma.launch;

import java.io.IOException;
import java.io.PrintStream;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.ftrma.FtrmaException;
import org.ftrma.MisuseException;
import org.ftrma.core.membership.JobGroups;
import org.ftrma.launch.agent.AgentProcess;
import org.ftrma.launch.agent.Surroundings;
import org.ftrma.launch.hosts.HostList;
import org.ftrma.launch.hosts.HostOption;
import org.ftrma.launch.hosts.HostSetup;
import org.ftrma.launch.hosts.HostSpec;
import org.ftrma.launch.hosts.HostTopology;
import org.ftrma.launch.hosts.JobHosts;
import org.ftrma.launch.hosts.SharedDirectory;
import org.ftrma.launch.hosts.Start;
import org.ftrma.launch.inject.FaultPlan;
import org.ftrma.launch.job.JobHost;
import org.ftrma.launch.job.JobRequest;
import org.ftrma.launch.options.GivenOptions;
import org.ftrma.launch.options.LauncherOption;
import org.ftrma.options.AccessPath;
import org.ftrma.options.JobOption;
import org.ftrma.options.JobOptions;
import org.ftrma.rank.control.MachineClock;

/** The hosts that a command line names, with their agents; or this host alone. One thread. */
final class OpenHosts implements AutoCloseable {
    private static final int ANY_PORT = 9;
    /** Longer than a launcher collects garbage, or a virtual machine stands still for a snapshot. */
    private static final long HOST_TIMEOUT_NANOS = 15_000_000_000L;

    private final GivenOptions given;
    private final PrintStream err;
    private final PrintStream notes;
    private final BooleanSupplier isInterrupted;
    private final List<HostSpec> specs;
    private final Start how;
    private final long hostTimeoutNanos;
    private final long joinNanos;
    private final boolean mayDegrade;
    private final String flush;
    /** Ready, and used by no job yet. */
    private JobHosts ready;
    /** Used by the job that runs, or ran last; null: it runs here. */
    private JobHosts used;

    /**
     * Those of a command.
     *
     * @param named the hosts
     * @param options the job's, as they were given
     * @param err where the output of agents goes
     * @param notes where people are told what happens
     */
    OpenHosts(GivenOptions given, NamedHosts named, JobOptions options, PrintStream err, PrintStream notes,
        BooleanSupplier isInterrupted) {
        this.given = given;
        this.err = err;
        this.notes = notes;
        this.isInterrupted = isInterrupted;
        this.specs = named.specs();
        this.how = named.how();
        this.hostTimeoutNanos = given.has(HostOption.HOST_TIMEOUT) ? given.number(HostOption.HOST_TIMEOUT)
            : Math.max(HOST_TIMEOUT_NANOS, options.heartbeatTimeoutNanos());
        this.joinNanos = options.startTimeoutNanos();
        this.mayDegrade = given.number(HostOption.DEGRADE) == 0;
        this.flush = options.isFlushed() ? options.value(JobOption.FLUSH) : null;
    }

    /** Of a job's options those that mean something before its hosts are known. */
    static Map<JobOption, String> withoutThem(Map<JobOption, String> jobOptions) {
        Map<JobOption, String> without = new TreeMap<>(jobOptions);
        without.remove(JobOption.AWARE);
        return without;
    }

    /** Whether the job runs on this host alone. */
    boolean isThisHost() {
        return specs.isEmpty();
    }

    /** Starts the agents, and settles what the job's options leave to the hosts. */
    JobOptions settle(Map<JobOption, String> jobOptions) {
        for (JobOption option : List.of(JobOption.NODES, JobOption.TOPOLOGY)) {
            if (jobOptions.containsKey(option)) {
                throw new MisuseException("--" + option.key() + "=" + jobOptions.get(option)
                    + ": not together with --hosts, which are the nodes of the job");
            }
        }
        boolean mayOversubscribe = given.has(HostOption.OVERSUBSCRIBE);
        JobOptions plain = JobOptions.from(withoutThem(jobOptions));
        if (specs.stream().allMatch(host -> host.slots() > 0)) {
            HostList.checkSlots(specs, plain, mayOversubscribe); // before agents are started
            HostTopology.text(specs);
        }
        ready = open();
        HostList.checkSlots(ready.specs(), plain, mayOversubscribe);
        Map<JobOption, String> settled = new TreeMap<>(jobOptions);
        settled.putIfAbsent(JobOption.PATH, AccessPath.MIXED.word());
        if (settled.get(JobOption.PATH).equals(AccessPath.AUTO.word())) {
            settled.put(JobOption.PATH, AccessPath.MIXED.word());
        }
        settled.put(JobOption.TOPOLOGY, HostTopology.text(mayOversubscribe ? unlimited(ready.specs()) : ready.specs()));
        return aware(settled, jobOptions.containsKey(JobOption.AWARE));
    }

    /** Where there are more processes than slots, all hosts take as many as it needs. */
    private static List<HostSpec> unlimited(List<HostSpec> hosts) {
        return hosts.stream().map(host -> host.withSlots(HostList.MOST_SLOTS)).toList();
    }

    private JobOptions aware(Map<JobOption, String> settled, boolean isGiven) {
        JobOptions options = JobOptions.from(settled);
        if (isGiven || !options.isProtected() || specs.stream().filter(host -> !host.isSpare()).count() < 2) {
            return options;
        }
        settled.put(JobOption.AWARE, HostTopology.HOST);
        JobOptions aware = JobOptions.from(settled);
        try {
            JobGroups.of(aware);
            return aware;
        } catch (MisuseException e) {
            notes.println("ftrma: job cannot survive the loss of a host: " + e.getMessage()
                + "; continuing (--aware none silences this)");
            return options;
        }
    }

    private JobHosts open() {
        String ftrma = given.text(HostOption.REMOTE, System.getProperty("ftrma.command", "ftrma"));
        HostSetup.Settings settings = new HostSetup.Settings(how,
            given.text(how == Start.MPI ? HostOption.MPIRUN : HostOption.SHELL), ftrma, advertised(),
            (int) given.number(HostOption.AGENT_PORT), given.text(HostOption.DEVICE, null), joinNanos,
            hostTimeoutNanos, AgentProcess.library(),
            given.has(HostOption.TOKEN_FILE) ? Path.of(given.text(HostOption.TOKEN_FILE)) : null, flush);
        if (how == Start.MANUAL && given.number(HostOption.CHAOS_HOSTS) > 0) {
            throw new MisuseException("--chaos-hosts=" + given.number(HostOption.CHAOS_HOSTS)
                + ": hosts that are lost are to come back, and --start manual cannot start their agents again; use "
                + "--start ssh");
        }
        return new HostSetup(specs, settings, err, notes, isInterrupted, MachineClock.HERE).open();
    }

    private InetAddress advertised() {
        if (given.has(HostOption.ADVERTISE)) {
            String text = given.text(HostOption.ADVERTISE);
            try {
                return InetAddress.getByName(text);
            } catch (UnknownHostException e) {
                MisuseException unknown = new MisuseException("--advertise=" + text + ": there is no such address");
                unknown.initCause(e);
                throw unknown;
            }
        }
        InetAddress source = sourceOfRouteTo(specs.getFirst().name());
        // The first one may be this host itself, which many systems know by an address that no other one reaches.
        return source.isLoopbackAddress() && specs.size() > 1 ? sourceOfRouteTo(specs.get(1).name()) : source;
    }

    /** Nothing is sent: the kernel says which address it would be sent from. */
    private static InetAddress sourceOfRouteTo(String host) {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(new InetSocketAddress(InetAddress.getByName(host), ANY_PORT));
            return socket.getLocalAddress();
        } catch (IOException | java.io.UncheckedIOException e) {
            throw new FtrmaException(FtrmaException.Category.SETUP, "host " + host
                + ": no route, so the address it should connect to is unknown; set --advertise (" + e.getMessage()
                + ")", e);
        }
    }

    /** Refuses a job whose hosts do not all see what it reads from disk, or writes there. */
    void checkShared(JobDisk disk) {
        if (ready == null) {
            return;
        }
        if (disk.restart() != null) {
            try (SharedDirectory read = SharedDirectory.read(disk.restart().manifestFile())) {
                read.check(ready.hosts(), "--" + LauncherOption.RESTART.key() + "="
                    + given.text(LauncherOption.RESTART));
            }
        }
        if (disk.flushes() != null) {
            try (SharedDirectory written = SharedDirectory.written(disk.flushes().directory())) {
                written.check(ready.hosts(), "--" + JobOption.FLUSH.key() + "=" + given.text(JobOption.FLUSH));
            }
        }
    }

    /** A job on these hosts. */
    JobHost job(JobRequest request, FaultPlan plan, PrintStream out) {
        if (isThisHost()) {
            return new JobHost(request, plan, out, err);
        }
        JobHosts hosts = ready == null ? open() : ready;
        ready = null;
        used = hosts;
        return new JobHost(request, plan, out, err, hosts, mayDegrade);
    }

    /** What the host of a process is called. */
    String hostOf(int process) {
        int number = used == null ? -1 : used.hostOf(process);
        return number >= 0 ? used.hosts().get(number).name() : isThisHost() ? Surroundings.hostName() : "";
    }

    /** Lets the agents go that no job has used. */
    @Override
    public void close() {
        if (ready != null) {
            ready.close();
        }
    }
}
