package org.ftrma.testkit;

import java.io.Serializable;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.ftrma.MisuseException;
import org.ftrma.core.membership.JobGroups;
import org.ftrma.options.JobOption;
import org.ftrma.options.JobOptions;
import org.ftrma.options.ShellLine;
import org.ftrma.testkit.bugs.BrokenProtocol;
import org.ftrma.testkit.bugs.ProtocolBugs;
import org.ftrma.testkit.programs.Programs;
import org.ftrma.testkit.programs.SimProgram;

/**
 * Simulated jobs by name and number: what the {@code simulate} command offers. Set what differs from the defaults, then
 * call {@link #replay},
 * {@link #singles} or {@link #pairs}. One thread; the runs themselves use all processors.
 */
public final class Simulation implements Serializable {
    /** What a command that replays a run says in any case. */
    private static final Set<SimulateOption> TOLD = EnumSet.of(SimulateOption.RANKS, SimulateOption.CHECKSUMS,
        SimulateOption.SPARES, SimulateOption.INTERVAL, SimulateOption.PROTOCOL);
    private static final Set<SimulateOption> OF_NODES = EnumSet.of(SimulateOption.NODES, SimulateOption.AWARE);
    private static final long SHORT_RUN_STEPS = 400_000;
    /** So much longer may a run of ranks that poll be. */
    private static final long POLLED_TIMES = 4;
    /** Accesses that are under way for a while take several steps. */
    private static final long UNDER_WAY_TIMES = 3;
    private static final long STEPS_PER_MEMBER_AND_STEP = 10_000;

    /** The job's, those of the simulate command with its defaults. */
    private final Map<JobOption, String> options = new EnumMap<>(Map.of(JobOption.DEADLINE, "40s"));
    private String program = SimulateOption.PROGRAM.defaultText();
    private long steps = SimulateOption.STEPS.number(SimulateOption.STEPS.defaultText());
    private long seed = 1;
    private long stepLimit;
    private int hosts;
    private List<Crash> crashes = List.of();
    private Set<String> faults = Set.of();
    private long failuresWanted = Long.MAX_VALUE;
    private SimProgram own;
    private transient Consumer<String> progress = text -> { };

    /** A job as the command simulates it where no option is given. */
    public Simulation() {
        for (SimulateOption option : SimulateOption.values()) {
            if (option.job() != null) {
                options.put(option.job(), option.defaultText());
            }
        }
    }

    /**
     * Sets an option of the job.
     *
     * @throws MisuseException with the option, the value and what is allowed
     */
    public Simulation set(JobOption option, Object value) {
        option.number(value.toString());
        options.put(option, value.toString());
        return this;
    }

    /** The program, by its name in {@link Programs}. */
    public Simulation program(String name) {
        Programs.byName(name, 1);
        program = name;
        return this;
    }

    /** A program of the caller's own. */
    public Simulation program(SimProgram given) {
        own = given;
        program = given.name();
        return this;
    }

    /** Computing ranks. */
    public Simulation ranks(int count) {
        return set(JobOption.RANKS, count);
    }

    /** Checksum ranks. */
    public Simulation checksums(int count) {
        return set(JobOption.CHECKSUMS, count);
    }

    /** Losses that each group survives, and its checksum ranks. */
    public Simulation losses(int count) {
        return set(JobOption.LOSSES, count);
    }

    /** Spare processes. */
    public Simulation spares(int count) {
        return set(JobOption.SPARES, count);
    }

    /** Simulated nodes, 0 for none, and the level at which groups are kept apart, as the job options. */
    public Simulation nodes(int count, String awareLevel) {
        return set(JobOption.NODES, count).set(JobOption.AWARE, awareLevel);
    }

    /** A machine as the text of a topology, or none. */
    public Simulation topology(String text) {
        return set(JobOption.TOPOLOGY, text);
    }

    /** So many hosts, each with the members of a node. */
    public Simulation hosts(int count) {
        hosts = count;
        return nodes(count, "node");
    }

    int hosts() {
        return hosts;
    }

    /** Steps of the program. */
    public Simulation steps(long count) {
        steps = SimulateOption.STEPS.number(Long.toString(count));
        return this;
    }

