package org.ftrma.testkit;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.ftrma.core.coordinator.Coordinator;
import org.ftrma.core.coordinator.CoordinatorHost;
import org.ftrma.core.coordinator.FlushedImages;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.core.coordinator.JobOutcome;
import org.ftrma.core.coordinator.RestartPoint;
import org.ftrma.core.membership.JobGroups;
import org.ftrma.core.protocol.RecoveryProtocol;
import org.ftrma.core.session.Session;
import org.ftrma.options.JobOptions;
import org.ftrma.runtime.RankProcess;
import org.ftrma.spi.ControlPlane;
import org.ftrma.testkit.programs.SimProgram;
import org.ftrma.testkit.programs.SimRandom;

/**
 * A whole simulated job: the production coordinator, and the production code of every process, on simulated fabrics,
 * control connections and clock. Everything that happens follows from the options, the program, the seed and the
 * crashes.
 *
 * <pre>{@code
 * SimResult result = new SimCluster(options, program, seed)
 *     .when(JobEvent.Committed.class, e -> true, c -> c.kill(2)).run();
 * }</pre>
 */
public final class SimCluster {
    private static final long DEFAULT_STEP_LIMIT = 400_000;
    private static final long LEAVE_NANOS = 10_000_000_000L;
    private static final long LONGEST_AWAKE_NANOS = 300_000;
    private static final String NO_HEARTBEAT = "no heartbeat";
    private static final long[] START_DELAYS_NANOS = {1_000, 50_000, 3_000_000, 300_000_000};

    private record Watch(int member, long step) {
    }

    private final JobOptions options;
    private final SimProgram program;
    private final long seed;
    private final SimMemory memory;
    private final SimRandom random;
    private final SimTraits traits;
    private final SimScheduler scheduler;
    final SimNetwork network;
    private final SimControl control;
    private final List<Crash> crashes = new ArrayList<>();
    /** Of these, the ones at a step that was not reached, or at an image that counts now. */
    private final List<Crash> atSteps = new ArrayList<>();
    private final SimScript script;
    /** Null where all run on one host. */
    private SimHosts hosts;
    private final List<Watch> watches = new ArrayList<>();
    private final List<SimProcess> processes = new ArrayList<>();
    private final SimCounters counters = new SimCounters();
    private final Map<Integer, Map<String, byte[]>> contents = new HashMap<>();
    private final List<SimResult.TimedEvent> events = new ArrayList<>();
    private final Map<Integer, ControlPlane> planes = new HashMap<>();
    private final SimLosses losses;
    private final SimProcess[] players;
    private final long[] memberPoints;
    private final long[] memberStores;
    private long[] pointsAtFirstDeath;
    private long stepsAtFirstDeath;
    private Function<Session, List<RecoveryProtocol>> further = session -> List.of();
    private Coordinator coordinator;
    private JobOutcome outcome;
    private long outcomeAt;
    private int fired;
    /** Null where there is no disk level. */
    private SimFlushes flushes;
    /** So that the choice leaves all others as they are. */
    private static final long STREAMING = 0x57EA;
    private static final int STREAMING_PER_MILLE = 500;
    private static final long HOSTS = 0x4057;
    private RestartPoint restart;
    private long endAt = Long.MAX_VALUE;

    /** A job that was not started yet. */
    public SimCluster(JobOptions options, SimProgram program, long seed) {
        this(options, program, seed, new SimMemory(), DEFAULT_STEP_LIMIT);
    }

    /** As above, with another bound on the steps of the scheduler. */
    public SimCluster(JobOptions options, SimProgram program, long seed, long stepLimit) {
        this(options, program, seed, new SimMemory(), stepLimit);
    }

    SimCluster(JobOptions options, SimProgram program, long seed, SimMemory memory, long stepLimit) {
        this.options = options;
        this.program = program;
        this.seed = seed;
        this.memory = memory;
        random = new SimRandom(seed);
        traits = options.protocol().recoversLocally() && !options.forceNetwork()
            ? SimTraits.draw(random).ofImmediateFabric() : SimTraits.draw(random);
        scheduler = new SimScheduler(random, traits.burst(), stepLimit);
        network = new SimNetwork(scheduler, random, traits, memory,
            new SimRandom(seed ^ STREAMING).chance(STREAMING_PER_MILLE)).askForAddresses();
        control = new SimControl(scheduler, random, traits);
        script = new SimScript(scheduler);
        losses = new SimLosses(options);
        players = new SimProcess[options.ranks() + options.checksums()];
        memberPoints = new long[players.length];
        memberStores = new long[players.length];
    }

