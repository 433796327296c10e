package org.ftrma.rma.logging;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.function.LongSupplier;
import org.ftrma.Counters;
import org.ftrma.core.checkpoint.UpdateGate;
import org.ftrma.core.collective.CollectiveReplay;
import org.ftrma.core.collective.Collectives;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.control.FallbackReason;
import org.ftrma.core.control.RecoveryFigures;
import org.ftrma.core.image.CheckpointedState;
import org.ftrma.core.session.Inbox;
import org.ftrma.core.session.MembershipListener;
import org.ftrma.core.session.PeerFailureHandling;
import org.ftrma.core.session.PeerPaths;
import org.ftrma.core.session.RecoveringRanks;
import org.ftrma.core.session.Session;
import org.ftrma.core.session.StateListener;
import org.ftrma.core.session.StateMachine;
import org.ftrma.core.session.Waiter;
import org.ftrma.options.JobOptions;
import org.ftrma.rma.log.AccessLog;
import org.ftrma.rma.log.LogImage;
import org.ftrma.rma.log.LogMarks;
import org.ftrma.rma.log.LogReader;
import org.ftrma.rma.replay.Replay;
import org.ftrma.rma.replay.ReplayContext;
import org.ftrma.rma.window.WindowImpl;
import org.ftrma.spi.Clock;
import org.ftrma.spi.Fabric;

/**
 * Access logging of one computing rank over all views: its {@link AccessLog}, what is dropped when a generation is
 * committed, and its recovery by replay when it is a replacement. {@link LoggingState} tells its life in a view. What
 * counts is logged from the first step on: the first image is taken there. Data thread only.
 */
public final class AccessLogging implements AccessProtocol, CheckpointedState, MembershipListener {
    private static final MemorySegment NO_COUNTERS = LogImage.empty();

    private final Session session;
    private final Clock clock;
    private final Inbox inbox;
    private final Waiter waiter;
    private final JobOptions options;
    private final PeerPaths paths;
    private final RecoveringRanks away;
    private final PeerFailureHandling survivor;
    private final int member;
    private final Collectives collectives;
    private final List<WindowImpl> windows;
    private final LongSupplier step;
    private final LogRegions regions;
    private final ExpiringContacts contacts;
    private final LogAgreement agreement;
    private final LogPages pages;
    private final DemandGate gate;
    private final StateMachine<LoggingState> state;
    /** What accesses go to where the state says so; in state WARM, what the initialization had logged. */
    private AccessLog log;
    private Replay recovery;
    /** The counters of the image that this rank restored. */
    private MemorySegment imageCounters = NO_COUNTERS;
    private long pendingGeneration;
    private LogMarks pendingMarks;
    /** Those of a generation that was committed, to which the logs are yet to be trimmed; null: they are. */
    private LogMarks marksDue;
    private LogBudget budget;
    private long entered;
    private long restored;
    private int lastRecovery;

    public AccessLogging(Session session, Collectives collectives, List<WindowImpl> windows, LongSupplier step,
        Arena arena) {
        Fabric fabric = session.fabric;
        this.session = session;
        this.clock = session.clock;
        this.inbox = session.inbox;
        this.waiter = session.waiter;
        this.options = session.options;
        this.paths = session.paths;
        this.away = session.away;
        this.survivor = session.survivor;
        this.member = session.member;
        this.collectives = collectives;
        this.windows = windows;
        this.step = step;
        this.regions = new LogRegions(session, windows, arena);
        this.contacts = new ExpiringContacts(session.opened, options, windows, regions);
        this.agreement = new LogAgreement(session.controls, session.peers, away, regions, contacts, member);
        this.pages = new LogPages(fabric, options);
        this.gate = new DemandGate(fabric, inbox, options, waiter, paths, member, regions, this::replaying);
        this.state = new StateMachine<>("access logging", LoggingState.OFF, session.states)
            .allow(LoggingState.OFF, LoggingState.WARMING_UP, LoggingState.REPLAYING, LoggingState.LOGGING)
            .allow(LoggingState.WARMING_UP, LoggingState.WARM, LoggingState.OFF)
            .allow(LoggingState.WARM, LoggingState.LOGGING, LoggingState.OFF)
            .allow(LoggingState.REPLAYING, LoggingState.LOGGING, LoggingState.OFF)
            .allow(LoggingState.LOGGING, LoggingState.OFF);
        inbox.listen(this);
        waiter.whenUntold(this::untold);
    }

    /**
     * The program is told what no log tells of: a replay would not know it, and so there is none of this rank until an
     * image includes it (R38).
     */
    private void untold() {
        if (replaying()) {
            throw waiter.fallBack(FallbackReason.CAUGHT_EXCEPTION, LogReader.UNTOLD);
        }
        if (state.now().logs()) {
            log.lostPeers().untold(); // R38
        }
    }

    /** What demand checkpoints of this rank go through. */
    @Override
    public UpdateGate gate() {
        return gate;
    }

