package org.ftrma.launch.agent;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntToLongFunction;
import java.util.function.ObjIntConsumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.ftrma.options.Units;
import org.ftrma.rank.control.MachineClock;
import org.ftrma.rank.counter.CounterFile;

/**
 * The agent of another host, as the job sees it: requests go there, and events come from there. It is lost when its
 * connection ends, or when neither it nor any of its processes was heard for so long; then each of its processes is
 * told to be dead, whatever becomes of it there: nothing that comes from that host is heard any more. The job's thread
 * only.
 */
public final class RemoteAgent implements HostAgent {
    /** In UTF-8 less than a frame takes. */
    private static final int PIECE_CHARACTERS = 64 << 10;
    private static final String LOST = "it is lost: ";
    private static final long LOOK_NANOS = 1_000_000;
    /** For what processes have printed that are gone. */
    private static final long LAST_OUTPUT_NANOS = 1_000_000_000L;
    private static final long OPEN_NANOS = 60_000_000_000L;
    /** For an answer to get here, besides the time that its work may take. */
    private static final long ANSWER_NANOS = 10_000_000_000L;

    private final HostFacts facts;
    private final String name;
    private final AgentLink link;
    private final long timeoutNanos;
    private final HostSilence silence;
    private final MachineClock clock;
    private final Map<Integer, ProcessVitals> vitals = new HashMap<>();
    /** Processes that were ordered, and of whose end nothing was told. */
    private final Set<Integer> living = new HashSet<>();
    /** Of these, those that the host has told to run. */
    private final Set<Integer> running = new HashSet<>();
    private final ArrayDeque<Runnable> events = new ArrayDeque<>();
    private final StuckAddresses stuck = new StuckAddresses();
    private HostRoom room;
    private Listener listener;
    private OutputPrinter printer;
    private ObjIntConsumer<byte[]> counters = (bytes, process) -> { };
    /** What living processes have counted, as it was told last: of a host that is lost nothing more comes. */
    private final Map<Integer, byte[]> counted = new HashMap<>();
    private AgentState state = AgentState.JOINED;
    /** Why it is in this state, for people; null: there is no reason to tell. */
    private String why;
    /** What it has said of its clock last. */
    private long echoedNanos;
    private AgentMessage.Probed probed;
    private AgentMessage.OutputFinished outputFinished;
    private AgentMessage.Killed killed;
    private String leaving;
    private boolean isAsked;

    /**
     * That of a host whose agent has joined.
     *
     * @param name the host, as the user calls it
     * @param facts what the agent has said of it
     * @param timeoutNanos so long it may be silent
     */
    public RemoteAgent(String name, HostFacts facts, AgentLink link, long timeoutNanos, MachineClock clock) {
        this.clock = clock;
        this.name = name;
        this.facts = facts;
        this.link = link;
        this.timeoutNanos = timeoutNanos;
        this.silence = new HostSilence(link, timeoutNanos, clock.nanoTime());
        this.room = facts.room();
    }

    /**
     * How the job knows for how long a process was silent: a host whose processes are heard is not lost.
     *
     * @param silentNanos gives {@link Long#MAX_VALUE} for a process that was never heard
     */
    public void silenceBy(IntToLongFunction silentNanos) {
        silence.ofProcesses(silentNanos);
    }

    /** Who takes what processes of the host have counted, as it was told. */
    public void countersTo(ObjIntConsumer<byte[]> taker) {
        counters = taker;
    }

    /** Why the host is lost, for people; null: it is not. */
    public String lost() {
        return state.isOver() ? why : null;
    }

    private void become(AgentState next, String reason) {
        if (!state.mayBecome(next)) {
            throw new IllegalStateException("host " + name + ": " + state + " does not become " + next);
        }
        state = next;
        why = reason;
    }

    /** Why the host is to be left, for people; null: it is not. */
    public String leaving() {
        return leaving;
    }