    /** The checkpoint interval, as the job option. */
    public Simulation interval(String text) {
        return set(JobOption.INTERVAL, text);
    }

    /** The protocol, as the job option. */
    public Simulation protocol(String text) {
        return set(JobOption.PROTOCOL, text);
    }

    /** The path, as the job option: with logging, accesses take effect at once unless the network is forced. */
    public Simulation path(String text) {
        return set(JobOption.PATH, text);
    }

    /** Demand checkpoints, as the job option. */
    public Simulation demand(String text) {
        return set(JobOption.DEMAND, text);
    }

    /** From how many percent of the log budget in use on demand checkpoints are asked for. */
    public Simulation logLow(int percent) {
        return set(JobOption.LOG_LOW, percent);
    }

    /** What is done where logs do not fit, as the job option. */
    public Simulation logOverflow(String text) {
        return set(JobOption.LOG_OVERFLOW, text);
    }

    /** The log budget, as the job option. */
    public Simulation logBudget(String text) {
        return set(JobOption.LOG_BUDGET, text);
    }

    /** The seed of the only or first run. */
    public Simulation seed(long number) {
        seed = number;
        return this;
    }

    /** The crashes of a replay, as {@link Crash#parse} takes them. */
    public Simulation crashes(String text) {
        crashes = Crash.parse(text);
        return this;
    }

    /** Bugs to inject into the runs, of {@link ProtocolBugs}. */
    public Simulation faults(Set<String> injected) {
        faults = new TreeSet<>(injected);
        return this;
    }

    /** Enumerations end when so many of their runs have failed. */
    Simulation until(long failures) {
        failuresWanted = failures;
        return this;
    }

    long failuresWanted() {
        return failuresWanted;
    }

    /** Where to tell how far a long enumeration is; from any thread. */
    public Simulation progress(Consumer<String> listener) {
        progress = listener;
        return this;
    }

    /** The bound on the scheduler's steps of one run; without it, one that fits the program. */
    public Simulation stepLimit(long limit) {
        stepLimit = limit;
        return this;
    }

    /** The command that replays a run of this simulation. */
    public String command(long ofSeed, List<Crash> ofCrashes) {
        StringBuilder command = new StringBuilder("./ftrma simulate");
        append(command, SimulateOption.PROGRAM, program);
        for (SimulateOption option : SimulateOption.values()) {
            if (option == SimulateOption.STEPS) {
                append(command, option, Long.toString(steps));
            } else if (option == SimulateOption.HOSTS && hosts > 0) {
                append(command, option, Integer.toString(hosts));
            } else if (hosts > 0 && OF_NODES.contains(option)) {
                continue; // follow from the hosts
            } else if (option.job() != null && (TOLD.contains(option) || !value(option).equals(option.defaultText()))) {
                append(command, option, option == SimulateOption.TOPOLOGY ? option.label() : value(option));
            }
        }
        append(command, SimulateOption.SEED, Long.toString(ofSeed));
        if (!ofCrashes.isEmpty()) {
            append(command, SimulateOption.CRASHES, Crash.format(ofCrashes));
        }
        if (!faults.isEmpty()) {
            append(command, SimulateOption.FAULTS, String.join(",", faults));
        }
        return command.toString();
    }

    private static void append(StringBuilder command, SimulateOption option, String value) {
        command.append(" --").append(option.key()).append(' ').append(ShellLine.word(value));
    }

    private String value(SimulateOption option) {
        return options.getOrDefault(option.job(), option.job().defaultText());
    }

    JobOptions options() {
        JobOptions built = JobOptions.from(options);
        // Ranks that poll are never at rest until a rank that hangs is found out.
        return polls() ? built.with().set(JobOption.HEARTBEAT_TIMEOUT, "100ms").build() : built;
    }

    SimResult run(long ofSeed, List<Crash> ofCrashes, SimMemory memory) {
        return faults.isEmpty() ? simulate(ofSeed, ofCrashes, memory)
            : BrokenProtocol.call(faults, () -> simulate(ofSeed, ofCrashes, SimMemory.ofThread()));
    }