    /** Injects crashes. */
    public SimCluster crashing(List<Crash> list) {
        crashes.addAll(list);
        list.stream().filter(crash -> crash.how() == Crash.How.AT_STEP || crash.how().isOfHost())
            .forEach(atSteps::add);
        list.stream().filter(crash -> crash.how() == Crash.How.IMAGE)
            .forEach(crash -> script.atImage(crash.number(), crash.index(), () -> atSteps.add(crash)));
        return this;
    }

    /**
     * The nodes of the options are hosts: members of one share memory, those of different ones reach each other over
     * the network. Before the run.
     */
    public SimCluster onHosts() {
        hosts = new SimHosts(scheduler, new SimRandom(seed ^ HOSTS), options, JobGroups.topology(options).nodes(),
            processes, this::takenForLost);
        network.on(hosts);
        control.on(hosts);
        return this;
    }

    /** What befalls hosts. */
    SimHosts hosts() {
        return hosts;
    }

    /** Where generations go if the options say so. */
    public SimCluster flushingTo(SimDisk given) {
        flushes = new SimFlushes(given, scheduler, seed, () -> coordinator);
        return this;
    }

    /** Starts from a generation on the disk. */
    public SimCluster restartingFrom(RestartPoint point) {
        restart = point;
        return this;
    }

    /**
     * All of the job is killed at this step of the scheduler, whoever hosts the coordinator too: there is no outcome
     * then.
     */
    public SimCluster killedWholeAt(long step) {
        endAt = step;
        return this;
    }

    /** Each rank's job has these protocols too. */
    SimCluster besides(Function<Session, List<RecoveryProtocol>> protocols) {
        further = protocols;
        return this;
    }

    /** Does something at the first event that fits. */
    public <E extends JobEvent> SimCluster when(Class<E> type, Predicate<E> condition, Consumer<SimCluster> action) {
        script.when(event -> type.isInstance(event) && condition.test(type.cast(event)), () -> action.accept(this));
        return this;
    }

    /** A member announces a step and is held at its end: see {@link Coordinator#watch}. Before the run. */
    SimCluster watching(int member, long step) {
        watches.add(new Watch(member, step));
        return this;
    }

    /** That of the job, once it runs. */
    Coordinator coordinator() {
        return coordinator;
    }

    /** Kills the process that plays a member now. */
    public void kill(int member) {
        if (players[member] != null) {
            scheduler.kill(players[member], "killed by the test");
        }
    }

    /** To be called by the program of a member: it waits until something happened, or time passed. */
    void relax(int member) {
        SimProcess player = players[member];
        if (player.isCurrent()) {
            player.relax();
        } else { // it was replaced, and lives
            processes.stream().filter(SimProcess::isCurrent).findFirst().orElseThrow().relax();
        }
    }

    /** To be called after changing what those that {@link #relax} wait for. */
    void wake() {
        processes.forEach(process -> process.changes++);
    }

    /** See {@link SimScript#hold}. */
    void hold(int member, String call, Runnable whenHeld, BooleanSupplier until) {
        script.hold(member, call, whenHeld, until);
    }

    /**
     * A member shows no sign of life and is taken for lost: its process is killed, which takes so long, and runs on
     * until then. It counts as lost, and is replaced, when it is dead.
     */
    void fence(int member, long nanos) {
        fence(players[member], nanos);
    }

    /** Simulated time. */
    long nanos() {
        return scheduler.now();
    }

    /** Does something after some simulated time. */
    public void after(long nanos, Consumer<SimCluster> action) {
        scheduler.after(nanos, () -> action.accept(this));
    }

