package org.ftrma.checkpoint;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.ftrma.Counters;
import org.ftrma.DataType;
import org.ftrma.WindowKind;
import org.ftrma.checkpoint.control.Message;
import org.ftrma.checkpoint.control.RecoveryFigures;
import org.ftrma.checkpoint.log.AccessLog;
import org.ftrma.checkpoint.log.Coverage;
import org.ftrma.checkpoint.log.LogCounters;
import org.ftrma.checkpoint.log.LogDescriptor;
import org.ftrma.checkpoint.log.LogImage;
import org.ftrma.checkpoint.log.LogRegion;
import org.ftrma.spi.MemoryRegion;
import org.ftrma.spi.RemoteMemory;

/**
 * Access logging of one computing rank over all views: its log region, its {@link AccessLog}, what is dropped when a generation is committed, and its
 * recovery by replay when it is a replacement. What counts is logged from the first step on: the first image is taken there. A program that starts
 * from nothing logs its initialization too, as a rehearsal that is then forgotten: it runs the same code as the steps, so that the compiler has seen
 * that code when the steps begin, and peers' log regions are open. Data thread only.
 */
final class Logging implements HeaderPart, PeerEvents, Protection.CutListener, AccessLog.LogHome, Recovery.Surroundings {
    /** A job without logs. */
    static final Protection.CutListener NONE = new Protection.CutListener() {
        @Override
        public boolean needsCut() {
            return false;
        }

        @Override
        public void beforeCopy() {
            // nothing
        }

        @Override
        public void copied(long generation) {
            // nothing
        }

        @Override
        public boolean replaying() {
            return false;
        }
    };

    private static final MemorySegment NO_COUNTERS = LogImage.empty();
    private static final long CHUNKS_PER_RANK = 32;
    private static final long MIN_CHUNK = 4096;
    private final Session session;
    private final Collectives collectives;
    private final List<WindowImpl> windows;
    private final LongSupplier step;
    private final Set<Fault> faults;
    private final Arena arena;
    private final LogDescriptor layout;
    private final LogRegion[] regions;
    private final RemoteMemory[] memories;
    private final LogPages pages;
    private MemoryRegion region;
    private boolean rehearsing;
    private Contributions keys;
    private AccessLog log;
    /** What was logged in the initialization, until the steps begin. */
    private AccessLog rehearsed;
    private Recovery recovery;
    /** The counters of the image that this rank restored. */
    private MemorySegment imageCounters = NO_COUNTERS;
    private long pendingGeneration;
    private long[] pendingMarks;
    private boolean trimLater;
    /** Where this rank's results ended when the demand checkpoint was taken that is pending. */
    private long[] pendingResults;
    private DemandNeeds needs;
    private LogBudget budget;
    private Slots slots;
    private long entered;
    private long restored;
    private int lastRecovery;

    Logging(Session session, Collectives collectives, List<WindowImpl> windows, LongSupplier step, Set<Fault> faults, Arena arena) {
        this.faults = faults;
        this.step = step;
        this.session = session;
        this.collectives = collectives;
        this.windows = windows;
        this.arena = arena;
        this.layout = layout(session);
        this.needs = new DemandNeeds(session);
        this.pages = new LogPages(session);
        this.regions = new LogRegion[session.ranks];
        this.memories = new RemoteMemory[session.ranks];
        session.inbox.listen(this);
    }

    /** The layout of a rank's logs. */
    static LogDescriptor layout(Session session) {
        long budget = session.options.logBudgetBytes();
        return new LogDescriptor(session.ranks, budget,
            (int) Math.clamp(Long.highestOneBit(budget / (CHUNKS_PER_RANK * session.ranks)), MIN_CHUNK, LogDescriptor.CHUNK_BYTES));
    }