    /** Nothing is needed of the host any more: its agent ends, and nobody is told that it is lost. */
    public void leave() {
        if (!state.isOver()) {
            finishOutput(LAST_OUTPUT_NANOS);
        }
        if (!state.isOver()) {
            say(new AgentMessage.Close());
            become(AgentState.LEFT, "it was left");
            link.close();
            printer.close();
        }
    }

    /** It is not left, for what is there has no other place: until it is asked once more. */
    public void stay() {
        leaving = null;
    }

    /** What it said of itself when it joined. */
    public HostFacts facts() {
        return facts;
    }

    @Override
    public HostRoom room() {
        return room;
    }

    /** Its part of the cores, where hosts of these are one machine, as in trials: one at least. */
    public int coresAmong(Stream<RemoteAgent> agents) {
        long sharing = agents.filter(other -> other.facts.kernel().equals(facts.kernel())).count();
        return (int) Math.max(1, room.cores() / Math.max(1, sharing));
    }

    /**
     * Asks whether the host sees a file of this one, and, unless {@code answer} is null, has it write that file; see
     * {@link #whyNotShared}. Before {@link #open}.
     */
    public void probe(Path file, String digest, Path answer) {
        probed = null;
        say(new AgentMessage.Probe(file.toString(), digest, answer == null ? null : answer.toString()));
    }

    /** What the answer to {@link #probe} was: why the host and this one do not share it; null: they do. */
    public String whyNotShared(Path answer) {
        return await(this::isProbed, ANSWER_NANOS) ? verdict(answer).get()
            : state.isOver() ? LOST + why : "it has not answered within " + Units.time(ANSWER_NANOS);
    }

    /** Whether there is an answer to {@link #probe}, or will be none. */
    public boolean isProbed() {
        return probed != null || state.isOver();
    }

    /** The same as {@link #whyNotShared} once it {@link #isProbed}; on any thread, since it looks at the disk. */
    public Supplier<String> verdict(Path answer) {
        String failure = probed == null ? LOST + why : probed.failure();
        if (failure != null || answer == null) {
            return () -> failure;
        }
        String digest = String.valueOf(probed.digest());
        return () -> SharedFile.difference(answer, digest);
    }

    @Override
    public void open(HostJob job, Listener hearer, Output output, Runnable wakeup) throws IOException {
        begin(job, hearer, output, wakeup);
        await(this::isAnswered, OPEN_NANOS);
        if (!isAnswered()) {
            throw new IOException("host " + name + " was not ready for the job after " + Units.time(OPEN_NANOS));
        }
        if (whyNotOpen() != null) {
            throw new IOException(whyNotOpen());
        }
    }

    /** Begins to {@link #open}, and does not wait. */
    public void begin(HostJob job, Listener hearer, Output output, Runnable wakeup) {
        become(AgentState.OPENING, null);
        listener = hearer;
        printer = new OutputPrinter(name, output, bytes -> say(new AgentMessage.Printed(bytes)));
        link.whenHeard(wakeup);
        String program = job.options().program().text();
        for (int from = 0; from < program.length(); from += PIECE_CHARACTERS) {
            say(new AgentMessage.Program(program.substring(from, Math.min(program.length(), from + PIECE_CHARACTERS))));
        }
        say(new AgentMessage.Open(job.address(), job.port(), job.joinMillis(), timeoutNanos, job.options(),
            job.jvm(), job.places()));
    }

    /** Whether the host is ready, or will not be. */
    public boolean isAnswered() {
        return state.hasAnswered();
    }

    /** Why the host was not made ready, for people; null: it was, or has not answered. */
    public String whyNotOpen() {
        return state.isOver() ? "host " + name + " is lost: " + why
            : state == AgentState.UNFIT ? "host " + name + ": " + why : null;
    }

    /** Hears the host, and shows it that the job lives; what it tells waits for {@link #poll}. */
    public void attend(long nowNanos) {
        silence.look(nowNanos);
        receive();
        // One that gets ready has no time for anything else; nothing runs there yet.
        if (!state.isOver() && state.hasAnswered() && silence.isTooLong(nowNanos, living)) {
            lose(silence.why());
        }
    }

