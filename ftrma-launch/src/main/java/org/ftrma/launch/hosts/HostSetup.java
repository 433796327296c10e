package org.ftrma.launch.hosts;

import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;
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
     * @param tokenFile where the secret is kept for agents that join later; null: nowhere
     */
    public record Settings(Start how, String shell, String ftrma, InetAddress advertise, int port, String device,
        long joinNanos, long hostTimeoutNanos, ClassPathDigest library, Path tokenFile) {
    }

    private final List<HostSpec> hosts;
    private final Settings settings;
    private final PrintStream err;
    private final PrintStream notes;
    private final BooleanSupplier isInterrupted;
    private final HostFacts[] facts;
    private final AgentLink[] links;
    private final boolean[] isAbsent;

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
        this.isAbsent = new boolean[hosts.size()];
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
            keepToken(server);
            startAll(server, starter);
            awaitAll(server, starter);
            List<HostSpec> sized = new ArrayList<>();
            List<RemoteAgent> agents = new ArrayList<>();
            for (int host = 0; host < facts.length; host++) {
                HostSpec spec = hosts.get(host);
                if (isAbsent[host]) {
                    continue;
                }
                String refusal = HostCheck.refusal(spec.name(), facts[host], settings.library());
                if (refusal != null) {
                    throw setup(refusal, null);
                }
                sized.add(spec.slots() > 0 ? spec : spec.withSlots(facts[host].slots() > 0 ? facts[host].slots()
                    : facts[host].room().cores()));
                agents.add(new RemoteAgent(spec.name(), facts[host], links[host], settings.hostTimeoutNanos()));
            }
            tellSameMachines();
            List<HostSpec> absent = IntStream.range(0, facts.length).filter(host -> isAbsent[host])
                .mapToObj(hosts::get).toList();
            return new JobHosts(sized, agents, server, starter).telling(this::tell).joinedBy(new Newcomers(server,
                settings.library(), settings.hostTimeoutNanos(), this::tell), absent)
                .returningBy(new HostReturns(spec -> startAgain(spec, server, starter), this::tell));
        } catch (RuntimeException e) {
            server.close();
            starter.close();
            throw e;
        }
    }

    private void keepToken(AgentServer server) {
        Path file = settings.tokenFile();
        if (file == null) {
            return;
        }
        try {
            server.keepTokenIn(file);
        } catch (IOException e) {
            throw setup("--token-file=" + file + ": cannot be written: " + e.getMessage() + " ("
                + e.getClass().getSimpleName() + "); name a file in a folder that you can write to", e);
        }
        tell("further hosts may join: " + settings.ftrma() + " agent --join " + server.address().getAddress()
            .getHostAddress() + ":" + server.address().getPort() + " --token-file " + file);
    }

    private void tell(String text) {
        notes.println("ftrma: " + text);
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
        while (isAnyMissing(host -> true)) {
            for (int host = 0; host < facts.length; host++) {
                if (isMissing(host)) {
                    look(server, starter, host);
                }
            }
            if (isInterrupted.getAsBoolean()) {
                throw new FtrmaException(FtrmaException.Category.FATAL, "interrupted while agents were awaited");
            }
            if (System.nanoTime() - deadline > 0) {
                if (!isAnyMissing(host -> !hosts.get(host).isSpare())) {
                    IntStream.range(0, facts.length).filter(this::isMissing).forEach(host -> leaveOut(host,
                        "no agent has joined from there within " + Units.time(settings.joinNanos())
                        + " (--start-timeout)"));
                    return;
                }
                throw setup(IntStream.range(0, facts.length).filter(this::isMissing)
                    .mapToObj(host -> hosts.get(host).name()).collect(Collectors.joining(", "))
                    + ": no agent has joined from there within " + Units.time(settings.joinNanos())
                    + " (--start-timeout); is " + server.address().getAddress().getHostAddress() + ":"
                    + server.address().getPort() + " reached from there? (--advertise names another address)", null);
            }
            LockSupport.parkNanos(this, LOOK_NANOS);
        }
    }

    private void startAgain(HostSpec spec, AgentServer server, AgentStarter starter) throws IOException {
        starter.start(spec, AgentStarter.line(settings.ftrma(), server.address(), AgentStarter.NO_NUMBER, spec,
            new AgentStarter.AgentLimits(settings.hostTimeoutNanos(), settings.device()), "-"), server.token());
    }

    private boolean isMissing(int host) {
        return facts[host] == null && !isAbsent[host];
    }

    private boolean isAnyMissing(IntPredicate which) {
        return IntStream.range(0, facts.length).filter(which).anyMatch(this::isMissing);
    }

    /** A spare host may come later. */
    private void leaveOut(int host, String why) {
        isAbsent[host] = true;
        tell("spare host " + hosts.get(host).name() + ": " + why
            + "; the job begins without it, and its agent may join later");
    }

    private void look(AgentServer server, AgentStarter starter, int host) {
        HostSpec spec = hosts.get(host);
        AgentLink link = server.joined(host);
        if (link == null) {
            Integer status = settings.how() == Start.MANUAL ? null : starter.status(host);
            if (status != null && spec.isSpare()) {
                leaveOut(host, "'" + settings.shell() + " " + spec.name() + " ...' ended with status " + status
                    + " before an agent had joined");
            } else if (status != null) {
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

    private void tellSameMachines() {
        for (int host = 0; host < facts.length; host++) {
            for (int other = 0; other < host; other++) {
                if (facts[host] != null && facts[other] != null
                    && facts[host].kernel().equals(facts[other].kernel())) {
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