    /** Runs the job to its end. Once. */
    public SimResult run() {
        scheduler.onDeath(this::died);
        scheduler.onEnd(this::ended);
        scheduler.until(this::isOver);
        coordinator = new Coordinator(options, new Host());
        control.coordinator(coordinator);
        if (restart != null) {
            coordinator.restartFrom(restart);
        }
        watches.forEach(watch -> coordinator.watch(watch.member, watch.step));
        scheduler.onTick(() -> coordinator.onTick(scheduler.now()));
        for (int i = 0; i < players.length + options.spares(); i++) {
            start(START_DELAYS_NANOS[random.below(2)], false);
        }
        scheduler.run();
        if (outcome != null && scheduler.hang() == null && !scheduler.allEnded()) {
            scheduler.violation("processes did not leave after the end of the job:\n" + scheduler.describe());
        }
        if (outcome != null && outcome.kind() == JobOutcome.Kind.SUCCESS && !losses.away().isEmpty()) {
            scheduler.violation("nobody was told that these ranks are back: " + losses.away());
        }
        memory.reset();
        return new SimResult(seed, List.copyOf(crashes), fired, outcome, SimResult.sorted(contents), events,
            memberPoints, memberStores, pointsAtFirstDeath, scheduler.steps(), stepsAtFirstDeath, scheduler.trace(),
            losses.areBeyondRepair(), scheduler.violations(), scheduler.hang(), control.traffic(network), counters);
    }

    private boolean isOver() {
        if (outcome == null) {
            killAtStep();
            return scheduler.steps() >= endAt;
        }
        return scheduler.allEnded() || scheduler.now() > outcomeAt + LEAVE_NANOS;
    }

    private void start(long delayNanos, boolean mayFail) {
        int id = processes.size();
        boolean fails = mayFail && random.chance(traits.startFails());
        fails |= hosts != null && !hosts.place();
        SimProcess process = new SimProcess(scheduler, id, 4 << random.below(5), new CrashPoints(), () -> play(id));
        processes.add(process);
        if (fails) {
            process.state = SimProcess.State.ENDED;
            control.reportExit(id, "could not be started");
            return;
        }
        scheduler.after(delayNanos, () -> {
            if (!process.isOver() && !control.isSevered(process)) {
                planes.put(id, control.connect(process));
                scheduler.add(process);
            }
        });
    }

    private void play(int id) {
        SimProcess process = processes.get(id);
        RankProcess rank = new RankProcess(planes.get(id), new SimClock(scheduler, process),
            (member, given) -> network.open(process, member), counters.of(id), further);
        if (flushes != null) {
            rank.keepingImagesIn(flushes.store(process));
        }
        switch (rank.awaitRole()) {
            case COMPUTING -> program.begin((name, segment) -> store(process, rank.member(), name, segment),
                rank::runProgram);
            case CHECKSUM -> rank.runChecksum();
            case NONE -> { }
        }
    }

    /** What a process leaves that was replaced counts for nothing. */
    private void store(SimProcess process, int rank, String name, MemorySegment segment) {
        if (players[rank] == process) {
            contents.computeIfAbsent(rank, r -> new HashMap<>()).put(name, segment.toArray(ValueLayout.JAVA_BYTE));
        }
    }

    private void died(SimProcess process, String cause) {
        if (pointsAtFirstDeath == null) {
            pointsAtFirstDeath = memberPoints.clone();
            stepsAtFirstDeath = scheduler.steps();
        }
        counters.died(process.id);
        network.died(process);
        control.ended(process, cause, true);
        if (outcome == null && process.member >= 0 && players[process.member] == process) {
            lost(process.member);
        }
    }

    /** With its host, whatever it does. */
    private void takenForLost(SimProcess process, String cause) {
        if (!process.isOver() && outcome == null && process.member >= 0 && players[process.member] == process) {
            lost(process.member);
        }
        control.sever(process, cause);
    }

    private void lost(int member) {
        losses.lost(member, coordinator::groupOf);
    }

    private void ended(SimProcess process) {
        control.ended(process, process.failure == null ? "exit 0" : "failed: " + process.failure, false);
    }

