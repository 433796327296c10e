package org.ftrma.runtime;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.ftrma.AtomicOp;
import org.ftrma.Channel;
import org.ftrma.Counters;
import org.ftrma.DataType;
import org.ftrma.Distribution;
import org.ftrma.Generation;
import org.ftrma.Job;
import org.ftrma.MisuseException;
import org.ftrma.RotatingSegment;
import org.ftrma.Team;
import org.ftrma.Window;
import org.ftrma.WindowKind;
import org.ftrma.core.checkpoint.Checkpoints;
import org.ftrma.core.checkpoint.CoordinatedCheckpoints;
import org.ftrma.core.checkpoint.MemoryNeeds;
import org.ftrma.core.checkpoint.Unprotected;
import org.ftrma.core.collective.Collectives;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.image.CheckpointedState;
import org.ftrma.core.image.RotatingImpl;
import org.ftrma.core.protocol.RecoveryProtocol;
import org.ftrma.core.protocol.RecoveryProtocols;
import org.ftrma.core.session.Exchanges;
import org.ftrma.core.session.Inbox;
import org.ftrma.core.session.MembershipListener;
import org.ftrma.core.session.PeerFailureHandling;
import org.ftrma.core.session.PeerPaths;
import org.ftrma.core.session.ProgramPhase;
import org.ftrma.core.session.Session;
import org.ftrma.core.session.StateListener;
import org.ftrma.messaging.MessageEngine;
import org.ftrma.options.JobOptions;
import org.ftrma.rma.logging.AccessLogging;
import org.ftrma.rma.logging.AccessProtocol;
import org.ftrma.rma.logging.ChecksumLogging;
import org.ftrma.rma.logging.LiveCounters;
import org.ftrma.rma.logging.LogRegions;
import org.ftrma.rma.logging.UnloggedAccesses;
import org.ftrma.rma.window.WindowImpl;
import org.ftrma.spi.Fabric;
import org.ftrma.team.ChannelTeam;
import org.ftrma.team.WindowTeam;

/**
 * One computing rank's job over all views: what it has allocated survives, and is handed out again when the program is
 * re-entered. Data thread only.
 */
final class JobImpl implements Job {
    private final Session session;
    private final Fabric fabric;
    private final Inbox inbox;
    private final JobOptions options;
    private final PeerPaths paths;
    private final Exchanges exchanges;
    private final PeerFailureHandling survivor;
    private final ProgramPhase phase;
    private final StateListener states;
    private final int incarnation;
    private final Collectives collectives;
    private final ProgramCollectives calls;
    private final Commits commits;
    private final Checkpoints checkpoints;
    private final AccessProtocol accesses;
    /** That of accesses, and further ones. */
    private final RecoveryProtocols protocols;
    private final Counters counters;
    private final MessageEngine messages;
    private final boolean isMessageLogged;
    private final MemoryNeeds memory;
    private final Allocations allocations;
    private final MemoryAnnouncement announcement;
    private long startGeneration;
    private boolean hasReturned;
    private StepLoop loop;

    JobImpl(Session session, int incarnation, Function<Session, List<RecoveryProtocol>> further, Arena arena) {
        this.session = session;
        this.fabric = session.fabric;
        this.inbox = session.inbox;
        this.options = session.options;
        this.paths = session.paths;
        this.exchanges = session.exchanges;
        this.survivor = session.survivor;
        this.phase = session.phase;
        this.states = session.states;
        this.incarnation = incarnation;
        this.collectives = new Collectives(session, arena);
        this.memory = new MemoryNeeds(fabric, inbox, options, session.store, session.share, incarnation > 0,
            options.protocol().logsResults() || options.protocol().logsAtChecksum()
            ? LogRegions.layout(options).regionBytes() : 0);
        memory.check();
        this.allocations = new Allocations(session, arena, memory);
        List<WindowImpl> windows = allocations.windows();
        inbox.listen(new MembershipListener() {
            @Override
            public void lost(int peer, int recovery) {
                collectives.lost(peer);
                windows.forEach(window -> window.close(peer));
            }
        });
        this.accesses = accesses(session, arena);
        this.isMessageLogged = options.protocol().logsMessages();
        this.counters = new LiveCounters(accesses::counters);
        List<RecoveryProtocol> all = new ArrayList<>(List.of(accesses));
        this.messages = new MessageEngine(session, arena, this::step);
        session.idle.is(messages::serve);
        all.add(messages);
        all.addAll(further.apply(session));
        this.commits = new Commits(inbox, phase, allocations::allowAccesses);
        all.add(commits);
        this.protocols = new RecoveryProtocols(all);
        this.calls = new ProgramCollectives(inbox, options, survivor, phase, session.member, collectives,
            protocols, messages);
        List<CheckpointedState> libraryState = new ArrayList<>();
        libraryState.add(collectives);
        libraryState.addAll(protocols.imageParts());
        this.checkpoints = options.isProtected()
            ? new CoordinatedCheckpoints(session, libraryState, this::lockState,
                this::obstacle, protocols, isMessageLogged ? messages.gate() : accesses.gate(), memory)
            : new Unprotected(session.waiter, exchanges, collectives);
        this.announcement = new MemoryAnnouncement(session, checkpoints, protocols, allocations);
        session.waiter.suspendWhile(session.away::isAny);
    }

