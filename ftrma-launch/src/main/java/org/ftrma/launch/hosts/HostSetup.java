package org.ftrma.launch.hosts;

import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.ftrma.FtrmaException;
import org.ftrma.launch.agent.AgentLink;
import org.ftrma.launch.agent.HostFacts;
import org.ftrma.launch.agent.RemoteAgent;
import org.ftrma.options.Units;
import org.ftrma.rank.control.Token;

/**
 * Gets the hosts of a job ready: starts their agents all at a time, waits until each has joined, and compares what they
 * say of themselves with what the launcher is. What does not fit is told by host, value and fix. One thread.
 */
public final class HostSetup {
    private static final long LOOK_NANOS = 2_000_000;
    private static final int BEATS_OF_TIMEOUT = 5;

    /**
     * What is the same for all hosts.
     *
     * @param how how agents are started
     * @param program for {@link Start#SSH} the shell, for {@link Start#MPI} the mpirun, and its first arguments
     * @param ftrma the command on each host
     * @param advertise the address of this host that the others reach
     * @param port where agents connect to; 0: any
     * @param device the network device of processes; null: the one by which a host reaches the launcher
     * @param joinNanos so long each agent may take to join
     * @param hostTimeoutNanos so long a host may be silent
     * @param library the digest of the launcher's library
     */
    public record Settings(Start how, String program, String ftrma, InetAddress advertise, int port, String device,
        long joinNanos, long hostTimeoutNanos, String library) {
    }

    private final List<HostSpec> hosts;
    private final Settings settings;
    private final PrintStream err;
    private final PrintStream notes;
    private final BooleanSupplier isInterrupted;
    private final HostFacts[] facts;
    private final AgentLink[] links;

    /**
     * For one job.
     *
     * @param err where the output of agents goes
     * @param notes where people are told what happens
     * @param isInterrupted whether the job is to end already
     */
    public HostSetup(List<HostSpec> hosts, Settings settings, PrintStream err, PrintStream notes,
        BooleanSupplier isInterrupted) {
        this.hosts = hosts;
        this.settings = settings;
        this.err = err;
        this.notes = notes;
        this.isInterrupted = isInterrupted;
        this.facts = new HostFacts[hosts.size()];
        this.links = new AgentLink[hosts.size()];
    }

    /**
     * Returns when all agents have joined.
     *
     * @throws FtrmaException of category SETUP if one does not, or does not fit
     */
    public JobHosts open() {
        AgentServer server = new AgentServer(settings.advertise(), settings.port(), hosts.size(),
            settings.hostTimeoutNanos() / BEATS_OF_TIMEOUT,
            why -> err.println("ftrma: a connection to the port for agents was dropped: " + why));
        AgentStarter starter = new AgentStarter(err);
        try {
            startAll(server, starter);
            awaitAll(server, starter);
            List<HostSpec> sized = new ArrayList<>();
            List<RemoteAgent> agents = new ArrayList<>();
            List<HostSpec> placed = HostTopology.with(hosts, Stream.of(facts).map(HostFacts::switches).toList());
            for (int host = 0; host < facts.length; host++) {
                HostSpec spec = placed.get(host);
                check(spec, facts[host]);
                sized.add(spec.slots() > 0 ? spec : spec.withSlots(facts[host].room().cores()));
                agents.add(new RemoteAgent(spec.name(), facts[host], links[host], settings.hostTimeoutNanos()));
            }
            tellSameMachines();
            return new JobHosts(sized, agents, server, starter);
        } catch (RuntimeException e) {
            server.close();
            starter.close();
            throw e;
        }
    }

    private void startAll(AgentServer server, AgentStarter starter) {
        AgentLines.Job job = new AgentLines.Job(settings.ftrma(), server.address(), settings.hostTimeoutNanos(),
            settings.device());
        if (settings.how() == Start.MANUAL) {
            tellLines(server, job);
            return;
        }
        if (settings.how() == Start.SLURM) {
            start(starter, "srun", AgentLines.step(hosts, AgentLines.any(job, hosts, "-")), server.token());
            return;
        }
        for (int host = 0; host < hosts.size(); host++) {
            HostSpec spec = hosts.get(host);
            List<String> agent = AgentLines.one(job, host, spec, "-");
            start(starter, spec.name(), settings.how() == Start.MPI
                ? AgentLines.mpirun(settings.program(), spec, agent)
                : AgentLines.shell(settings.program(), spec, agent), server.token());
        }
    }

