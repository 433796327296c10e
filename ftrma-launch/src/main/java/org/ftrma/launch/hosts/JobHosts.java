package org.ftrma.launch.hosts;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntToLongFunction;
import java.util.function.IntUnaryOperator;
import org.ftrma.FtrmaException;
import org.ftrma.launch.agent.HostAgent;
import org.ftrma.launch.agent.HostJob;
import org.ftrma.launch.agent.HostRoom;
import org.ftrma.launch.agent.ProcessVitals;
import org.ftrma.launch.agent.RemoteAgent;
import org.ftrma.options.JobOptions;
import org.ftrma.options.Units;
import org.ftrma.rank.control.MachineClock;
import org.ftrma.rank.control.RankOptions;
import org.ftrma.rank.control.Token;
import org.ftrma.spi.MemoryShare;

/**
 * The agents of all hosts of a job as one: each process goes to the host that the job chooses for it, and what is asked
 * of it goes there. The job's thread only.
 */
public final class JobHosts implements HostAgent {
    private static final long OPEN_NANOS = 60_000_000_000L;
    private static final long LOOK_NANOS = 1_000_000;

    private final List<Host> hosts = new ArrayList<>();
    private final LauncherPlaces here = new LauncherPlaces();
    private final AgentServer server;
    private final AgentStarter starter;
    private final MachineClock clock;
    private final Map<Integer, Integer> hostOf = new HashMap<>();
    private IntUnaryOperator choice;
    private IntToLongFunction silentNanos;
    /** Of each host: computing ranks that begin there, these with checksum ranks, and with spares too. */
    private final int[] plannedRanks;
    private final int[] plannedMembers;
    private final int[] plannedProcesses;
    private Consumer<String> notes = text -> { };
    private final Links links = new Links(text -> notes.accept(text));
    private Listener listener;
    private final Map<String, HostSpec> known = new HashMap<>();
    private Newcomers newcomers;
    private HostReturns returns = new HostReturns(spec -> { }, text -> notes.accept(text));
    private final Map<RemoteAgent, Host> coming = new HashMap<>();
    private HostJob job;
    private Output printed;
    private Runnable wake;

    /**
     * Hosts whose agents have joined.
     *
     * @param specs as their user names them, with slots
     * @param agents as many
     * @param server what the agents are connected to; closed at the end
     * @param starter what has started them; closed at the end
     */
    public JobHosts(List<HostSpec> specs, List<RemoteAgent> agents, AgentServer server, AgentStarter starter,
        MachineClock clock) {
        this.clock = clock;
        for (int i = 0; i < specs.size(); i++) {
            hosts.add(new Host(specs.get(i), agents.get(i)));
        }
        this.server = server;
        this.starter = starter;
        this.plannedRanks = new int[hosts.size()];
        this.plannedMembers = new int[hosts.size()];
        this.plannedProcesses = new int[hosts.size()];
    }

    /** Where people ask for something of the job, from the first call on; closed at the end. */
    public OperatorSocket operator() {
        return here.operator();
    }

    /** Who tells people what is good to know. Before {@link #open}. */
    public JobHosts telling(Consumer<String> told) {
        notes = told;
        return this;
    }

    /**
     * Further hosts may join while the job runs. Before {@link #open}.
     *
     * @param absent hosts that their user named, and that are not there
     */
    JobHosts joinedBy(Newcomers further, List<HostSpec> absent) {
        newcomers = further;
        absent.forEach(spec -> known.put(spec.name(), spec));
        hosts.forEach(host -> known.put(host.name(), host.spec()));
        return this;
    }

    /** As their user names them, lost ones too. */
    public List<HostSpec> specs() {
        return hosts.stream().map(Host::spec).toList();
    }

    /** All hosts, lost ones too; a view. */
    public List<Host> hosts() {
        return java.util.Collections.unmodifiableList(hosts);
    }

    /**
     * How the job chooses the number of the host for a process. Before {@link #open}.
     *
     * @param initial hosts of the first processes, which are started at once
     */
    public void placeBy(IntUnaryOperator chosen, int[] initial, JobOptions options) {
        choice = chosen;
        for (int process = 0; process < options.ranks() + options.checksums(); process++) {
            plannedMembers[initial[process]]++;
            plannedRanks[initial[process]] += process < options.ranks() ? 1 : 0;
        }
        for (int host : initial) {
            plannedProcesses[host]++;
        }
    }