    @Override
    public List<CheckpointedState> imageParts() {
        return List.of(this);
    }

    /** All logs are empty, and nothing that counts is logged before {@link #start}. */
    @Override
    public void enterView() {
        entered = clock.nanoTime();
        if (!state.is(LoggingState.OFF)) {
            state.become(LoggingState.OFF);
        }
        log = null;
        recovery = null;
        pendingGeneration = 0;
        marksDue = null;
        contacts.enterView();
        gate.enterView();
        budget = new LogBudget(inbox, options);
        imageCounters = NO_COUNTERS;
        windows.forEach(WindowImpl::accessDirectly);
        collectives.logTo(null);
        regions.enterView();
        if (inbox.generation() == 0 && inbox.recovery() == 0) {
            state.become(LoggingState.WARMING_UP);
            log = newLog();
            windows.forEach(this::added);
            collectives.logTo(log::result);
        }
    }

    private AccessLog newLog() {
        return new AccessLog(member, regions.layout(), regions, collectives.entered(),
            options.protocol().logsResults());
    }

    @Override
    public void added(WindowImpl window) {
        if (state.is(LoggingState.WARMING_UP)) {
            window.logTo(log);
        }
    }

    /**
     * All is allocated that is protected: the logs will take pages. Those of a first process may come while the program
     * initializes, those of a replacement when its state is back: the others wait for that.
     */
    @Override
    public void expect(long protectedBytes) {
        pages.expect(protectedBytes);
        if (state.is(LoggingState.WARMING_UP)) {
            pages.take(regions.own());
        }
    }

    @Override
    public void initialized() {
        if (state.is(LoggingState.WARMING_UP)) {
            survivor.flushAll();
            state.become(LoggingState.WARM);
            windows.forEach(WindowImpl::accessDirectly);
            collectives.logTo(null);
        }
    }

    /** Nobody logs the initialization any more. Nobody logs a step before the members have agreed to go. */
    @Override
    public void restored() {
        if (state.is(LoggingState.WARM)) {
            regions.forgetAll();
        }
    }

    /** All hold their state: accesses are logged from here on; a replacement replays. */
    @Override
    public void start(long from) {
        restored = clock.nanoTime();
        AccessLog warm = log;
        log = newLog();
        if (state.is(LoggingState.WARM)) {
            log.expectLike(warm);
        }
        if (imageCounters != NO_COUNTERS) {
            new LogImage(log, imageCounters, 0).restore();
        }
        boolean replays = inbox.recovery() > 0;
        state.become(replays ? LoggingState.REPLAYING : LoggingState.LOGGING);
        gate.start(log);
        windows.forEach(window -> window.logTo(log));
        collectives.logTo(log::result);
        int before = regions.layout().buddyOf(member);
        if (paths.isImmediate(before)) {
            // Memory that another process has mapped need not be freed before a killed one is dead.
            regions.region(before);
        }
        if (replays) {
            replay(from);
        } else {
            openWhereLocked();
            pages.take(regions.own());
        }
    }

    /** Locks that the image holds at others: this rank accesses those, though it did not lock anything yet. */
    private void openWhereLocked() {
        for (int rank = 0; rank < options.ranks(); rank++) {
            int home = rank;
            if (rank != member && windows.stream().anyMatch(window -> window.locks.holds(home))) {
                regions.region(rank);
            }
        }
    }

    private void replay(long from) {
        LogImage image = new LogImage(log, imageCounters, 0);
        boolean fromDemand = inbox.latest(member) > 0;
        ReplayContext job = new ReplayOfJob(regions, windows, log, step, this::wentLive);
        recovery = new Replay(session, job, collectives, regions.layout(), from, fromDemand ? image.coverage() : null,
            regions.hasScratch());
        recovery.figure(RecoveryFigures.JOIN_NANOS, entered - session.assignedNanos);
        recovery.figure(RecoveryFigures.REBUILD_NANOS, restored - entered);
        away.leaveOut();
        while (!agreement.isReached(log, image, recovery)) {
            // a rank was lost meanwhile, and is left out
        }
        away.replayWith(recovery::waitsFor);
        if (fromDemand) {
            image.lackPutsBefore(); // D19
            image.lackLocksBefore(LogImage.recoveryNumber(inbox.view(), inbox.recovery()));
            image.lackCollectivesBefore();
        }
        windows.forEach(window -> window.replayWith(recovery));
        collectives.replayWith(recovery);
        recovery.agreed(restored);
    }

    /** The replay is over: the job goes on as if nothing had happened. */
    private void wentLive() {
        state.become(LoggingState.LOGGING);
        recovery = null;
        away.replayWith(null);
        log.recoveryOver(LogImage.recoveryNumber(inbox.view(), inbox.recovery()));
        windows.forEach(WindowImpl::endReplay);
        collectives.replayWith(CollectiveReplay.NONE);
        pages.take(regions.own()); // nobody waits any more for what this would slow down
    }

    @Override
    public int imageBytes() {
        return LogImage.bytes(options.ranks());
    }