    private SimResult simulate(long ofSeed, List<Crash> ofCrashes, SimMemory memory) {
        SimProgram chosen = own != null ? own : Programs.byName(program, steps);
        SimCluster cluster = new SimCluster(options(), chosen, ofSeed, memory, limit());
        return (hosts > 0 ? cluster.onHosts() : cluster).crashing(ofCrashes).run();
    }

    private long limit() {
        long times = (polls() ? POLLED_TIMES : 1) * (hosts > 0 ? UNDER_WAY_TIMES : 1);
        return stepLimit > 0 ? stepLimit : times * Math.max(SHORT_RUN_STEPS,
            STEPS_PER_MEMBER_AND_STEP * members() * steps);
    }

    String label() {
        return program + " on " + value(SimulateOption.RANKS) + "+" + value(SimulateOption.CHECKSUMS);
    }

    long seed() {
        return seed;
    }

    int ranks() {
        return options().ranks();
    }

    int losses() {
        return options().losses();
    }

    /** Whether the program polls; see {@link SimProgram#polls}. */
    boolean polls() {
        return (own != null ? own : Programs.byName(program, steps)).polls();
    }

    int members() {
        return options().ranks() + options().checksums();
    }

    /** The contents that every run must end with: those of a run without crashes and injected bugs. */
    Map<Integer, Map<String, byte[]>> expected() {
        Set<String> injected = faults;
        faults = Set.of();
        try {
            SimResult clean = run(seed, List.of(), new SimMemory());
            if (!clean.succeeded()) {
                throw new IllegalStateException("the run without failures failed; replay: " + command(seed, List.of())
                    + "\n" + clean.story());
            }
            return clean.contents();
        } finally {
            faults = injected;
        }
    }

    /** One run with the seed and crashes given. */
    public SimResult replay() {
        return run(seed, crashes, new SimMemory());
    }

    /** What is wrong with a run, or null. */
    public String judge(SimResult result) {
        return result.fault(expected());
    }

    /** One crash at every point of every member, before and after its effect. */
    public SimReport singles() {
        return singles(1);
    }

    /** Of these crashes every so many: an odd number, so that some are before the effect, and others after it. */
    public SimReport singles(int stride) {
        return new CrashEnumerator(this, progress).singles(stride);
    }

    /** One crash at every so many steps of the scheduler, for every member, and a hang at every so many points. */
    public SimReport kills(int stride) {
        return new CrashEnumerator(this, progress).kills(stride);
    }

    /**
     * One crash before every so many plain stores of the protocol, for every member; none where {@link StoreLoader} did
     * not load it.
     */
    SimReport stores(int stride) {
        return new CrashEnumerator(this, progress).stores(stride);
    }

    /** All members of a node killed at once, at every so many steps of the scheduler, for every node. */
    public SimReport nodeKills(int stride) {
        requireNodes(stride);
        return new CrashEnumerator(this, progress).nodeKills(stride, JobGroups.topology(options()).nodes());
    }

    /** So many members of a group killed at once, all choices of them, at every so many steps of the scheduler. */
    public SimReport groupKills(int stride, int count) {
        return new CrashEnumerator(this, progress).groupKills(stride, count);
    }

    /** Whatever may befall a host, at every so many steps of the scheduler, for every host. */
    public SimReport hostFaults(int stride) {
        if (hosts == 0) {
            throw new MisuseException("--host-faults=" + stride + ": there are no hosts; add --hosts N");
        }
        return new CrashEnumerator(this, progress).hostFaults(stride);
    }

    void requireNodes(int stride) {
        if (!options().hasNodes()) {
            throw new MisuseException("--node-kills=" + stride + ": there are no nodes; add --nodes N or --topology "
                + "FILE");
        }
    }

    /** A sample of pairs of crashes, over many seeds; the second one comes after the first. */
    public SimReport pairs(int count) {
        return new CrashEnumerator(this, progress).pairs(count);
    }

    /** Every pair of crash points at the one seed. Takes long. */
    public SimReport allPairs() {
        return new CrashEnumerator(this, progress).allPairs();
    }

    /** Runs without crashes, over many seeds. */
    public SimReport schedules(int count) {
        return new CrashEnumerator(this, progress).schedules(count);
    }
}