    private AccessProtocol accesses(Session session, Arena arena) {
        if (options.protocol().logsPuts()) {
            return new AccessLogging(session, collectives, allocations.windows(), this::step, arena);
        }
        return options.protocol().logsAtChecksum()
            ? new ChecksumLogging(session, collectives, allocations.windows(), arena) : new UnloggedAccesses();
    }

    private List<CheckpointedState> lockState() {
        List<CheckpointedState> state = new ArrayList<>(messages.inTransit());
        allocations.windows().forEach(window -> state.add(window.locks));
        return state;
    }

    private String obstacle() {
        for (WindowImpl window : allocations.windows()) {
            if (window.locks.exclusiveHeld() > 0) { // C7
                return "an exclusive lock of window " + window.name() + " is held at the step boundary";
            }
        }
        return messages.obstacle();
    }

    /** The program is about to be entered in a new view. */
    void enter() {
        hasReturned = false;
        collectives.open();
        protocols.enterView();
        phase.enter();
        startGeneration = inbox.generation();
        allocations.enter(startGeneration == 0);
        if (isMessageLogged) {
            messages(); // collectives of the job are those of its channel
        }
        loop = new StepLoop(session, this);
        loop.announceStart();
    }

    /** The program returned. */
    void leave() {
        inbox.drain();
        if (!phase.isRunning()) {
            inbox.place("at its end");
            beginSteps();
        }
        allocations.windows().forEach(WindowImpl::checkNoneExclusive);
        messages.checkNoneOpen("the end of the program");
        survivor.flushAll();
        protocols.finish();
        loop.end();
        commits.tell();
        phase.ended();
        allocations.allowAccesses(false);
        publish();
        protocols.report(this::report);
        hasReturned = true;
    }

    /** Which collectives of messages the program has called. */
    String called() {
        return messages.called();
    }

    /** Tells what was counted so far to who keeps it for others. */
    void publish() {
        accesses.publish(states);
    }

    /** The program was left, by its end or by an exception: its own memory may be gone. */
    void left() {
        if (!isMessageLogged || !hasReturned) {
            messages.left(); // else others may need what it has sent
        }
    }

    @Override
    public Window allocateWindow(String name, long bytes, WindowKind kind) {
        int known = allocations.windows().size();
        return opened(allocations.window(name, bytes, kind), known);
    }

    @Override
    public Window allocateUnequal(String name, long bytes, WindowKind kind) {
        int known = allocations.windows().size();
        return opened(allocations.unequalWindow(name, bytes, kind), known);
    }

    /** A window that is handed out, and is new if there were fewer. */
    private Window opened(WindowImpl window, int known) {
        if (allocations.windows().size() > known) {
            accesses.added(window);
        }
        inbox.place("in allocateWindow \"" + window.name() + '"');
        window.open(exchanges.of(ControlMessage.Scope.COMPUTING, window.key()));
        return window;
    }

    @Override
    public MemorySegment protect(String name, long bytes) {
        return allocations.local(name, bytes);
    }

    @Override
    public RotatingSegment protectRotating(String name, long bytes) {
        return allocations.rotating(name, bytes, checkpoints.rotatingBuffers());
    }

    @Override
    public boolean hasState() {
        return phase.hasState();
    }

    @Override
    public void initialize(Runnable body) {
        inbox.checkThread();
        ProgramCollectives.requireGiven(body, "initialize", "body");
        phase.requireInitialization();
        if (startGeneration > 0) {
            return;
        }
        if (phase.isInitializing()) {
            body.run();
            return;
        }
        announcement.send(startGeneration == 0);
        phase.initializing(true);
        allocations.allowAccesses(true);
        try {
            body.run();
        } finally {
            phase.initializing(false);
            allocations.allowAccesses(false);
        }
    }

    @Override
    public void parameter(String name, String value) {
        allocations.parameter(name, value);
    }

    @Override
    public void distribution(String name, Distribution distribution) {
        allocations.distribution(name, distribution);
    }