    @Override
    public long save(MemorySegment image, long offset) {
        return new LogImage(log, image, offset).save();
    }

    @Override
    public long saveUnused(MemorySegment image, long offset) {
        MemorySegment empty = LogImage.empty();
        MemorySegment.copy(empty, 0, image, offset, empty.byteSize());
        return empty.byteSize();
    }

    @Override
    public void restore(MemorySegment image, long offset, long length) {
        LogImage.check(image, offset, length, options.ranks());
        imageCounters = MemorySegment.ofArray(image.asSlice(offset, length).toArray(ValueLayout.JAVA_LONG));
    }

    /** Gets that were postponed by a replay get their data. */
    @Override
    public void gsyncBegins() {
        if (replaying()) {
            recovery.answer(-1);
        }
    }

    @Override
    public void gsyncFlushed() {
        if (state.now().logs()) {
            log.flushed(0, -1);
        }
    }

    @Override
    public void collectiveOver(boolean isGsync) {
        if (state.now().logs()) {
            log.collective(collectives.entered(), isGsync);
            if (state.is(LoggingState.WARMING_UP) && log.runsLow()) {
                log.forgetAll();
            }
        }
    }

    @Override
    public void progress() {
        if (state.now().logs()) {
            log.progress();
        }
    }

    @Override
    public long nondeterministic(LongSupplier supplier) {
        if (replaying() && recovery.replaysValue()) {
            return recovery.value();
        }
        long value;
        try {
            value = supplier.getAsLong();
        } catch (RuntimeException | Error e) {
            waiter.untold();
            throw e;
        }
        if (state.now().logs()) {
            log.nondeterministic(value);
        }
        return value;
    }

    /** Null before {@link #start}. */
    @Override
    public Counters counters() {
        return state.now().counts() ? log.counters() : null;
    }

    @Override
    public void publish(StateListener listener) {
        if (state.now().counts()) {
            listener.counted(log.counters(), log.demand().usedBytes(), log.demand().peakBytes());
        }
    }

    @Override
    public void finish() {
        if (replaying()) {
            recovery.answer(-1);
        }
        if (replaying()) {
            recovery.goLive();
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
        inbox.send(new ControlMessage.Report("log." + member + "." + key, "L", Long.toString(value)));
    }

    @Override
    public boolean needsCut() {
        trimIfDue();
        if (!state.is(LoggingState.LOGGING)) {
            return false;
        }
        contacts.atBoundary(log);
        budget.check(log.counters());
        return log.runsLow();
    }

    @Override
    public void beforeCopy() {
        if (replaying()) {
            recovery.goLive();
            survivor.flushAll(); // gets that it had put off
        }
        if (state.now().logs()) {
            log.arrived(-1); // L3
            log.demand().openLacking();
        }
    }

    @Override
    public void copied(long generation) {
        pendingGeneration = generation;
        pendingMarks = log.marks();
        log.idlePeers().cut();
    }

    @Override
    public boolean replaying() {
        return state.is(LoggingState.REPLAYING);
    }

    @Override
    public void committed(long generation) {
        if (state.now().logs() && generation == pendingGeneration) {
            pendingGeneration = 0;
            marksDue = pendingMarks;
            contacts.committed(log);
            if (paths.areImmediate()) {
                trimIfDue();
            } // else this may be inside of a wait for the very regions
        }
    }

    /** Where not all memory is mapped this waits, and the next generation may be committed meanwhile. */
    private void trimIfDue() {
        while (marksDue != null) {
            LogMarks marks = marksDue;
            marksDue = null;
            log.trim(marks); // L18
        }
        gate.trimIfDue();
    }

    @Override
    public void demandCommitted(ControlMessage.DemandCommitted m) {
        gate.committed(m);
    }

    @Override
    public void demandAbandoned(ControlMessage.DemandAbandoned m) {
        gate.abandoned(m);
    }

    @Override
    public void lost(int peer, int number) {
        lastRecovery = number;
        if (peer >= options.ranks()) {
            return;
        }
        windows.forEach(window -> window.locks.publish(peer));
        if (state.now().counts()) {
            gate.lost(peer);
        }
        if (survivor.isPossible()) {
            trimIfDue(); // its replacement goes by what the logs have of after the last commit
        }
        regions.lost(peer);
        if (state.now().logs()) {
            if (log.lostPeers().isBehindUnderLock(peer)) {
                inbox.send(new ControlMessage.Fallback(inbox.view(),
                    FallbackReason.UNORDERED_CONFLICT.name(),
                    "rank " + peer
                    + " was lost before rank " + member
                    + ", a replacement, had done again what it did there under a lock"));
            }
            log.lostPeers().lost(peer);
            log.demand().forget(pendingMarks, peer);
        }
    }

    @Override
    public void opened(int peer) {
        if (state.now().logs()) {
            log.recoveryOver(LogImage.recoveryNumber(inbox.view(), lastRecovery));
        }
    }
}
