package org.ftrma.launch.hosts;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToLongFunction;
import java.util.function.IntUnaryOperator;
import org.ftrma.FtrmaException;
import org.ftrma.MisuseException;
import org.ftrma.launch.agent.HostAgent;
import org.ftrma.launch.agent.HostJob;
import org.ftrma.launch.agent.HostRoom;
import org.ftrma.launch.agent.ProcessVitals;
import org.ftrma.launch.agent.RemoteAgent;
import org.ftrma.launch.agent.Watchdog;
import org.ftrma.options.JobOptions;
import org.ftrma.rank.control.RankOptions;
import org.ftrma.rank.control.Token;

/**
 * The agents of all hosts of a job as one: each process goes to the host that the job chooses for it, and what is asked
 * of it goes there. The job's thread only.
 */
public final class JobHosts implements HostAgent {
    /** One host. */
    public static final class Host {
        private final HostSpec spec;
        private final RemoteAgent agent;
        private int processes;
        private int failedStarts;
        private String leaving;

        Host(HostSpec spec, RemoteAgent agent) {
            this.spec = spec;
            this.agent = agent;
        }

        /** How its user calls it. */
        public String name() {
            return spec.name();
        }

        /** Processes that it is to run at a time. */
        public int slots() {
            return spec.slots();
        }

        /** Whether it runs processes only when another host does not. */
        public boolean isSpare() {
            return spec.isSpare();
        }

        /** Slots that no process has. */
        public int freeSlots() {
            return spec.slots() - processes;
        }

        /** Whether nothing is known of it any more. */
        public boolean isLost() {
            return agent.lost() != null;
        }

        /** Why it is to be left, by the word of its agent or of somebody here; null: it is not. */
        public String leaving() {
            return leaving != null ? leaving : agent.leaving();
        }

        /** It is to be left. */
        public void leaving(String why) {
            leaving = why;
        }

        /** It is not to be left. */
        public void stay() {
            leaving = null;
            agent.stay();
        }

        /** Nothing runs there any more: its agent ends. */
        public void leave() {
            agent.leave();
        }

        /** Processes that run there, or are being started. */
        public int processes() {
            return processes;
        }

        /** Why no process is to go there any more; null: it may. */
        public String closed() {
            if (agent.lost() != null) {
                return "lost: " + agent.lost();
            }
            if (leaving() != null) {
                return "to be left: " + leaving();
            }
            return failedStarts < MAX_FAILED_STARTS ? null
                : "set aside: " + failedStarts + " processes in a row ended there before they had joined";
        }
    }

    /** A host where so many starts failed in a row is used no more. */
    private static final int MAX_FAILED_STARTS = 3;

    private final List<Host> hosts = new ArrayList<>();
    private OperatorSocket operator;
    private final AgentServer server;
    private final AgentStarter starter;
    private final Map<Integer, Integer> hostOf = new HashMap<>();
    private IntUnaryOperator choice;
    /** Of each host: computing ranks that begin there, and these with checksum ranks. */
    private final int[] plannedRanks;
    private final int[] plannedMembers;
    private Listener listener;
    private Watchdog watchdog;

    /**
     * Hosts whose agents have joined.
     *
     * @param specs as their user names them, with slots
     * @param agents as many
     * @param server what the agents are connected to; closed at the end
     * @param starter what has started them; closed at the end
     */
    public JobHosts(List<HostSpec> specs, List<RemoteAgent> agents, AgentServer server, AgentStarter starter) {
        for (int i = 0; i < specs.size(); i++) {
            hosts.add(new Host(specs.get(i), agents.get(i)));
        }
        this.server = server;
        this.starter = starter;
        this.plannedRanks = new int[hosts.size()];
        this.plannedMembers = new int[hosts.size()];
    }

    /** Refuses more members than there are slots. */
    public void checkSlots(JobOptions options, boolean mayOversubscribe) {
        int slots = hosts.stream().filter(host -> !host.isSpare()).mapToInt(Host::slots).sum();
        int spare = hosts.stream().filter(Host::isSpare).mapToInt(Host::slots).sum();
        int members = options.ranks() + options.checksums();
        if (members > slots && !mayOversubscribe) {
            throw new MisuseException("--ranks=" + options.ranks() + " and --checksums=" + options.checksums() + " are "
                + members + " processes, and the hosts have " + slots + " slots" + (spare > 0 ? " (and " + spare
                + " on spare hosts)" : "") + "; name more hosts or slots, or add --oversubscribe");
        }
    }