    @Override
    public void onCommit(Consumer<Generation> action) {
        commits.add(action);
    }

    @Override
    public Iterable<Long> steps(long iterations) {
        inbox.checkThread();
        loop.iterate(iterations);
        StepLoop ofThisEntry = loop;
        return ofThisEntry::handOut;
    }

    @Override
    public boolean nextStep() {
        inbox.checkThread();
        return loop.advance();
    }

    @Override
    public void checkpoint() {
        inbox.checkThread();
        if (!loop.isInStep()) {
            throw new MisuseException("checkpoint: no step is being run; call it in the loop: the checkpoint is taken "
                + "at the end of that step");
        }
        checkpoints.askedFor();
    }

    /** All ranks have allocated; returns the step to go on from. */
    long beginSteps() {
        exchanges.recordCall(phase.hasLoop() ? loop.describe() : "the end, without a loop over steps");
        announcement.send(startGeneration == 0);
        allocations.checkComplete();
        protocols.initialized();
        checkpoints.declare(allocations.declared());
        long step = checkpoints.open(allocations.windows(), allocations.locals(), allocations.rotating());
        protocols.restored();
        checkpoints.meet();
        protocols.start(step);
        checkpoints.atStart();
        phase.running();
        allocations.allowAccesses(true);
        commits.tell();
        return step;
    }

    /** Whether this rank is a replacement that the others do not count on yet. */
    boolean isReplaying() {
        return protocols.replaying();
    }

    void stepBegins() {
        List<RotatingImpl> rotating = allocations.rotating();
        for (int i = 0; i < rotating.size(); i++) {
            rotating.get(i).beginStep();
        }
    }

    /** The program has done what belongs to a step. */
    void stepEnds(long step) {
        messages.checkNoneOpen("the end of step " + step);
    }

    void atBoundary(long step) {
        commits.tell();
        checkpoints.atBoundary(step);
    }

    @Override
    public int rank() {
        return session.member;
    }

    @Override
    public int ranks() {
        return options.ranks();
    }

    @Override
    public int incarnation() {
        return incarnation;
    }

    @Override
    public long step() {
        return loop.step();
    }

    @Override
    public void gsync() {
        calls.gsync();
    }

    @Override
    public void barrier() {
        calls.barrier();
    }

    @Override
    public void broadcast(MemorySegment data, int root) {
        calls.broadcast(data, root);
    }

    @Override
    public void allReduce(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination) {
        calls.allReduce(op, type, source, destination);
    }

    @Override
    public double allReduce(AtomicOp op, double value) {
        return calls.allReduce(op, value);
    }

    @Override
    public long allReduce(AtomicOp op, long value) {
        return calls.allReduce(op, value);
    }

    @Override
    public void allGather(MemorySegment source, MemorySegment destination) {
        calls.allGather(source, destination);
    }

    @Override
    public Channel messages() {
        if (messages.inTransit().isEmpty()) {
            memory.messages(messages.bytes(), isMessageLogged ? options.messageLogBytes() : 0);
        }
        return messages.world();
    }

    @Override
    public int[] split(int color, int key) {
        return Splitting.split(inbox, phase, exchanges, options.ranks(), color, key);
    }

    @Override
    public Team team(String name, int color, int key) {
        return isMessageLogged ? ChannelTeam.of(this, name, color, key, survivor::flushAll)
            : WindowTeam.of(this, name, color, key);
    }

    @Override
    public void progress() {
        inbox.drainIfReady();
        protocols.progress();
        if (!paths.areImmediate()) {
            fabric.progress();
        }
    }

    @Override
    public long nondeterministic(LongSupplier supplier) {
        inbox.drainIfReady();
        phase.requireAccess("nondeterministic");
        ProgramCollectives.requireGiven(supplier, "nondeterministic", "supplier");
        if (isMessageLogged) {
            return messages.nondeterministic(supplier);
        }
        return accesses.nondeterministic(supplier);
    }

    @Override
    public Counters counters() {
        return counters;
    }

    @Override
    public void report(String key, String value) {
        ProgramCollectives.requireGiven(value, "report", "value");
        report(key, "S", value);
    }

    private void report(String key, String type, String value) {
        inbox.checkThread();
        ProgramCollectives.requireGiven(key, "report", "key");
        if (isMessageLogged) {
            messages.release();
        }
        inbox.send(new ControlMessage.Report(key, type, value));
    }

    @Override
    public void report(String key, double value) {
        report(key, "D", Double.toString(value));
    }

    @Override
    public void report(String key, long value) {
        report(key, "L", Long.toString(value));
    }

    @Override
    public void report(String key, boolean value) {
        report(key, "B", Boolean.toString(value));
    }
}
