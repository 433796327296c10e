package org.ftrma.checkpoint;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import org.ftrma.AtomicOp;
import org.ftrma.Counters;
import org.ftrma.DataType;
import org.ftrma.Job;
import org.ftrma.MisuseException;
import org.ftrma.RotatingSegment;
import org.ftrma.Window;
import org.ftrma.WindowKind;
import org.ftrma.checkpoint.control.Message;
import org.ftrma.spi.MemoryRegion;

/**
 * One computing rank's job over all views: what it has allocated survives, and is handed out again when the program is re-entered. Data
 * thread only.
 */
final class JobImpl implements Job {
    private final Session session;
    private final int incarnation;
    private final Arena arena;
    private final Collectives collectives;
    private final Protection protection;
    /** Null where accesses are not logged. */
    private final Logging logging;
    private final Counters counters;
    /** Null where accesses are not logged at other processes. */
    private final MessageLogging messages;
    private final MemoryNeeds memory;
    private final List<WindowImpl> windows = new ArrayList<>();
    private final List<Local> locals = new ArrayList<>();
    private final List<RotatingImpl> rotating = new ArrayList<>();
    private int windowCursor;
    private int localCursor;
    private int rotatingCursor;
    private long startGeneration;
    private boolean announced;
    private StepLoop loop;

    private record Local(String name, MemorySegment memory) {
    }

    JobImpl(Session session, int incarnation, Set<Fault> faults, Arena arena) {
        this.session = session;
        this.incarnation = incarnation;
        this.arena = arena;
        this.collectives = new Collectives(session, arena);
        this.logging = session.options.protocol().logsPuts()
            ? new Logging(session, collectives, windows, this::step, faults, arena) : null;
        this.counters = new LiveCounters(() -> logging == null ? null : logging.counters());
        this.memory = new MemoryNeeds(session, incarnation == 0 && session.inbox.view() == 1,
            session.options.protocol().logsResults() || session.options.protocol().logsAtChecksum() ? Logging.layout(session).regionBytes() : 0);
        memory.check();
        this.messages = session.options.protocol().logsAtChecksum() ? new MessageLogging(session, collectives, windows, arena) : null;
        List<HeaderPart> libraryState = new ArrayList<>();
        libraryState.add(collectives);
        if (logging != null) {
            libraryState.add(logging);
        }
        this.protection = session.options.isProtected()
            ? new Protection(session, faults, libraryState,
                logging != null ? logging : messages != null ? messages : Logging.NONE, logging, memory) : null;
        session.onLost(peer -> {
            collectives.lost(peer);
            windows.forEach(window -> window.lost(peer));
        });
        session.waiter.suspendWhile(session::someoneAway);
    }

    /** The program is about to be entered in a new view. */
    void enter() {
        collectives.open();
        if (logging != null) {
            logging.open();
        }
        if (messages != null) {
            messages.open();
        }
        windowCursor = 0;
        localCursor = 0;
        rotatingCursor = 0;
        session.phase.enter();
        windows.forEach(window -> window.allowAccesses(false));
        startGeneration = session.inbox.generation();
        loop = new StepLoop(session, this);
        loop.announceStart();
    }

    /** The program returned. */
    void leave() {
        if (!session.phase.isRunning()) {
            session.inbox.place("at its end");
            beginSteps();
        }
        windows.forEach(WindowImpl::checkNoneExclusive);
        session.fabric.flushAll();
        if (logging != null) {
            logging.finish();
        }
        loop.holdIfWatched();
        session.phase.ended();
        windows.forEach(window -> window.allowAccesses(false));
        if (messages != null && session.member == 0) {
            report("messageLogBytes", messages.bytes());
        }
    }

    private void checkAllocation(String what, String name, long bytes) {
        session.inbox.checkThread();
        requireGiven(name, what, "name");
        session.phase.requireAllocation(what, name);
        if (bytes <= 0) {
            throw new MisuseException(what + " " + name + " bytes=" + bytes + ": must be more than 0");
        }
    }