    /** To be called at the program's entry in each view: all logs are empty, and nothing that counts is logged before {@link #start}. */
    void open() {
        entered = session.clock.nanoTime();
        if (session.inbox.recovery() > 0 && !session.fabric.isImmediate()) {
            // Before this process reaches for another one: who has found the lost one gone has given up its accesses, and can be reached no more.
            throw session.fallBack(FallbackReason.NETWORK_PATH, "rank " + session.member + " cannot map memory");
        }
        log = null;
        rehearsed = null;
        recovery = null;
        pendingGeneration = 0;
        trimLater = false;
        pendingResults = null;
        needs = new DemandNeeds(session);
        budget = new LogBudget(session);
        imageCounters = NO_COUNTERS;
        java.util.Arrays.fill(regions, null);
        java.util.Arrays.fill(memories, null);
        windows.forEach(window -> {
            window.intercept(null);
            window.recoverWith(null);
        });
        collectives.logTo(null);
        if (region == null) {
            region = session.fabric.exposeLazily(layout.regionBytes());
        }
        if (!faults.contains(Fault.LOGS_SURVIVE) || keys == null) {
            format();
        }
        keys = session.exchange(Message.Scope.COMPUTING, region.key());
        rehearsing = session.inbox.generation() == 0 && session.inbox.recovery() == 0;
        if (rehearsing) {
            log = newLog();
            windows.forEach(this::added);
            collectives.logTo(log::result);
        }
    }

    private AccessLog newLog() {
        return new AccessLog(session.member, layout, this, collectives.entered(), session.options.protocol().logsResults(), faults);
    }

    private void format() {
        layout.format(region.segment(), session.inbox.view() << 16 | session.inbox.recovery() & 0xffff);
    }

    /** A window was allocated. */
    void added(WindowImpl window) {
        if (rehearsing) {
            window.intercept(log);
        }
    }

    /**
     * All is allocated that is protected: the logs will take pages. Those of a first process may come while the program initializes, those of a
     * replacement from {@link #start} on, for its memory is restored first.
     */
    void expect(long protectedBytes) {
        pages.expect(protectedBytes);
        if (rehearsing) {
            pages.take(region);
        }
    }

    /** The initialization is over. The members exchange something before {@link #forget}. */
    void endRehearsal() {
        if (rehearsing) {
            session.fabric.flushAll();
            rehearsed = log;
            log = null;
            windows.forEach(window -> window.intercept(null));
            collectives.logTo(null);
        }
    }

    /** Nobody logs the initialization any more. Nobody logs a step before the members have agreed to go. */
    void forget() {
        if (rehearsing) {
            rehearsing = false;
            java.util.Arrays.fill(regions, null);
            format();
        }
    }

    /** All hold their state: accesses are logged from here on; a replacement replays. */
    void start(long step) {
        restored = session.clock.nanoTime();
        log = newLog();
        if (rehearsed != null) {
            log.expectLike(rehearsed);
            rehearsed = null;
        }
        if (imageCounters != NO_COUNTERS) {
            new LogImage(log, imageCounters, 0).restore();
        }
        windows.forEach(window -> window.intercept(log));
        collectives.logTo(log::result);
        if (session.fabric.isImmediate()) {
            // Memory that another process has mapped need not be freed before a killed one is dead.
            region((session.member + session.ranks - 1) % session.ranks);
        }
        if (session.inbox.recovery() > 0) {
            replay(step);
        }
        pages.take(region); // nobody waits any more for what this would slow down
    }

    private void replay(long step) {
        LogImage image = new LogImage(log, imageCounters, 0);
        boolean fromDemand = session.inbox.latest(session.member) > 0;
        recovery = new Recovery(session, this, collectives, layout, step, fromDemand ? image.coverage() : null, hasScratch(), faults);
        recovery.figure(RecoveryFigures.JOIN_NANOS, entered - session.assignedNanos);
        recovery.figure(RecoveryFigures.REBUILD_NANOS, restored - entered);
        session.meetAll();
        keys.fetch(session.ranks);
        recovery.begin(image.marks(), image.recoveriesOver());
        keys.forget();
        for (int rank = 0; rank < session.ranks; rank++) {
            if (rank != session.member) {
                log.inherit(rank);
                log.resume(rank, faults.contains(Fault.REPLAY_TWICE) ? 0 : recovery.closedEpochs()[rank]);
            }
        }
        if (fromDemand) {
            image.lackPutsBefore();
            image.lackLocksBefore(LogImage.recoveryNumber(session.inbox.view(), session.inbox.recovery()));
            if (!faults.contains(Fault.LOST_COLLECTIVES_FORGOTTEN)) {
                image.lackCollectivesBefore();
            }
        }
        windows.forEach(window -> window.recoverWith(recovery));
        collectives.recoverWith(recovery);
        recovery.agreed(restored);
    }

    @Override
    public int imageBytes() {
        return LogImage.bytes(session.ranks);
    }

    @Override
    public long save(MemorySegment image, long offset) {
        return new LogImage(log, image, offset).save();
    }

