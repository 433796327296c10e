package org.ftrma.launch.job;

import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.ftrma.FtrmaException;
import org.ftrma.core.coordinator.Coordinator;
import org.ftrma.core.coordinator.CoordinatorHost;
import org.ftrma.core.coordinator.FlushedImages;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.core.coordinator.JobOutcome;
import org.ftrma.core.coordinator.RestartPoint;
import org.ftrma.launch.agent.HostAgent;
import org.ftrma.launch.agent.HostRoom;
import org.ftrma.launch.agent.LinePrinter;
import org.ftrma.launch.agent.LocalAgent;
import org.ftrma.launch.control.ControlServer;
import org.ftrma.launch.disk.FlushKeeper;
import org.ftrma.launch.hosts.JobHosts;
import org.ftrma.launch.hosts.OperatorSocket;
import org.ftrma.launch.inject.FaultInjector;
import org.ftrma.launch.inject.FaultPlan;
import org.ftrma.launch.record.JobObserver;
import org.ftrma.launch.record.JobRecord;
import org.ftrma.launch.record.JobResult;
import org.ftrma.options.JobOption;
import org.ftrma.options.JobOptions;
import org.ftrma.rank.control.MachineClock;
import org.ftrma.rank.control.Token;

/**
 * Runs one job on one host: has its processes started, owns its coordinator, and returns when all of it is gone.
 * Everything happens on the thread that calls {@link #run}, which is also the one whose end would end the processes;
 * only {@link #interrupt} may be called from others.
 */
public final class JobHost implements CoordinatorHost {
    private static final long HANDSHAKE_NANOS = 5_000_000_000L;
    private final JobRequest request;
    private final PrintStream log;
    private final PrintStream out;
    private final TurnTimes turns;
    private final MachineClock clock;
    private final JobEvents events;
    private final HostAgent agent;
    private final ProcessLives lives = new ProcessLives();
    private final ProcessTable processes;
    private final OutputPrefix prefixes;
    private final Coordinator coordinator;
    private final FaultInjector injector;
    private final JobRecord record;
    private final ExitStatuses afterRun = new ExitStatuses();
    private final HostRoom room;
    private final ProcessWatch watch;
    private final TimeLimit limit;
    private final Stopping stopping;
    private final CrashLoop crashLoop;
    private PlacementPolicy placing = PlacementPolicy.ONE_HOST;
    private PrintStream notes;
    private FlushKeeper flushes;
    private HostDrains drains;
    private OperatorDesk desk;
    /** Where people ask something of the job, once the agent is open; null where that is nowhere. */
    private Supplier<OperatorSocket> operator;
    private ControlServer server;
    private JobOutcome outcome;
    private boolean aborted;
    private String noHost;

    /**
     * A job that is not yet running.
     *
     * @param asked what is to be run; what its options leave to the machine is settled here
     * @param plan the failures
     * @param out where the program's standard output goes
     * @param log where its error output and the launcher's own messages go
     */
    public JobHost(JobRequest asked, FaultPlan plan, PrintStream out, PrintStream log) {
        this(asked, plan, out, log, new LocalAgent(MachineClock.HERE), MachineClock.HERE);
    }

    /**
     * The same on several hosts, which are left at the end of {@link #run}.
     *
     * @param mayDegrade whether a process may go where no slot is free
     */
    public JobHost(JobRequest asked, FaultPlan plan, PrintStream out, PrintStream log, JobHosts hosts,
        boolean mayDegrade) {
        this(asked, plan, out, log, hosts, MachineClock.HERE);
        HostChoice choice = new HostChoice(request.options(), hosts, coordinator::processOf, mayDegrade);
        hosts.placeBy(choice::hostFor, choice.initial(), request.options());
        hosts.silenceBy(process -> server.silentNanos(process));
        placing = choice;
        lives.placedBy(choice);
        drains = new HostDrains(this.request.options(), hosts, choice, coordinator, processes, stopping, clock);
        operator = hosts::operator;
    }