    private static void requireGiven(Object argument, String call, String parameter) {
        if (argument == null) {
            throw new MisuseException(call + ": " + parameter + " is null");
        }
    }

    private static void checkSame(String what, String name, long bytes, String oldName, long oldBytes) {
        if (!oldName.equals(name) || oldBytes != bytes) {
            throw new MisuseException(what + " " + name + " bytes=" + bytes + ": allocated as " + oldName + " bytes=" + oldBytes
                + " when the program was entered before; it must allocate the same in the same order");
        }
    }

    private void checkNew(String what, String name) {
        if (windows.stream().anyMatch(window -> window.name().equals(name)) || locals.stream().anyMatch(local -> local.name().equals(name))
            || rotating.stream().anyMatch(segment -> segment.name.equals(name))) {
            throw new MisuseException(what + " " + name + ": the name is taken; give each window and segment a name of its own");
        }
    }

    @Override
    public Window allocateWindow(String name, long bytes, WindowKind kind) {
        checkAllocation("window", name, bytes);
        requireGiven(kind, "window " + name, "kind");
        session.did("window " + name + " bytes=" + bytes + " kind=" + kind);
        WindowImpl window;
        if (windowCursor < windows.size()) {
            window = windows.get(windowCursor);
            checkSame("window", name, bytes, window.name(), window.bytes());
            if (window.kind() != kind) {
                throw new MisuseException("window " + name + " kind=" + kind + ": allocated as " + window.kind()
                    + " when the program was entered before; it must allocate the same in the same order");
            }
            if (startGeneration == 0) {
                window.memory().fill((byte) 0);
            }
        } else {
            checkNew("window", name);
            if (windows.size() == ControlDescriptor.MAX_WINDOWS) {
                throw new MisuseException("window " + name + ": at most " + ControlDescriptor.MAX_WINDOWS + " windows in a job");
            }
            memory.window(bytes, kind);
            window = new WindowImpl(session, name, windows.size(), bytes, kind);
            windows.add(window);
            if (logging != null) {
                logging.added(window);
            }
        }
        windowCursor++;
        session.inbox.place("in allocateWindow \"" + name + '"');
        window.open(session.exchange(Message.Scope.COMPUTING, window.key()));
        return window;
    }

    @Override
    public MemorySegment protect(String name, long bytes) {
        checkAllocation("protected segment", name, bytes);
        session.did("protected segment " + name + " bytes=" + bytes);
        if (localCursor < locals.size()) {
            Local local = locals.get(localCursor++);
            checkSame("protected segment", name, bytes, local.name(), local.memory().byteSize());
            if (startGeneration == 0) {
                local.memory().fill((byte) 0);
            }
            return local.memory();
        }
        checkNew("protected segment", name);
        memory.local(bytes);
        Local local = new Local(name, arena.allocate(bytes, ImageLayout.BLOCK));
        locals.add(local);
        localCursor++;
        return local.memory();
    }

    @Override
    public RotatingSegment protectRotating(String name, long bytes) {
        checkAllocation("rotating segment", name, bytes);
        session.did("rotating segment " + name + " bytes=" + bytes);
        RotatingImpl segment;
        if (rotatingCursor < rotating.size()) {
            segment = rotating.get(rotatingCursor);
            checkSame("rotating segment", name, bytes, segment.name, segment.bytes);
            if (startGeneration == 0) {
                segment.clear();
            }
        } else {
            checkNew("rotating segment", name);
            if (rotating.size() == ImageLayout.MAX_ROTATING) {
                throw new MisuseException("rotating segment " + name + ": at most " + ImageLayout.MAX_ROTATING + " in a job");
            }
            memory.rotating(bytes);
            int buffers = protection == null ? 2 : ImageLayout.buffers(session.options);
            MemoryRegion region = session.fabric.expose(buffers * ImageLayout.align(bytes));
            segment = new RotatingImpl(name, bytes, region, buffers, session.phase);
            rotating.add(segment);
        }
        rotatingCursor++;
        return segment;
    }