    /**
     * Finds out whether all hosts see the same directory as this one. Before {@link #open}.
     *
     * @param option how its user named it
     * @throws FtrmaException if one does not, with its name and the fix
     */
    public void checkShared(SharedDirectory directory, String option) {
        hosts.forEach(host -> host.agent.probe(directory.file(), directory.digest(), directory.answer(host.name())));
        for (Host host : hosts) {
            String why = host.agent.whyNotShared(directory.answer(host.name()));
            if (why != null) {
                throw new FtrmaException(FtrmaException.Category.SETUP, "host " + host.name()
                    + " does not share the directory of " + option + " with this one: " + why
                    + "; it must be on a file system that all hosts have in the same place");
            }
        }
    }

    /** Where people ask for something of the job, from the first call on; closed at the end. */
    public OperatorSocket operator() {
        operator = operator == null ? new OperatorSocket() : operator;
        return operator;
    }

    /** As their user names them, lost ones too. */
    public List<HostSpec> specs() {
        return hosts.stream().map(host -> host.spec).toList();
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
    }

    /**
     * How the job knows for how long a process was silent. Before {@link #open}.
     *
     * @param silence gives {@link Long#MAX_VALUE} for a process that was never heard
     */
    public void silenceBy(IntToLongFunction silence) {
        hosts.forEach(host -> host.agent.silenceBy(silence));
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
            cores += host.agent.room().cores();
            slots += host.spec.slots();
            leastForOne = Math.min(leastForOne, host.agent.room().availableBytes() / Math.max(1, host.spec.slots()));
        }
        return new HostRoom(cores, leastForOne * slots);
    }

    @Override
    public void open(HostJob job, Listener hearer, Output output, Runnable wakeup) throws IOException {
        listener = hearer;
        if (!job.places().isEmpty()) {
            // A host that is lost must not take away what the others still write to.
            watchdog = new Watchdog(job.places().stream().map(Path::of).toList());
        }
        for (int i = 0; i < hosts.size(); i++) {
            HostAgent agent = hosts.get(i).agent;
            RankOptions options = job.options().sharing(plannedRanks[i], plannedMembers[i], agent.room().cores());
            agent.open(job.elsewhere().with(options), new Hearer(hosts.get(i)), output, wakeup);
        }
    }

    @Override
    public void start(int process) {
        int number = choice.applyAsInt(process);
        Host host = hosts.get(number);
        hostOf.put(process, number);
        host.processes++;
        host.agent.start(process);
    }

    private HostAgent agentOf(int process) {
        Integer host = hostOf.get(process);
        return host == null ? null : hosts.get(host).agent;
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
    public long nextNanos(long nowNanos) {
        return hosts.stream().mapToLong(host -> host.agent.nextNanos(nowNanos)).min().orElse(Long.MAX_VALUE);
    }

    @Override
    public void poll(long nowNanos) {
        hosts.forEach(host -> host.agent.poll(nowNanos));
    }

    @Override
    public boolean finishOutput(long timeoutNanos) {
        long deadline = System.nanoTime() + timeoutNanos;
        boolean all = true;
        for (Host host : hosts) {
            all &= host.agent.finishOutput(Math.max(1, deadline - System.nanoTime()));
        }
        return all;
    }

    @Override
    public List<Integer> killAll(long timeoutNanos) {
        long deadline = System.nanoTime() + timeoutNanos;
        List<Integer> left = new ArrayList<>();
        hosts.forEach(host -> host.agent.askToKill(timeoutNanos)); // all at a time
        hosts.forEach(host -> left.addAll(host.agent.killAll(Math.max(1, deadline - System.nanoTime()))));
        return left;
    }

    @Override
    public void close() {
        hosts.forEach(host -> host.agent.close());
        if (operator != null) {
            operator.close();
        }
        server.close();
        starter.close();
        if (watchdog != null) {
            watchdog.close();
        }
    }

    /** A process of a host has joined the job: its host can start processes. */
    public void joined(int process) {
        Integer host = hostOf.get(process);
        if (host != null) {
            hosts.get(host).failedStarts = 0;
        }
    }

    /** A process of a host ended before it had joined. */
    public void failedToStart(int process) {
        Integer host = hostOf.get(process);
        if (host != null) {
            hosts.get(host).failedStarts++;
        }
    }

    /** Hears of one host. */
    private final class Hearer implements Listener {
        private final Host host;

        Hearer(Host host) {
            this.host = host;
        }

        @Override
        public void started(int process, long pid) {
            listener.started(process, pid);
        }

        @Override
        public void notStarted(int process, String why) {
            host.processes--;
            listener.notStarted(process, why);
        }

        @Override
        public void dead(Death death) {
            host.processes--;
            listener.dead(death);
        }

        @Override
        public void hostLost(String name, String why) {
            listener.hostLost(name, why);
        }
    }
}