    /** The same on the host of an agent that has no job yet; it is closed at the end of {@link #run}. */
    JobHost(JobRequest asked, FaultPlan plan, PrintStream out, PrintStream log, HostAgent agent,
        MachineClock clock) {
        this.agent = agent;
        this.clock = clock;
        this.events = new JobEvents(clock);
        this.room = agent.room();
        this.operator = this::localOperator;
        this.processes = new ProcessTable(agent, lives, clock);
        JobOptions options = asked.options().on(room.availableBytes());
        this.request = asked.with(options, asked.arguments());
        this.prefixes = new OutputPrefix(options);
        this.out = out;
        this.log = log;
        this.notes = log;
        this.turns = new TurnTimes(options.heartbeatTimeoutNanos());
        this.crashLoop = new CrashLoop(options.ranks());
        this.watch = new ProcessWatch(options, processes, room.cores());
        this.coordinator = new Coordinator(options, this);
        this.injector = new FaultInjector(options, new Targets(options, coordinator, processes, crashLoop,
            () -> placing, this::tell), plan);
        this.record = new JobRecord(options.ranks(), injector::takeInjection);
        this.limit = new TimeLimit(request.timeoutNanos(), watch, coordinator);
        this.stopping = new Stopping(coordinator, limit);
        // The record asks the injector when a member was hit, so it is first; the injector acts when all others know.
        events.addLast(record);
        events.addLast(crashLoop);
        events.addLast(prefixes);
        events.addLast((event, now) -> {
            if (event instanceof JobEvent.Assigned assigned) {
                placing.assigned(assigned, this::tell);
            }
            stopping.happened(event);
            if (desk != null) {
                desk.happened(event);
            }
        });
        events.addLast(injector);
        lives.belongTo(new ProcessLives.Parts(processes, watch, crashLoop, coordinator, events, record, log, clock),
            prefixes::of, this::abort);
    }

    /** A path that is too long for a socket, say, keeps no job from running. */
    private OperatorSocket localOperator() {
        try {
            return agent.place() == null ? null : new OperatorSocket(Path.of(agent.place()));
        } catch (FtrmaException e) {
            tell(e.getMessage() + "; the job goes on, and ./ftrma checkpoint does not reach it");
            return null;
        }
    }

    private void tell(String text) {
        notes.println("ftrma: " + text);
    }

    /** Where the launcher tells what it does, if not to where it tells what goes wrong. Before {@link #run}. */
    public JobHost telling(PrintStream stream) {
        notes = stream;
        return this;
    }

    /** Adds one who hears of the job's events. Before {@link #run}. */
    public JobHost observe(JobObserver observer) {
        events.add(observer);
        return this;
    }

    /**
     * Where committed generations go, besides memory; closed at the end of {@link #run}. Before that.
     *
     * @param drainNanos how long the job may take to stop at one
     */
    public JobHost flushing(FlushKeeper keeper, long drainNanos) {
        flushes = keeper;
        keeper.whenDone(this::wake);
        stopping.toDisk(request.options().value(JobOption.FLUSH), drainNanos);
        return this;
    }

    /** Whether there is such a place. */
    public boolean hasDisk() {
        return flushes != null;
    }

    /** Starts from a generation on disk. Before {@link #run}. */
    public JobHost restarting(RestartPoint point) {
        coordinator.restartFrom(point);
        return this;
    }

    /** Ends the job from outside; {@link #run} then returns soon. Any thread. */
    public void interrupt(String why) {
        stopping.interrupt(why);
        wake();
    }

    /**
     * Ends the job from outside without a loss of work, where it has a disk level and has run, and was not told before:
     * else nothing is changed, and the answer is no. Any thread.
     */
    public boolean stop(String why) {
        boolean stops = stopping.ask(why);
        if (stops) {
            agent.isTold();
        }
        wake();
        return stops;
    }

    /** The same before an end that is foreseen; to be asked for a stop after that is for the first time. Any thread. */
    public boolean stopAhead(String why) {
        boolean stops = stopping.foresee(why);
        wake();
        return stops;
    }

    private void wake() {
        ControlServer current = server;
        if (current != null) {
            current.wakeup();
        }
    }

    /** What has happened so far. */
    public JobRecord record() {
        return record;
    }

    /**
     * Runs the job to its end and removes all its traces, also where it cannot be set up: the result tells why. Once.
     */
    public JobResult run() {
        record.started(clock.nanoTime());
        limit.begin(clock.runningNanos());
        try {
            live();
        } catch (IOException e) {
            outcome = JobOutcome.ended(JobOutcome.Kind.UNFIT, "cannot set up the job: " + e.getMessage());
        } catch (FtrmaException e) {
            outcome = JobOutcome.ended(e.category() == FtrmaException.Category.SETUP ? JobOutcome.Kind.UNFIT
                : JobOutcome.Kind.FAILED, e.getMessage());
        }
        record.ended(clock.nanoTime());
        return new JobResult(outcome, record, injector.notInjected(), injector.fired(), isInterrupted(),
            afterRun.status());
    }

    private void live() throws IOException {
        if (isInterrupted()) {
            outcome = JobOutcome.ended(JobOutcome.Kind.FAILED, stopping.interruption());
            return;
        }
        try {
            open();
            while (outcome == null) {
                turn();
            }
            leave();
        } finally {
            close();
        }
    }