    @Override
    public void start(int process) {
        if (state.isOver()) {
            events.add(() -> listener.notStarted(process, "its host " + name + " is lost: " + why));
            return;
        }
        living.add(process);
        say(new AgentMessage.Start(process));
    }

    @Override
    public void signal(int process, Signal signal) {
        if (!living.contains(process)) {
            return;
        }
        if (signal == Signal.KILL) {
            silence.killed(clock.nanoTime());
        }
        say(new AgentMessage.Send(process, signal));
    }

    @Override
    public ProcessVitals vitals(int process) {
        if (living.contains(process)) {
            say(new AgentMessage.AskVitals(process));
        }
        return vitals.get(process);
    }

    @Override
    public long nextNanos(long nowNanos) {
        return events.isEmpty() ? Long.MAX_VALUE : 0;
    }

    @Override
    public void poll(long nowNanos) {
        attend(nowNanos);
        for (Runnable event = events.poll(); event != null; event = events.poll()) {
            event.run();
        }
    }

    private void receive() {
        for (byte[] frame = next(); frame != null; frame = next()) {
            try {
                note(AgentCodec.event(frame));
            } catch (AgentCodec.MalformedException e) {
                lose("its agent sent a frame that is no event: " + e.getMessage());
                return;
            }
        }
        if (!state.isOver() && link.whyOver() != null) {
            lose(link.whyOver());
        }
    }

    private byte[] next() {
        return state.isOver() ? null : link.poll();
    }

    private void note(AgentMessage.Event event) {
        switch (event) {
            case AgentMessage.Opened m -> {
                if (state == AgentState.OPENING) {
                    become(m.failure() == null ? AgentState.OPEN : AgentState.UNFIT, m.failure());
                }
            }
            case AgentMessage.Probed m -> probed = m;
            case AgentMessage.Started m -> {
                if (living.contains(m.process()) && running.add(m.process())) {
                    events.add(() -> listener.started(m.process(), m.pid()));
                }
            }
            case AgentMessage.NotStarted m -> {
                if (living.remove(m.process())) {
                    events.add(() -> listener.notStarted(m.process(), m.why()));
                }
            }
            case AgentMessage.Dead m -> died(m.death());
            case AgentMessage.Vitals m -> vitals.put(m.process(), m.vitals());
            case AgentMessage.Line m -> printer.add(m);
            case AgentMessage.Broken m -> printer.broken(m.process(), m.why());
            case AgentMessage.OutputFinished m -> outputFinished = m;
            case AgentMessage.Killed m -> killed = m;
            case AgentMessage.Beat m -> {
                room = new HostRoom(room.cores(), m.availableBytes());
                echoedNanos = m.agentNanos();
                call();
            }
            case AgentMessage.Counted m -> {
                if (living.contains(m.process())) {
                    counted.put(m.process(), m.counters());
                    counters.accept(m.counters(), m.process());
                }
            }
            case AgentMessage.Stuck m -> stuck.told(m.address(), m.nanos(), clock.nanoTime());
            case AgentMessage.Leaving m -> leaving = m.why();
            case AgentMessage.Facts m -> lose("its agent said twice what it is");
        }
    }

    private void died(Death death) {
        if (living.remove(death.process())) {
            running.remove(death.process());
            vitals.remove(death.process());
            counted.remove(death.process());
            silence.died();
            events.add(() -> listener.dead(death));
        }
    }

    /** So long neither it nor any of its processes was heard, as far as that proves anything. */
    public long hostSilentNanos(long nowNanos) {
        return silence.hostNanos(nowNanos, living);
    }

    /** Asks it to show that it lives: where its kernel is gone, this one's finds that nobody answers. */
    public void call() {
        say(new AgentMessage.Echo(echoedNanos));
    }