    private void killAtStep() {
        for (Crash crash : List.copyOf(atSteps)) {
            if (crash.index() <= scheduler.steps()) { // a process that goes on at once passes several
                atSteps.remove(crash);
                if (crash.how().isOfHost()) {
                    fired += hosts.runs(crash.number()) ? 1 : 0;
                    hosts.befall(crash.number(), crash.how());
                    continue;
                }
                SimProcess victim = crash.ofMember() ? crash.number() < players.length ? players[crash.number()] : null
                    : crash.number() < processes.size() ? processes.get(crash.number()) : null;
                if (victim != null && !victim.isOver()) {
                    fired++;
                    scheduler.kill(victim, "killed at " + crash);
                }
            }
        }
    }

    private void takeForLost(SimProcess process, boolean wakes) {
        if (wakes) {
            long still = random.between(1, 10 * LONGEST_AWAKE_NANOS);
            scheduler.after(still, process::wake);
            fence(process, still + random.between(1, LONGEST_AWAKE_NANOS));
        } else {
            scheduler.kill(process, NO_HEARTBEAT);
        }
    }

    private void fence(SimProcess process, long nanos) {
        scheduler.after(nanos, () -> scheduler.kill(process, NO_HEARTBEAT));
    }

    /** Where processes die. */
    private final class CrashPoints implements SimProcess.Points {
        @Override
        public SimProcess.Fate before(SimProcess process) {
            if (process.member >= 0) {
                process.memberPoint = (int) ++memberPoints[process.member];
                script.keep(process);
            }
            return crashes.isEmpty() ? SimProcess.Fate.LIVE : fate(process, false);
        }

        @Override
        public SimProcess.Fate after(SimProcess process) {
            return crashes.isEmpty() ? SimProcess.Fate.LIVE : fate(process, true);
        }

        @Override
        public SimProcess.Fate beforeStore(SimProcess process) {
            if (process.member < 0 || outcome != null) {
                return SimProcess.Fate.LIVE; // the job is over: nothing comes of what is stored by those who leave
            }
            long store = ++memberStores[process.member];
            for (Crash crash : crashes) {
                if (crash.isAtStore(process.member, store)) {
                    fired++;
                    return SimProcess.Fate.DIE;
                }
            }
            return SimProcess.Fate.LIVE;
        }

        private SimProcess.Fate fate(SimProcess process, boolean after) {
            for (Crash crash : crashes) {
                if (crash.isAtPointOf(process, after) && outcome == null) {
                    fired++;
                    if (crash.how() != Crash.How.HANG && crash.how() != Crash.How.WAKE) {
                        return SimProcess.Fate.DIE;
                    }
                    scheduler.after(options.heartbeatTimeoutNanos(),
                        () -> takeForLost(process, crash.how() == Crash.How.WAKE));
                    return SimProcess.Fate.HANG;
                }
            }
            return SimProcess.Fate.LIVE;
        }
    }

    private final class Host implements CoordinatorHost {
        @Override
        public void send(int process, byte[] frame) {
            control.send(process, frame);
        }

        @Override
        public void fence(int process, String why) {
            scheduler.after(random.between(0, 1_000_000),
                () -> scheduler.kill(processes.get(process), "fenced: " + why));
        }

        @Override
        public void startProcess() {
            start(START_DELAYS_NANOS[random.below(START_DELAYS_NANOS.length)], true);
        }

        @Override
        public String flushPlace(long number) {
            return flushes == null ? null : flushes.place(number);
        }

        @Override
        public void nameFlush(FlushedImages images) {
            flushes.name(images);
        }

        @Override
        public void dropFlush(long number) {
            flushes.drop(number);
        }

        @Override
        public void event(JobEvent event) {
            events.add(new SimResult.TimedEvent(scheduler.now(), event));
            if (event instanceof JobEvent.Assigned assigned) {
                SimProcess player = processes.get(assigned.process());
                player.member = assigned.member();
                players[assigned.member()] = player;
                if (player.isOver()) {
                    lost(assigned.member());
                }
            }
            losses.happened(event, member -> players[member].isOver());
            script.happened(event);
        }

        @Override
        public void finished(JobOutcome result) {
            outcome = result;
            outcomeAt = scheduler.now();
        }
    }
}