    private void tellLines(AgentServer server, AgentLines.Job job) {
        notes.println("ftrma: waiting for " + hosts.size() + " agents; their secret is this line, for a file that"
            + " only you can read:");
        notes.println(server.token().text());
        for (int host = 0; host < hosts.size(); host++) {
            notes.println("ftrma: on " + hosts.get(host).name() + ": "
                + AgentLines.quoted(AgentLines.one(job, host, hosts.get(host), "FILE")));
        }
        notes.println("ftrma: or on all of them, by what starts a command there, such as mpirun: "
            + AgentLines.quoted(AgentLines.any(job, hosts, "FILE")));
    }

    private void start(AgentStarter starter, String name, List<String> command, Token token) {
        try {
            starter.start(name, command, token);
        } catch (IOException e) {
            throw setup("cannot start " + (settings.how() == Start.SLURM ? "agents" : "the agent of host " + name)
                + ": " + e.getMessage() + fix(), e);
        }
    }

    /** What helps where agents cannot be started. */
    private String fix() {
        return switch (settings.how()) {
            case MPI -> "; --mpirun names the program that starts processes on other hosts (now: "
                + settings.program() + ")";
            case SLURM -> "; is Slurm's srun on the PATH? (--start ssh does without)";
            default -> "; --shell names the program that starts commands on other hosts (now: " + settings.program()
                + ")";
        };
    }

    private void awaitAll(AgentServer server, AgentStarter starter) {
        long deadline = System.nanoTime() + settings.joinNanos();
        while (Arrays.asList(facts).contains(null)) {
            for (int host = 0; host < facts.length; host++) {
                if (facts[host] == null) {
                    look(server, starter, host);
                }
            }
            if (isInterrupted.getAsBoolean()) {
                throw new FtrmaException(FtrmaException.Category.FATAL, "interrupted while agents were awaited");
            }
            if (System.nanoTime() - deadline > 0) {
                throw setup(IntStream.range(0, facts.length).filter(host -> facts[host] == null)
                    .mapToObj(host -> hosts.get(host).name()).collect(Collectors.joining(", "))
                    + ": no agent has joined from there within " + Units.time(settings.joinNanos())
                    + " (--start-timeout); is " + server.address().getAddress().getHostAddress() + ":"
                    + server.address().getPort() + " reached from there? (--advertise names another address)", null);
            }
            LockSupport.parkNanos(this, LOOK_NANOS);
        }
    }

    private void look(AgentServer server, AgentStarter starter, int host) {
        HostSpec spec = hosts.get(host);
        AgentLink link = server.joined(host);
        if (link == null) {
            boolean isOneForAll = settings.how() == Start.SLURM;
            Integer status = starter.status(isOneForAll ? 0 : host);
            if (status != null) {
                throw setup("host " + spec.name() + ": '" + (isOneForAll ? "srun" : settings.program() + " "
                    + (settings.how() == Start.MPI ? "--host " : "") + spec.name()) + " ...' ended with status "
                    + status + " before an agent had joined (its output above tells more)", null);
            }
            return;
        }
        try {
            facts[host] = RemoteAgent.facts(link);
            links[host] = link;
        } catch (IOException e) {
            throw setup("host " + spec.name() + ": its agent cannot be understood: " + e.getMessage(), e);
        }
        if (facts[host] == null && link.whyOver() != null) {
            throw setup("host " + spec.name() + ": its agent is gone: " + link.whyOver(), null);
        }
    }

    private void check(HostSpec spec, HostFacts told) {
        String jdk = System.getProperty("java.runtime.version");
        if (!told.jdk().equals(jdk)) {
            throw setup("host " + spec.name() + " has JDK " + told.jdk() + ", and this one " + jdk
                + ": all hosts need the same one (JAVA_HOME there)", null);
        }
        if (!told.library().equals(settings.library())) {
            throw setup("host " + spec.name() + " has another build of ftRMA (" + told.library() + ") than this one ("
                + settings.library() + "): copy it there, or share the folder", null);
        }
    }

    private void tellSameMachines() {
        for (int host = 0; host < facts.length; host++) {
            for (int other = 0; other < host; other++) {
                if (facts[host].kernel().equals(facts[other].kernel())) {
                    notes.println("ftrma: hosts " + hosts.get(other).name() + " and " + hosts.get(host).name()
                        + " are one machine: what takes it down takes both");
                    return;
                }
            }
        }
    }

    private static FtrmaException setup(String text, Exception why) {
        return new FtrmaException(FtrmaException.Category.SETUP, text, why);
    }
}