    /** Addresses at which it is reached. */
    public List<String> addresses() {
        return Stream.concat(Stream.of(facts.address()), facts.addresses().stream()).toList();
    }

    /** So long it may be silent, or not reach another host, where others miss it too. */
    public long missedNanos() {
        return silence.missedNanos();
    }

    /** So long nothing was heard of it, as far as that proves anything. */
    public long silentNanos(long nowNanos) {
        return silence.agentNanos(nowNanos);
    }

    /** Whether what it tells of its links has been heard for long enough to be whole, and not old. */
    public boolean tellsOfLinks(long nowNanos) {
        return silence.isWatchedLong(nowNanos);
    }

    /** So long nothing has got through from here to another host; 0 where that is not so, or not known. */
    public long stuckNanos(RemoteAgent other, long nowNanos) {
        if (!tellsOfLinks(nowNanos)) {
            return 0;
        }
        return stuck.longestNanos(other.facts.addresses().stream()
            .filter(address -> !facts.addresses().contains(address)).toList(), nowNanos, silence.missedNanos() / 2);
    }

    /** Has the agent end as if its host had failed; that it is lost is noticed as ever. */
    public void crash() {
        say(new AgentMessage.Crash());
    }

    /** The host is to be lost, for a reason of the job's. */
    public void giveUp(String reason) {
        if (!state.isOver()) {
            lose(reason);
        }
    }

    /** From now on nothing is heard of it. */
    private void lose(String reason) {
        become(AgentState.LOST, reason);
        link.close();
        String cause = "its host " + name + " is lost: " + reason;
        for (int process : List.copyOf(living)) {
            long step = CounterFile.lastStep(counted.get(process));
            events.add(() -> listener.dead(new Death(process, Death.HOST_LOST, cause, null, step, true)));
        }
        counted.clear();
        events.add(() -> listener.hostLost(name, reason));
        living.clear();
        running.clear();
        if (printer != null) {
            printer.close();
        }
    }

    private void say(AgentMessage.Request request) {
        link.send(AgentCodec.encode(request));
    }

    /** Waits for an answer; events wait for {@link #poll}. */
    private boolean await(BooleanSupplier isThere, long nanos) {
        long deadline = clock.nanoTime() + nanos;
        silence.forgive(clock.nanoTime());
        while (!isThere.getAsBoolean() && !state.isOver() && clock.nanoTime() - deadline < 0) {
            receive();
            boolean isSilent = silence.agentNanos(clock.nanoTime()) > timeoutNanos;
            if (!state.isOver() && state.hasAnswered() && isSilent) {
                lose(silence.why());
            }
            if (!isThere.getAsBoolean()) {
                clock.park(this, LOOK_NANOS);
            }
        }
        return isThere.getAsBoolean();
    }

    @Override
    public boolean finishOutput(long timeout) {
        if (state.isOver() || !state.hasAnswered()) {
            return true;
        }
        outputFinished = null;
        say(new AgentMessage.FinishOutput(timeout));
        boolean all = await(() -> outputFinished != null, timeout + ANSWER_NANOS) && outputFinished.all();
        return printer.finish(timeout) && all;
    }

    /** Has all processes killed, and does not wait; {@link #killAll} does. */
    public void askToKill(long timeout) {
        if (!isAsked) {
            isAsked = true;
            say(new AgentMessage.KillAll(timeout));
        }
    }

    @Override
    public List<Integer> killAll(long timeout) {
        if (state.isOver()) {
            return List.of();
        }
        askToKill(timeout);
        if (!await(() -> killed != null, timeout + ANSWER_NANOS)) {
            return state.isOver() ? List.of() : new ArrayList<>(living);
        }
        return killed.left();
    }

    /** The agent ends, and whatever it has left is its own to remove. */
    @Override
    public void close() {
        say(new AgentMessage.Close());
        await(() -> false, state.isOver() ? 0 : TimeUnit.SECONDS.toNanos(5)); // until it has closed the connection
        link.close();
        if (printer != null) {
            printer.close();
        }
    }
}