    /**
     * How the job knows for how long a process was silent. Before {@link #open}.
     *
     * @param silence gives {@link Long#MAX_VALUE} for a process that was never heard
     */
    public void silenceBy(IntToLongFunction silence) {
        silentNanos = silence;
        hosts.forEach(host -> host.agent().silenceBy(silence));
    }

    /** The number of the host that a process was started on; -1: none. */
    public int hostOf(int process) {
        return hostOf.getOrDefault(process, -1);
    }

    @Override
    public String launcherAddress() {
        return server.address().getAddress().getHostAddress();
    }

    @Override
    public Token token() {
        return server.token();
    }

    /** As if all hosts were like the one with the least for each process. */
    @Override
    public HostRoom room() {
        int cores = 0;
        int slots = 0;
        long leastForOne = Long.MAX_VALUE;
        for (Host host : hosts) {
            cores += host.agent().room().cores();
            slots += host.slots();
            leastForOne = Math.min(leastForOne, host.agent().room().availableBytes() / Math.max(1, host.slots()));
        }
        return new HostRoom(cores, leastForOne * slots);
    }

    @Override
    public void open(HostJob asked, Listener hearer, Output output, Runnable wakeup) throws IOException {
        listener = hearer;
        here.watch(asked, output::note);
        job = asked.elsewhere();
        printed = output;
        wake = wakeup;
        tellCrowded();
        for (int i = 0; i < hosts.size(); i++) {
            RemoteAgent agent = hosts.get(i).agent();
            RankOptions options = job.options().sharing(new MemoryShare(hosts.get(i).name(), plannedRanks[i],
                plannedMembers[i] - plannedRanks[i], plannedProcesses[i] - plannedMembers[i]),
                agent.coresAmong(hosts.stream().map(Host::agent)));
            agent.countersTo(here.counters());
            agent.begin(job.with(options), hosts.get(i).heardBy(listener), output, wakeup);
        }
        awaitReady();
    }

    /** All get ready at the same time, and none hears nothing of the job meanwhile. */
    private void awaitReady() throws IOException {
        long deadline = clock.nanoTime() + OPEN_NANOS;
        while (true) {
            List<String> missing = new ArrayList<>();
            for (Host host : hosts) {
                host.agent().attend(clock.nanoTime());
                if (host.agent().whyNotOpen() != null) {
                    throw new IOException(host.agent().whyNotOpen());
                }
                if (!host.agent().isAnswered()) {
                    missing.add(host.name());
                }
            }
            if (missing.isEmpty()) {
                return;
            }
            if (clock.nanoTime() - deadline > 0) {
                throw new IOException("hosts that were not ready for the job after " + Units.time(OPEN_NANOS) + ": "
                    + String.join(", ", missing));
            }
            clock.park(this, LOOK_NANOS);
        }
    }

    @Override
    public void requireRoom(int processes, long leastBytes) {
        for (int i = 0; i < hosts.size(); i++) {
            long bytes = plannedProcesses[i] * leastBytes;
            long available = hosts.get(i).agent().room().availableBytes();
            if (bytes > available) {
                throw new FtrmaException(FtrmaException.Category.SETUP, "host " + hosts.get(i).name() + ": "
                    + plannedProcesses[i] + " processes need at least " + Units.bytes(bytes) + ", only "
                    + Units.bytes(available) + " is available: give it fewer slots, or reduce --ranks, --checksums or "
                    + "--spares");
            }
        }
    }

    private void tellCrowded() {
        List<String> crowded = new ArrayList<>();
        for (int i = 0; i < hosts.size(); i++) {
            int cores = hosts.get(i).agent().room().cores();
            if (plannedMembers[i] > cores) {
                crowded.add(hosts.get(i).name() + " (" + plannedMembers[i] + ", and " + cores + ")");
            }
        }
        if (!crowded.isEmpty()) {
            notes.accept("hosts with more ranks and checksum ranks than cores: " + String.join(", ", crowded)
                + "; they share the cores, and all ranks wait for the slowest");
        }
    }

    @Override
    public void start(int process) {
        int number = choice.applyAsInt(process);
        Host host = hosts.get(number);
        hostOf.put(process, number);
        host.start(process);
    }