    @Override
    public void restore(MemorySegment image, long offset, long length) {
        LogImage.check(image, offset, length, session.ranks);
        imageCounters = MemorySegment.ofArray(image.asSlice(offset, length).toArray(ValueLayout.JAVA_LONG));
    }

    @Override
    public LogRegion region(int rank) {
        LogRegion one = regions[rank];
        if (one == null) {
            RemoteMemory memory = memories[rank];
            if (memory == null) {
                memory = session.attach(rank, () -> keys.of(rank));
                memories[rank] = memory;
            }
            one = new LogRegion(layout, rank, session.member, memory, rank == session.member ? region.segment() : memory.mapped(),
                () -> session.fabric.flush(rank), arena);
            if (session.options.isStagedInLog()) {
                one.packHere();
            }
            regions[rank] = one;
        }
        return one;
    }

    @Override
    public boolean isAway(int rank) {
        return session.isMissing(rank);
    }

    @Override
    public void flush(int rank) {
        session.fabric.flush(rank);
    }

    @Override
    public MemorySegment window(int index) {
        return windows.get(index).memory();
    }

    @Override
    public boolean isScratch(int index) {
        return windows.get(index).kind() == WindowKind.SCRATCH;
    }

    @Override
    public long valueAt(int index, int rank, DataType type, long offset) {
        return windows.get(index).valueAt(rank, type, offset);
    }

    @Override
    public boolean ownLockWasPassedOn() {
        return windows.stream().anyMatch(window -> window.locks.ownWasPassedOn());
    }

    @Override
    public boolean lockWasGivenBack() {
        return windows.stream().anyMatch(window -> window.locks.wasGivenBack());
    }

    private boolean hasScratch() {
        return windows.stream().anyMatch(window -> window.kind() == WindowKind.SCRATCH);
    }

    @Override
    public void rebuildLocks() {
        if (faults.contains(Fault.LOCK_NOT_REBUILT)) {
            return;
        }
        windows.forEach(window -> window.locks.rebuildWord());
    }

    @Override
    public long suppressedPuts() {
        return log.suppressedPuts();
    }

    @Override
    public long step() {
        return step.getAsLong();
    }

    @Override
    public LogCounters moment() {
        return log.counters();
    }

    @Override
    public void opened() {
        recovery = null;
        log.recoveryOver(LogImage.recoveryNumber(session.inbox.view(), session.inbox.recovery()));
        windows.forEach(window -> window.recoverWith(null));
        collectives.recoverWith(null);
    }

    /** Gets that were postponed by a replay get their data. */
    void answer() {
        if (recovery != null) {
            recovery.answer(-1);
        }
    }

    /** The program computes, and lets what is under way go on. */
    void progress() {
        if (log != null) {
            log.progress();
        }
    }

    /** All accesses are complete: epochs close at all targets. */
    void closing() {
        if (log != null) {
            log.flushed(0, -1);
        }
    }

    void collective(boolean gsync) {
        if (log != null) {
            log.collective(collectives.entered(), gsync);
            if (rehearsing && log.runsLow()) {
                log.forgetAll();
            }
        }
    }

    long nondeterministic(LongSupplier supplier) {
        if (log == null) {
            return supplier.getAsLong();
        }
        if (recovery != null && recovery.replaysValue()) {
            return recovery.value();
        }
        long value = supplier.getAsLong();
        log.nondeterministic(value);
        return value;
    }

    /** Null before {@link #start}. */
    Counters counters() {
        return log == null || rehearsing ? null : log.counters();
    }

    /** The program returned. */
    void finish() {
        if (recovery != null) {
            recovery.answer(-1);
            recovery.open();
        }
        log.settle();
        budget.check(log.counters());
        report("putBytes", log.counters().putLogBytes());
        report("getBytes", log.counters().getLogBytes());
        report("records", log.counters().records());
        report("dropped", log.counters().droppedLogs());
        report("peakBytes", log.demand().peakBytes());
    }

    private void report(String key, long value) {
        session.inbox.send(new Message.Report("log." + session.member + "." + key, "L", Long.toString(value)));
    }

    @Override
    public boolean needsCut() {
        if (trimLater) {
            trim();
        }
        if (log == null || recovery != null) {
            return false;
        }
        budget.check(log.counters());
        return log.runsLow();
    }

    @Override
    public void beforeCopy() {
        if (recovery != null) {
            recovery.open();
            session.fabric.flushAll(); // gets that it had put off
        }
        if (log != null) {
            log.demand().arrivedAll();
            log.demand().openLacking();
        }
    }

