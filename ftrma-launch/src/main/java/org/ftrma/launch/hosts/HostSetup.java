package org.ftrma.launch.hosts;

import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.ftrma.FtrmaException;
import org.ftrma.launch.agent.AgentLink;
import org.ftrma.launch.agent.AgentLoop;
import org.ftrma.launch.agent.HostFacts;
import org.ftrma.launch.agent.RemoteAgent;
import org.ftrma.options.ShellLine;
import org.ftrma.options.Units;
import org.ftrma.rank.control.MachineClock;
import org.ftrma.rank.control.Token;
import org.ftrma.rank.program.ClassPathDigest;

/**
 * Gets the hosts of a job ready: starts their agents all at a time, waits until each has joined, and compares what they
 * say of themselves with what the launcher is. What does not fit is told by host, value and fix. One thread.
 */
public final class HostSetup {
    private static final long LOOK_NANOS = 2_000_000;
    /** What ssh ends with when it has not begun the command. */
    private static final int NOT_LET_IN = 255;
    /** A shell's status where a command is no program, or is not there. */
    private static final List<Integer> NO_COMMAND = List.of(126, 127);

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
     * @param library what the places of the launcher's library hold
     * @param tokenFile where the secret is kept for agents that join later; null: nowhere
     * @param flush the directory that the job writes to, as its user named it; null: none
     */
    public record Settings(Start how, String program, String ftrma, InetAddress advertise, int port, String device,
        long joinNanos, long hostTimeoutNanos, ClassPathDigest library, Path tokenFile, String flush) {
    }