    private void open() throws IOException {
        agent.requireRoom(request.firstProcesses(), ProcessTable.LEAST_PROCESS_BYTES);
        Token token = agent.token();
        int started = request.firstProcesses();
        InetAddress address = InetAddress.ofLiteral(agent.launcherAddress());
        server = new ControlServer(new InetSocketAddress(address, 0), token, new ProcessInput(request.options(),
            processes, coordinator, events, afterRun, () -> outcome != null, this::tell, log, clock),
            StartTimeout.limitNanos(HANDSHAKE_NANOS, started, room.cores()),
            request.options().heartbeatTimeoutNanos() / 5, clock);
        lives.joinAt(server);
        agent.open(request.forHost(server.address(), token, room.cores(),
                flushes == null ? List.of() : List.of(flushes.unfinished().toString()), this::tell),
            processes, new LinePrinter(out, log, request.prefixOutput() ? prefixes::of : process -> ""),
            server::wakeup);
        OperatorSocket socket = operator.get();
        if (socket != null) {
            socket.whenAsked(this::wake);
            desk = new OperatorDesk(request.options(), coordinator, drains, socket);
        }
        if (flushes != null) {
            flushes.open(); // now that whoever removes it is there
        }
        turns.begin(clock.nanoTime());
        for (int i = 0; i < started; i++) {
            startProcess();
        }
    }

    /** One round: input, deaths, deadlines. */
    private void turn() {
        long before = clock.nanoTime();
        long wait = Math.min(Math.min(turns.waitNanos(before), injector.nextNanos(before)),
            processes.nextNanos(before));
        server.poll(wait / 1_000_000);
        events.pump();
        lives.reap(outcome != null);
        long now = clock.nanoTime();
        if (turns.isLate(now)) {
            server.forgiveSilence(); // nobody else may pay for that
        }
        if (turns.isTick(now)) {
            watch.look(server, now, clock.runningNanos());
            events.alive(now);
            coordinator.onTick(clock.runningNanos());
            events.pump();
        }
        injector.onTime(now);
        events.pump();
        tellNamed();
        if (desk != null && outcome == null) {
            desk.look(this::event, this::tell);
            events.pump();
        }
        checkEnd(clock.runningNanos());
    }

    /** Generations on disk that have their name now. */
    private void tellNamed() {
        FlushKeeper.Named named = flushes == null ? null : flushes.poll();
        if (named != null && outcome == null) {
            coordinator.onFlushNamed(named.number(), named.name(), named.failure(), named.bytes(), named.nanos());
            events.pump();
        }
    }

    private void checkEnd(long now) {
        if (outcome != null || aborted) {
            return;
        }
        String end = stopping.end(now, this::tell);
        if (end != null) {
            abort(end);
        } else if (noHost != null) {
            aborted = true;
            coordinator.giveUp(noHost);
        } else if (crashLoop.reason() != null) {
            abort(crashLoop.reason());
        }
    }

    /** Ends the job for a reason of the host's own. */
    private void abort(String why) {
        aborted = true;
        coordinator.abort(why);
        events.pump();
        if (outcome == null) {
            finished(JobOutcome.ended(JobOutcome.Kind.FAILED, why));
        }
    }

    /** The job is over, and its processes are to go. */
    private void leave() {
        Farewell farewell = new Farewell(request.options(), coordinator, processes, server, afterRun,
            new Farewell.Limits(this::isInterrupted, limit::isOver, limit::text), clock);
        outcome = farewell.after(outcome, aborted);
        events.clear();
        agent.finishOutput(Farewell.LEAVE_NANOS);
        outcome = isInterrupted() ? outcome : afterRun.judge(outcome);
    }

    private boolean isInterrupted() {
        return stopping.interruption() != null;
    }

    private void close() {
        if (desk != null) {
            desk.close();
        }
        processes.killAll(log);
        if (server != null) {
            server.close();
        }
        if (flushes != null) {
            flushes.close();
        }
        agent.close();
    }

    // What the coordinator asks for.

    @Override
    public void send(int process, byte[] frame) {
        server.send(process, frame);
    }

    @Override
    public void fence(int process, String why) {
        RankHandle handle = processes.get(process);
        if (handle != null) {
            handle.fence(why);
        }
    }

    @Override
    public void startProcess() {
        noHost = noHost == null ? placing.whyNoHost() : noHost;
        if (noHost != null) {
            return;
        }
        int number = processes.nextNumber();
        server.expect(number);
        watch.started(processes.start(number));
    }

    @Override
    public int memberFor(int process, List<Integer> candidates) {
        return placing.memberFor(process, candidates);
    }

    @Override
    public int spareFor(int member, Collection<Integer> idle) {
        return placing.spareFor(member, idle);
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
        if (event instanceof JobEvent.Running && record.startNanos() == 0) {
            record.checksumProcessors(checksumProcessors());
        }
        events.happened(event);
    }

    /** Processor time so far of the processes that play checksum ranks now. */
    private long checksumProcessors() {
        int ranks = request.options().ranks();
        return processes.processorNanos(IntStream.range(ranks, ranks + request.options().checksums())
            .map(coordinator::processOf));
    }

    @Override
    public void finished(JobOutcome ended) {
        record.checksumProcessors(checksumProcessors());
        if (outcome == null) {
            outcome = stopping.explain(ended);
            stopping.over();
        }
    }
}