    @Override
    public void copied(long generation) {
        pendingGeneration = generation;
        pendingMarks = log.marks();
    }

    @Override
    public boolean replaying() {
        return recovery != null;
    }

    @Override
    public void committed(long generation) {
        if (log != null && generation == pendingGeneration) {
            pendingGeneration = 0;
            if (session.fabric.isImmediate()) {
                trim();
            } else {
                trimLater = true; // this may be inside of a wait for the very regions
            }
        }
    }

    private void trim() {
        trimLater = false;
        log.trim(faults.contains(Fault.TRIM_TOO_LATE) ? log.marks() : pendingMarks);
    }

    /** Where demand checkpoints of this rank go. */
    void checkpointsInto(Slots images) {
        slots = images;
    }

    /**
     * Others' atomic updates of this rank's windows wait from now on, until {@link #allowUpdates}; all earlier ones are complete when this returns.
     *
     * @param isWanted whether the demand checkpoint is still wanted
     * @return what an image includes that is taken now; null if it is not wanted any more
     */
    Coverage holdUpdates(BooleanSupplier isWanted) {
        log.demand().arrivedAll();
        log.demand().openLacking();
        LogRegion own = region(session.member);
        own.hold(!faults.contains(Fault.UPDATES_NOT_HELD));
        session.waiter.begin("the end of others' atomic updates", -1);
        while (log.demand().isBeingUpdated() && isWanted.getAsBoolean()) {
            session.fabric.progress();
            session.waiter.turn();
        }
        if (!isWanted.getAsBoolean()) {
            return null;
        }
        Coverage covered = coverage();
        if (faults.contains(Fault.IMAGE_CLAIMS_TOO_MUCH)) {
            java.util.Arrays.setAll(covered.closed(), rank -> covered.closed()[rank] + 1);
        }
        return covered;
    }

    private Coverage coverage() {
        return log.demand().coverage(session.fabric::progress, !faults.contains(Fault.F_READ_ONCE));
    }

    /** Others may go on with atomic updates. */
    void allowUpdates() {
        region(session.member).hold(false);
    }

    /** The image of a demand checkpoint is complete: it includes all results so far. Returns what it includes of others' accesses. */
    Coverage demandTaken(Coverage covered) {
        pendingResults = log.resultMarks();
        return faults.contains(Fault.F_READ_LATE) ? coverage() : covered;
    }

    /** At a step boundary: asks for demand checkpoints where logs run low, or lack something. */
    void askForDemand() {
        if (session.options.hasDemandCheckpoints() && log != null && recovery == null && session.inbox.generation() > 0
            && session.fabric.isImmediate()) {
            needs.ask(log);
        }
    }

    @Override
    public void demandCommitted(Message.DemandCommitted m) {
        Coverage covered = Coverage.of(m.covered(), session.ranks);
        if (m.member() == session.member) {
            slots.latest(m.tag());
            if (pendingResults != null && log != null) {
                log.trimResults(pendingResults);
            }
            pendingResults = null;
        } else if (log != null && covered != null) {
            log.demand().trimFor(m.member(), covered, this::isScratch, hasScratch());
        }
        needs.answered(m.member(), true);
    }

    @Override
    public void demandAbandoned(Message.DemandAbandoned m) {
        if (m.member() == session.member) {
            pendingResults = null;
        }
        needs.answered(m.member(), false);
    }

    @Override
    public void lost(int member, int number) {
        session.peerLost(member);
        lastRecovery = number;
        if (member < session.ranks) {
            windows.forEach(window -> window.locks.publish(member));
            regions[member] = null;
            memories[member] = null;
            if (log != null) {
                if (log.isBehindUnderLock(member)) {
                    session.inbox.send(new Message.Fallback(session.inbox.view(), FallbackReason.UNORDERED_CONFLICT.name(), "rank " + member
                        + " was lost before rank " + session.member + ", a replacement, had done again what it did there under a lock"));
                }
                log.lost(member);
                log.demand().forget(pendingMarks, member);
                log.demand().forget(pendingResults, member);
            }
        }
    }

    @Override
    public void checksumLost(int member) {
        session.checksumLost(member);
    }

    @Override
    public void opened(int member) {
        session.peerOpened(member);
        if (log != null) {
            log.recoveryOver(LogImage.recoveryNumber(session.inbox.view(), lastRecovery));
        }
    }
}