    private final List<HostSpec> hosts;
    private final Settings settings;
    private final PrintStream err;
    private final PrintStream notes;
    private final BooleanSupplier isInterrupted;
    private final MachineClock clock;
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
        BooleanSupplier isInterrupted, MachineClock clock) {
        this.clock = clock;
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
            AgentLoop.beatNanos(settings.hostTimeoutNanos()),
            why -> err.println("ftrma: a connection to the port for agents was dropped: " + why), clock);
        AgentStarter starter = new AgentStarter(err, clock);
        try {
            keepToken(server);
            startAll(server, starter);
            awaitAll(server, starter);
            List<HostSpec> sized = new ArrayList<>();
            List<RemoteAgent> agents = new ArrayList<>();
            List<List<String>> switches = new ArrayList<>();
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
                switches.add(facts[host].switches());
                agents.add(new RemoteAgent(spec.name(), facts[host], links[host], settings.hostTimeoutNanos(),
                    clock));
            }
            tellSameMachines();
            List<HostSpec> absent = IntStream.range(0, facts.length).filter(host -> isAbsent[host])
                .mapToObj(hosts::get).toList();
            Newcomers newcomers = new Newcomers(server, settings.library(), settings.hostTimeoutNanos(),
                settings.flush(), this::tell, clock);
            return new JobHosts(HostTopology.with(sized, switches), agents, server, starter, clock).telling(this::tell)
                .joinedBy(newcomers, absent)
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
        } catch (FileAlreadyExistsException e) {
            throw setup("--token-file=" + file + ": there is such a file already, which holds no secret of a job; name "
                + "one that is not there, or remove it", e);
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
        AgentLines.Job job = job(server);
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
            start(starter, spec.name(), started(spec, AgentLines.one(job, host, spec, "-")), server.token());
        }
    }

    private AgentLines.Job job(AgentServer server) {
        return new AgentLines.Job(settings.ftrma(), server.address(), settings.hostTimeoutNanos(), settings.device());
    }

    /** What starts the agent of one host. */
    private List<String> started(HostSpec spec, List<String> agent) {
        return settings.how() == Start.MPI ? AgentLines.mpirun(settings.program(), spec, agent)
            : AgentLines.shell(settings.program(), spec, agent);
    }

    /** The same for people. */
    private String starterOf(HostSpec spec) {
        return "'" + (settings.how() == Start.SLURM ? "srun" : settings.program()
            + (settings.how() == Start.MPI ? " --host " : " ") + spec.name()) + " ...'";
    }

    private void tellLines(AgentServer server, AgentLines.Job job) {
        notes.println("ftrma: waiting for " + hosts.size() + " agents; their secret is this line, for a file that"
            + " only you can read:");
        notes.println(server.token().text());
        for (int host = 0; host < hosts.size(); host++) {
            notes.println("ftrma: on " + hosts.get(host).name() + ": "
                + ShellLine.of(AgentLines.one(job, host, hosts.get(host), "FILE")));
        }
        notes.println("ftrma: or on all of them, by what starts a command there, such as mpirun: "
            + ShellLine.of(AgentLines.any(job, hosts, "FILE")));
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

    /** What to try where a remote shell was not let in: nobody answers what it asks. Or where there is no command. */
    private String trial(HostSpec spec, int status) {
        if (NO_COMMAND.contains(status)) {
            return "; is " + settings.ftrma() + " a command there? (--remote-ftrma names the one of other hosts)";
        }
        return settings.how() != Start.SSH || status != NOT_LET_IN ? ""
            : "; this must work without a question: " + settings.program() + " " + spec.name() + " true";
    }

    private void awaitAll(AgentServer server, AgentStarter starter) {
        long deadline = clock.nanoTime() + settings.joinNanos();
        while (isAnyMissing(host -> true)) {
            for (int host = 0; host < facts.length; host++) {
                if (isMissing(host)) {
                    look(server, starter, host);
                }
            }
            if (isInterrupted.getAsBoolean()) {
                throw new FtrmaException(FtrmaException.Category.FATAL, "interrupted while agents were awaited");
            }
            if (clock.nanoTime() - deadline > 0) {
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
            clock.park(this, LOOK_NANOS);
        }
    }

    private void startAgain(HostSpec spec, AgentServer server, AgentStarter starter) throws IOException {
        List<String> agent = AgentLines.further(job(server), spec, "-");
        starter.start(spec.name(), settings.how() == Start.SLURM ? AgentLines.step(List.of(spec), agent)
            : started(spec, agent), server.token());
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
            Integer status = settings.how() == Start.MANUAL ? null
                : starter.status(settings.how() == Start.SLURM ? 0 : host);
            if (status != null && spec.isSpare()) {
                leaveOut(host, starterOf(spec) + " ended with status " + status + " before an agent had joined");
            } else if (status != null) {
                throw setup("host " + spec.name() + ": " + starterOf(spec) + " ended with status " + status
                    + " before an agent had joined (its output above tells more)" + trial(spec, status), null);
            }
            return;
        }
        try {
            facts[host] = link.facts();
            links[host] = link;
        } catch (IOException e) {
            throw setup("host " + spec.name() + ": its agent cannot be understood: " + e.getMessage(), e);
        }
        if (facts[host] == null && link.whyOver() != null) {
            throw setup("host " + spec.name() + ": its agent is gone: " + link.whyOver(), null);
        }
    }

    private void tellSameMachines() {
        Map<String, List<String>> machines = new LinkedHashMap<>();
        for (int host = 0; host < facts.length; host++) {
            if (facts[host] != null) {
                machines.computeIfAbsent(facts[host].kernel(), kernel -> new ArrayList<>()).add(hosts.get(host).name());
            }
        }
        for (List<String> same : machines.values()) {
            if (same.size() > 1) {
                notes.println("ftrma: hosts " + String.join(", ", same.subList(0, same.size() - 1)) + " and "
                    + same.getLast() + " are one machine: what takes it down takes "
                    + (same.size() == 2 ? "both" : "all of them"));
            }
        }
    }

    private static FtrmaException setup(String text, Exception why) {
        return new FtrmaException(FtrmaException.Category.SETUP, text, why);
    }
}