    private HostAgent agentOf(int process) {
        Integer host = hostOf.get(process);
        return host == null ? null : hosts.get(host).agent();
    }

    @Override
    public void signal(int process, Signal signal) {
        HostAgent agent = agentOf(process);
        if (agent != null) {
            agent.signal(process, signal);
        }
    }

    @Override
    public ProcessVitals vitals(int process) {
        HostAgent agent = agentOf(process);
        return agent == null ? null : agent.vitals(process);
    }

    @Override
    public long hostSilentNanos(int process, long nowNanos) {
        Integer host = hostOf.get(process);
        return host == null ? 0 : hosts.get(host).agent().hostSilentNanos(nowNanos);
    }

    @Override
    public long nextNanos(long nowNanos) {
        return hosts.stream().mapToLong(host -> host.agent().nextNanos(nowNanos)).min().orElse(Long.MAX_VALUE);
    }

    @Override
    public void poll(long nowNanos) {
        hosts.forEach(host -> host.agent().poll(nowNanos));
        links.judge(hosts, nowNanos);
        returns.poll(name -> hosts.stream().noneMatch(host -> host.name().equals(name) && !host.isLost()));
        if (newcomers != null) {
            newcomers.poll(nowNanos, new Joining());
        }
    }

    @Override
    public boolean finishOutput(long timeoutNanos) {
        long deadline = clock.nanoTime() + timeoutNanos;
        boolean all = true;
        for (Host host : hosts) {
            all &= host.agent().finishOutput(Math.max(1, deadline - clock.nanoTime()));
        }
        return all;
    }

    @Override
    public List<Integer> killAll(long timeoutNanos) {
        long deadline = clock.nanoTime() + timeoutNanos;
        List<Integer> left = new ArrayList<>();
        hosts.forEach(host -> host.agent().askToKill(timeoutNanos)); // all at a time
        hosts.forEach(host -> left.addAll(host.agent().killAll(Math.max(1, deadline - clock.nanoTime()))));
        return left;
    }

    @Override
    public void close() {
        if (newcomers != null) {
            newcomers.close();
        }
        hosts.forEach(host -> host.agent().close());
        server.close();
        starter.close();
        here.close();
    }

    /** The host of a process fails on purpose, and comes back. */
    public void crash(int process) {
        Host host = hosts.get(hostOf.get(process));
        returns.lost(host.spec(), clock.nanoTime());
        host.agent().crash();
    }

    /** Whether all hosts that failed on purpose are there again, or will not be. */
    public boolean areBack() {
        return returns.areBack(clock.nanoTime());
    }

    /** How hosts are started again. Before {@link #open}. */
    JobHosts returningBy(HostReturns further) {
        returns = further;
        return this;
    }

    /** A process of a host has joined the job: its host can start processes. */
    public void joined(int process) {
        Integer host = hostOf.get(process);
        if (host != null) {
            hosts.get(host).joined();
        }
    }

    /** A process of a host ended before it had joined. */
    public void failedToStart(int process) {
        Integer host = hostOf.get(process);
        if (host != null) {
            hosts.get(host).failedToStart();
        }
    }

    /** Lets further hosts in. */
    private final class Joining implements Newcomers.Job {
        @Override
        public String objection(String name) {
            return hosts.stream().anyMatch(host -> host.name().equals(name) && !host.isLost()) ? "host " + name
                + " has an agent already; --name calls the further one something else" : null;
        }

        @Override
        public HostSpec known(String name) {
            return known.get(name);
        }

        @Override
        public void begin(HostSpec spec, RemoteAgent agent) {
            coming.keySet().removeIf(other -> other.lost() != null);
            Host host = new Host(spec, agent);
            agent.silenceBy(silentNanos);
            agent.countersTo(here.counters());
            agent.begin(job.with(job.options().sharing(new MemoryShare(spec.name(), 0, 0, 0), agent.room().cores())),
                host.heardBy(listener), printed, wake);
            coming.put(agent, host);
        }

        @Override
        public void joined(HostSpec spec, RemoteAgent agent) {
            hosts.add(coming.remove(agent));
            returns.joined(spec.name());
            listener.hostJoined(spec.name(), spec.slots());
        }
    }
}
