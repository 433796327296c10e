package org.ftrma.testkit;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.ftrma.MisuseException;
import org.ftrma.checkpoint.Fault;
import org.ftrma.checkpoint.JobGroups;
import org.ftrma.options.JobOptions;
import org.ftrma.testkit.programs.Programs;

/**
 * Simulated jobs by name and number: what the {@code simulate} command offers. Set what differs from the defaults, then call {@link #replay},
 * {@link #singles} or {@link #pairs}. One thread; the runs themselves use all processors.
 */
public final class Simulation {
    private static final long SHORT_RUN_STEPS = 400_000;
    /** So much longer may a run of ranks that poll be. */
    private static final long POLLED_TIMES = 4;
    private static final long STEPS_PER_MEMBER_AND_STEP = 10_000;

    private String program = "halo";
    private int ranks = 3;
    private int checksums = 1;
    private int losses = 1;
    private int spares;
    private int nodes;
    private String topology = "none";
    private String aware = "none";
    private long steps = 5;
    private String interval = "2";
    private String protocol = "coordinated";
    private String path = "auto";
    private String demand = "bulk";
    private int logLow = 33;
    private String logBudget = "1MiB";
    private String logOverflow = "warn";
    private long seed = 1;
    private long stepLimit;
    private List<Crash> crashes = List.of();
    private Set<Fault> faults = Set.of();
    private SimProgram own;
    private Consumer<String> progress = text -> { };

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
        ranks = count;
        return this;
    }

    /** Checksum ranks. */
    public Simulation checksums(int count) {
        checksums = count;
        return this;
    }

    /** Losses that each group survives, and its checksum ranks. */
    public Simulation losses(int count) {
        losses = count;
        return this;
    }

    /** Spare processes. */
    public Simulation spares(int count) {
        spares = count;
        return this;
    }

    /** Simulated nodes, 0 for none, and the level at which groups are kept apart, as the job options. */
    public Simulation nodes(int count, String awareLevel) {
        nodes = count;
        aware = awareLevel;
        return this;
    }

    /** A machine as the text of a topology, or none. */
    public Simulation topology(String text) {
        topology = text;
        return this;
    }

    /** Steps of the program. */
    public Simulation steps(long count) {
        if (count < 1 || count > 10_000) {
            throw new MisuseException("steps=" + count + ": must be 1 to 10000");
        }
        steps = count;
        return this;
    }

    /** The checkpoint interval, as the job option. */
    public Simulation interval(String text) {
        interval = text;
        return this;
    }

    /** The protocol, as the job option. */
    public Simulation protocol(String text) {
        protocol = text;
        options();
        return this;
    }

    /** The path, as the job option: with logging, accesses take effect at once unless the network is forced. */
    public Simulation path(String text) {
        path = text;
        options();
        return this;
    }

    /** Demand checkpoints, as the job option. */
    public Simulation demand(String text) {
        demand = text;
        options();
        return this;
    }

    /** From how many percent of the log budget in use on demand checkpoints are asked for. */
    public Simulation logLow(int percent) {
        logLow = percent;
        return this;
    }

    /** What is done where logs do not fit, as the job option. */
    public Simulation logOverflow(String text) {
        logOverflow = text;
        return this;
    }

    /** The log budget, as the job option. */
    public Simulation logBudget(String text) {
        logBudget = text;
        options();
        return this;
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

    /** Bugs to inject. */
    public Simulation faults(Set<Fault> injected) {
        faults = Set.copyOf(injected);
        return this;
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
        return "./ftrma simulate --program " + program + " --ranks " + ranks + " --checksums " + checksums + (losses > 1 ? " --losses " + losses : "")
            + " --spares " + spares + (nodes > 0 ? " --nodes " + nodes + " --aware " + aware : "")
            + (topology.equals("none") ? "" : " --topology FILE --aware " + aware) + " --steps " + steps + " --interval " + interval
                + " --protocol " + protocol + (path.equals("auto") ? "" : " --path " + path) + logging() + " --seed " + ofSeed
            + (ofCrashes.isEmpty() ? "" : " --crashes " + Crash.format(ofCrashes))
            + (faults.isEmpty() ? "" : " --faults " + faults.stream().map(Enum::name).collect(Collectors.joining(",")));
    }

    private String logging() {
        return (logLow == 33 ? "" : " --log-low " + logLow) + (logBudget.equals("1MiB") ? "" : " --log-budget " + logBudget)
            + (demand.equals("bulk") ? "" : " --demand " + demand);
    }

    JobOptions options() {
        Map<String, String> map = new HashMap<>();
        map.put("ranks", Integer.toString(ranks));
        map.put("checksums", Integer.toString(checksums));
        map.put("losses", Integer.toString(losses));
        map.put("spares", Integer.toString(spares));
        map.put("topology", topology);
        map.put("nodes", Integer.toString(nodes));
        map.put("aware", aware);
        map.put("interval", interval);
        map.put("protocol", protocol);
        map.put("path", path);
        map.put("log-budget", logBudget);
        map.put("log-low", Integer.toString(logLow));
        map.put("demand", demand);
        map.put("log-overflow", logOverflow);
        map.put("deadline", "40s");
        if (polls()) {
            map.put("heartbeat-timeout", "100ms"); // ranks that poll are never at rest until a rank that hangs is found out
        }
        return JobOptions.of(map);
    }

    SimResult run(long ofSeed, List<Crash> ofCrashes, SimMemory memory) {
        SimProgram chosen = own != null ? own : Programs.byName(program, steps);
        return new SimCluster(options(), chosen, ofSeed, memory, limit()).crashing(ofCrashes).with(faults).run();
    }

    private long limit() {
        return stepLimit > 0 ? stepLimit : (polls() ? POLLED_TIMES : 1) * Math.max(SHORT_RUN_STEPS, STEPS_PER_MEMBER_AND_STEP * members() * steps);
    }

    String label() {
        return program + " on " + ranks + "+" + checksums;
    }

    long seed() {
        return seed;
    }

    int ranks() {
        return ranks;
    }

    int losses() {
        return losses;
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
        Set<Fault> injected = faults;
        faults = Set.of();
        try {
            SimResult clean = run(seed, List.of(), new SimMemory());
            if (!clean.succeeded()) {
                throw new IllegalStateException("the run without failures failed; replay: " + command(seed, List.of()) + "\n" + clean.story());
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
        return new CrashEnumerator(this, progress).singles();
    }

    /** One crash at every so many steps of the scheduler, for every member, and a hang at every so many points. */
    public SimReport kills(int stride) {
        return new CrashEnumerator(this, progress).kills(stride);
    }

    /** One crash before every so many plain stores of the protocol, for every member; none where {@link StoreLoader} did not load it. */
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

    void requireNodes(int stride) {
        if (!options().hasNodes()) {
            throw new MisuseException("--node-kills=" + stride + ": there are no nodes; add --nodes N or --topology FILE");
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