    @Override
    public void initialize(Runnable body) {
        session.inbox.checkThread();
        requireGiven(body, "initialize", "body");
        session.phase.requireInitialization();
        if (startGeneration > 0) {
            return;
        }
        if (session.phase.isInitializing()) {
            body.run();
            return;
        }
        announce();
        session.phase.initializing(true);
        windows.forEach(window -> window.allowAccesses(true));
        try {
            body.run();
        } finally {
            session.phase.initializing(false);
            windows.forEach(window -> window.allowAccesses(false));
        }
    }

    private void announce() {
        if (protection == null || announced) {
            return;
        }
        announced = true;
        if (session.member == 0) { // for all: windows and protected segments have the same size everywhere
            protection.announce(windows, locals.stream().map(Local::memory).toList(), rotating);
        }
        if (logging != null) {
            logging.expect(windows.stream().filter(window -> window.kind() == WindowKind.PROTECTED).mapToLong(WindowImpl::bytes).sum()
                + locals.stream().mapToLong(local -> local.memory().byteSize()).sum() + rotating.stream().mapToLong(segment -> segment.bytes).sum());
        }
        if (startGeneration == 0) {
            tellRegions();
            awaitPages();
        }
    }

    /** The checksum ranks may map what rotates while the program initializes. What is copied into images has no memory yet. */
    private void tellRegions() {
        for (RotatingImpl segment : rotating) {
            if (segment.bytes >= MappingAhead.LEAST_BYTES && session.fabric.isImmediate()) {
                session.inbox.send(new Message.RegionKey(session.inbox.view(), session.member, segment.region.key()));
            }
        }
    }

    /** Pages that still come when the program computes would take their time from it. If they come too slowly it goes on without. */
    private void awaitPages() {
        long until = session.clock.nanoTime() + session.options.deadlineNanos() / 2;
        for (int turn = 0; session.fabric.isFaulting() && session.clock.nanoTime() < until; turn++) {
            session.fabric.progress();
            session.waiter.outerTurn("pages", session.member, turn, Long.MAX_VALUE);
        }
    }

    @Override
    public Iterable<Long> steps(long iterations) {
        session.inbox.checkThread();
        if (iterations < 0 || iterations > Integer.MAX_VALUE - 1L) {
            throw new MisuseException("iterations=" + iterations + ": must be 0 to " + (Integer.MAX_VALUE - 1));
        }
        session.phase.loop();
        loop.iterations(iterations);
        StepLoop ofThisEntry = loop;
        return ofThisEntry::handOut;
    }

    /** All ranks have allocated; returns the step to go on from. */
    long beginSteps() {
        session.did(session.phase.hasLoop() ? "the loop over " + loop.iterations() + " steps" : "the end, without a loop over steps");
        announce();
        if (windowCursor < windows.size() || localCursor < locals.size() || rotatingCursor < rotating.size()) {
            throw new MisuseException("steps: the program allocated less than when it was entered before");
        }
        if (logging != null) {
            logging.endRehearsal();
        }
        long step = protection == null ? 0 : protection.open(windows, locals.stream().map(Local::memory).toList(), rotating);
        if (logging != null) {
            logging.forget();
        }
        if (messages != null) {
            messages.start();
        }
        if (protection == null && logging == null) {
            // Nobody is ever replaced, so nobody needs the coordinator's word.
            session.sayReady();
            session.waiter.timeoutNanos(Long.MAX_VALUE);
            collectives.barrier(CollectiveCall.Kind.START);
            session.waiter.timeoutNanos(session.options.deadlineNanos());
        } else {
            session.awaitGo();
        }
        if (logging != null) {
            if (session.inbox.recovery() > 0 && session.member == 0) {
                protection.schedule().rebuildWord();
            }
            logging.start(step);
        }
        if (protection != null) {
            protection.atStart();
        }
        session.phase.running();
        windows.forEach(window -> window.allowAccesses(true));
        return step;
    }

