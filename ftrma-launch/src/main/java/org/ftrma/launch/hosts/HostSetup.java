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
import org.ftrma.FtrmaException;
import org.ftrma.launch.agent.AgentLink;
import org.ftrma.launch.agent.HostFacts;
import org.ftrma.launch.agent.RemoteAgent;
import org.ftrma.options.Units;
import org.ftrma.rank.program.ClassPathDigest;

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
     * @param shell for {@link Start#SSH}: the program, and its first arguments
     * @param ftrma the command on each host
     * @param advertise the address of this host that the others reach
     * @param port where agents connect to; 0: any
     * @param device the network device of processes; null: the one by which a host reaches the launcher
     * @param joinNanos so long each agent may take to join
     * @param hostTimeoutNanos so long a host may be silent
     * @param library what the places of the launcher's library hold
     */
    public record Settings(Start how, String shell, String ftrma, InetAddress advertise, int port, String device,
        long joinNanos, long hostTimeoutNanos, ClassPathDigest library) {
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
        AgentStarter starter = new AgentStarter(settings.shell(), err);
        try {
            startAll(server, starter);
            awaitAll(server, starter);
            List<HostSpec> sized = new ArrayList<>();
            List<RemoteAgent> agents = new ArrayList<>();
            for (int host = 0; host < facts.length; host++) {
                HostSpec spec = hosts.get(host);
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
        AgentStarter.AgentLimits limits = new AgentStarter.AgentLimits(settings.hostTimeoutNanos(), settings.device());
        if (settings.how() == Start.MANUAL) {
            notes.println("ftrma: waiting for " + hosts.size() + " agents; their secret is this line, for a file that"
                + " only you can read:");
            notes.println(server.token().text());
        }
        for (int host = 0; host < hosts.size(); host++) {
            HostSpec spec = hosts.get(host);
            if (settings.how() == Start.MANUAL) {
                notes.println("ftrma: on " + spec.name() + ": " + AgentStarter.line(settings.ftrma(), server.address(),
                    host, spec, limits, "FILE"));
                continue;
            }
            try {
                starter.start(spec, AgentStarter.line(settings.ftrma(), server.address(), host, spec, limits, "-"),
                    server.token());
            } catch (IOException e) {
                throw setup("cannot start the agent of host " + spec.name() + ": " + e.getMessage()
                    + "; --shell names the program that starts commands on other hosts (now: " + settings.shell()
                    + ")", e);
            }
        }
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
            Integer status = settings.how() == Start.MANUAL ? null : starter.status(host);
            if (status != null) {
                throw setup("host " + spec.name() + ": '" + settings.shell() + " " + spec.name()
                    + " ...' ended with status " + status + " before an agent had joined (its output above tells more)",
                    null);
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
        String other = otherBuild(told.library(), settings.library());
        if (other != null) {
            throw setup("host " + spec.name() + " has another build of ftRMA than this one: " + other
                + "; copy it there, or share the folder", null);
        }
    }

    /** How the library of a host differs from that of this one, wherever both are; null: it does not. */
    private static String otherBuild(ClassPathDigest there, ClassPathDigest here) {
        if (there.places().size() != here.places().size()) {
            return "it is in " + there.places().size() + " places there (" + there.classPath() + "), and in "
                + here.places().size() + " here (" + here.classPath() + ")";
        }
        List<ClassPathDigest.Difference> found = here.differences(there.inPlacesOf(here));
        return found.isEmpty() ? null : found.getFirst() + (found.size() > 1 ? ", and " + (found.size() - 1) + " more"
            : "");
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