    /** Whether this rank is a replacement that the others do not count on yet. */
    boolean isReplaying() {
        return logging != null && logging.replaying();
    }

    void stepBegins() {
        for (int i = 0; i < rotating.size(); i++) {
            rotating.get(i).beginStep();
        }
    }

    void atBoundary(long step) {
        if (protection != null) {
            protection.atBoundary(step);
        }
    }

    @Override
    public int rank() {
        return session.member;
    }

    @Override
    public int ranks() {
        return session.ranks;
    }

    @Override
    public int incarnation() {
        return incarnation;
    }

    @Override
    public long step() {
        return loop.step();
    }

    /** A collective of the program begins. */
    private void entering(String collective) {
        session.inbox.drainIfReady();
        session.phase.requireAccess(collective);
    }

    /** A collective completed. */
    private void completed(boolean gsync) {
        if (logging != null) {
            logging.collective(gsync);
        }
        if (messages != null) {
            messages.collective(gsync);
        }
    }

    @Override
    public void gsync() {
        entering("gsync");
        if (logging != null) {
            logging.answer();
        }
        session.fabric.flushAll();
        if (logging != null) {
            logging.closing();
        }
        if (messages != null) {
            messages.closing();
        }
        collectives.barrier(CollectiveCall.Kind.GSYNC);
        completed(true);
    }

    @Override
    public void barrier() {
        entering("barrier");
        collectives.barrier(CollectiveCall.Kind.BARRIER);
        completed(false);
    }

    @Override
    public void broadcast(MemorySegment data, int root) {
        entering("broadcast");
        if (root == session.member) {
            LocalMemory.checkRead(data, "broadcast", "data");
        } else {
            LocalMemory.checkWritten(data, "broadcast", "data");
        }
        collectives.broadcast(data, root);
        completed(false);
    }

    @Override
    public void allReduce(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination) {
        entering("allReduce");
        requireGiven(op, "allReduce", "op");
        requireGiven(type, "allReduce", "type");
        LocalMemory.checkRead(source, "allReduce", "source");
        LocalMemory.checkWritten(destination, "allReduce", "destination");
        collectives.allReduce(op, type, source, destination);
        completed(false);
    }

    @Override
    public double allReduce(AtomicOp op, double value) {
        entering("allReduce");
        requireGiven(op, "allReduce", "op");
        double result = Double.longBitsToDouble(collectives.allReduceOne(op, DataType.FLOAT64, Double.doubleToRawLongBits(value)));
        completed(false);
        return result;
    }

    @Override
    public long allReduce(AtomicOp op, long value) {
        entering("allReduce");
        requireGiven(op, "allReduce", "op");
        long result = collectives.allReduceOne(op, DataType.INT64, value);
        completed(false);
        return result;
    }

    @Override
    public void allGather(MemorySegment source, MemorySegment destination) {
        entering("allGather");
        LocalMemory.checkRead(source, "allGather", "source");
        LocalMemory.checkWritten(destination, "allGather", "destination");
        collectives.allGather(source, destination);
        completed(false);
    }

    @Override
    public void progress() {
        session.inbox.drainIfReady();
        if (logging != null) {
            logging.progress();
        }
        if (!session.fabric.isImmediate()) {
            session.fabric.progress();
        }
    }

    @Override
    public long nondeterministic(LongSupplier supplier) {
        session.inbox.checkThread();
        session.phase.requireAccess("nondeterministic");
        requireGiven(supplier, "nondeterministic", "supplier");
        return logging == null ? supplier.getAsLong() : logging.nondeterministic(supplier);
    }

    @Override
    public Counters counters() {
        return counters;
    }

    @Override
    public void report(String key, String value) {
        requireGiven(value, "report", "value");
        report(key, "S", value);
    }

    private void report(String key, String type, String value) {
        session.inbox.checkThread();
        requireGiven(key, "report", "key");
        session.inbox.send(new Message.Report(key, type, value));
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
