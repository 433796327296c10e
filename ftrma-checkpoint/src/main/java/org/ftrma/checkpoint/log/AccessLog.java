package org.ftrma.checkpoint.log;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Set;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.LockType;
import org.ftrma.checkpoint.Fault;
import org.ftrma.spi.Interceptor;

/**
 * Logs what one rank does (section 3.2.3 of the paper; design 6.8). Puts go to LP, at this rank, when they are issued. Results of gets and atomics go
 * to LG, at their target, when the program can use them; results that no other rank holds go to the buddy. Each record carries its determinant with
 * the counters EC (epochs closed towards the target), GC (flushes issued), SC (the lock acquisition) and GNC (collectives). State is kept only for the
 * ranks this one talks to. Data thread only; allocates nothing once a peer is known.
 */
public final class AccessLog implements Interceptor {
    /** What the log needs of its surroundings. */
    @FunctionalInterface
    public interface LogHome {
        /** A rank's log region. Where it must be opened, first or anew after the rank was replaced, losses may be heard of before this returns. */
        LogRegion region(int rank);

        /** Whether a rank is lost and not yet replaced. */
        default boolean isAway(int rank) {
            return false;
        }

        /** Whether a window is in no image. */
        default boolean isScratch(int window) {
            return false;
        }

        /** Completes this rank's accesses to another one. No loss is heard of where all regions are mapped: a log is in the middle of a change. */
        default void flush(int rank) {
            region(rank).flush();
        }
    }

    /** In the entry of LP: results that the lost target held for this rank are gone. */
    static final long LOST_RESULTS = 1;
    /** In the entry of LP: the buddy was lost, and results that it held for this rank are gone. */
    static final long LOST_BUDDY = 2;
    /** Among marks: the log that it is one of is gone. */
    static final long LOST = -1;

    private final boolean logsResults;
    private final boolean countsEpochs;
    private final boolean logsInFlight;
    private final boolean dropsRecords;
    private final boolean logsOwn;
    private final boolean tellsLosses;
    private final boolean sendsAgain;
    private final boolean waitsForRoom;
    final int self;
    final int ranks;
    final int buddy;
    final LogDescriptor layout;
    final LogHome home;
    final Peer[] peers;
    final LogRegion own;
    private final StagedPuts staged;
    LogWriter ownResults;
    boolean lostAtBuddy;
    LogWriter collectives;
    final LockLog locks;
    private final InFlight inFlight;
    /** Locks taken and given back: what orders accesses of different ranks between two barriers. */
    long lockEvents;
    /** The last recovery of another rank that is known to be over. */
    long recoveriesOver;
    private final LastOutcome same = new LastOutcome();
    private final LogCounters counters = new LogCounters(this);
    private final DemandLog demand = new DemandLog(this);
    /** What was written to logs whose keepers are lost. */
    long lostBytes;
    long lostRecords;
    long droppedEver;
    long gc;
    /** Flushes of all targets: they close an epoch also at those that this rank has not talked to. */
    long flushesOfAll;
    long gnc;
    private long suppressedPuts;
    /** What the image that is being taken includes of others' accesses; null: all of them, it is a coordinated one. */
    Coverage covered;
    private long drops;
    /** A log of the rank {@code self}, which is empty, or goes on after what a predecessor logged at others. */
    public AccessLog(int self, LogDescriptor layout, LogHome home, long collectivesEntered) {
        this(self, layout, home, collectivesEntered, true, Set.of());
    }

    /**
     * As above.
     *
     * @param logsResults whether results are logged too: without them a log of puts is good for nothing but to measure what it costs
     * @param faults bugs injected for tests of the simulator
     */
    public AccessLog(int self, LogDescriptor layout, LogHome home, long collectivesEntered, boolean logsResults, Set<Fault> faults) {
        this.logsResults = logsResults;
        this.countsEpochs = !faults.contains(Fault.EPOCH_NOT_COUNTED);
        this.dropsRecords = faults.contains(Fault.RECORD_DROPPED);
        this.logsOwn = !faults.contains(Fault.OWN_NOT_LOGGED);
        this.tellsLosses = !faults.contains(Fault.GAP_FORGOTTEN);
        this.sendsAgain = !faults.contains(Fault.NOT_SENT_AGAIN);
        this.waitsForRoom = faults.contains(Fault.WAITS_FOR_LOG);
        this.self = self;
        this.ranks = layout.ranks();
        this.buddy = layout.buddy(self);
        this.layout = layout;
        this.home = home;
        this.logsInFlight = logsResults && buddy != self;
        this.locks = new LockLog(this, logsInFlight);
        this.inFlight = new InFlight(this, !faults.contains(Fault.N_NEVER_SET));
        this.gnc = collectivesEntered;
        this.peers = new Peer[ranks];
        this.own = home.region(self);
        this.staged = new StagedPuts(own, ranks, !faults.contains(Fault.LATE_DATA_FORGOTTEN));
    }

    Peer peer(int rank) {
        Peer peer = peers[rank];
        return peer != null ? peer : meet(rank);
    }

    private Peer meet(int rank) {
        peers[rank] = new Peer(rank, new LogWriter(own, layout.putLog(rank), () -> home.flush(rank)), 1 + flushesOfAll);
        return peers[rank];
    }

    /** Has the open logs and the buffers of another log of this rank, which is over: the program's compiled code has not seen a first put. */
    public void expectLike(AccessLog other) {
        for (Peer peer : other.peers) {
            if (peer != null) {
                meet(peer.rank).packing = peer.packing;
            }
        }
        staged.expectLike(other.staged);
    }

    LogRegion region(Peer peer) {
        if (peer.region == null) {
            peer.region = home.region(peer.rank);
        }
        return peer.region;
    }

    /** Where results of accesses to a target are logged; null if they are not, or this rank is alone. */
    LogWriter results(int target) {
        if (!logsResults) {
            return null;
        }
        if (target == self) {
            return ownResults();
        }
        Peer peer = peer(target);
        if (peer.results == null) {
            peer.results = new LogWriter(region(peer), layout.getLog(self), null);
        }
        return peer.results;
    }

    LogWriter ownResults() {
        if (ownResults == null && buddy != self && logsResults) {
            ownResults = new LogWriter(region(peer(buddy)), layout.buddyLog(), null);
        }
        return ownResults;
    }

    @Override
    public boolean put(int window, int target, MemorySegment source, long sourceOffset, long offset, long length) {
        if (target == self) {
            return true;
        }
        Peer peer = peer(target);
        peer.touched = true;
        long sc = sc(peer, window);
        if (sourceOffset == 0 && staged.takes(peer, window, source)) {
            note(peer.puts.commit(LogDescriptor.PUT, window, 0, offset, peer.epoch, lockEvents, sc, gnc, length));
        } else if (length == Long.BYTES) {
            note(peer.puts.appendLong(LogDescriptor.PUT, window, 0, offset, peer.epoch, lockEvents, sc, gnc,
                source.get(ValueLayout.JAVA_LONG_UNALIGNED, sourceOffset)));
        } else {
            note(peer.puts.append(LogDescriptor.PUT, window, 0, offset, peer.epoch, lockEvents, sc, gnc, source, sourceOffset, length));
        }
        return send(peer);
    }

    @Override
    public boolean putLong(int window, int target, long value, long offset) {
        if (target == self) {
            return true;
        }
        Peer peer = peer(target);
        peer.touched = true;
        if (dropsRecords && (value & 3) == 0) {
            return send(peer);
        }
        note(peer.puts.appendLong(LogDescriptor.PUT, window, 0, offset, peer.epoch, lockEvents, sc(peer, window), gnc, value));
        return send(peer);
    }

    @Override
    public boolean putStrided(int window, int target, MemorySegment source, long sourceOffset, long sourceStride, long offset, long stride,
        long blockBytes, long count) {
        if (target == self) {
            return true;
        }
        Peer peer = peer(target);
        peer.touched = true;
        long sc = sc(peer, window);
        if (sourceOffset == 0 && sourceStride == blockBytes && staged.takes(peer, window, source)) {
            note(peer.puts.commitStrided(window, offset, stride, blockBytes, count, peer.epoch, lockEvents, sc, gnc));
        } else {
            note(peer.puts.appendStrided(window, offset, stride, blockBytes, count, peer.epoch, lockEvents, sc, gnc, source, sourceOffset,
                sourceStride));
        }
        return send(peer);
    }

    @Override
    public MemorySegment stage(int window, int target, long length) {
        return target == self ? null : staged.stage(peer(target), window, length);
    }

    /** The program computes: data of staged puts that is on its way to logs moves on. It is copied at once for programs that never call this. */
    public void progress() {
        staged.progress();
    }

    /** All data of staged puts is in the logs. */
    public void settle() {
        staged.settle();
    }

    static long sc(Peer peer, int window) {
        return peer == null || window >= peer.locks.length ? 0 : peer.locks[window];
    }

    private boolean send(Peer peer) {
        peer.lastGnc = gnc;
        if (peer.epoch > peer.suppressed) {
            return true;
        }
        suppressedPuts++;
        return false;
    }

    @Override
    public void get(int window, int target, MemorySegment destination, long destinationOffset, long offset, long length) {
        if (target == self && buddy == self || !logsResults) {
            return;
        }
        peer(target).pending.add(window, destination, destinationOffset, offset, length);
    }

    @Override
    public void gotLong(int window, int target, long value, long offset) {
        LogWriter results = results(target);
        if (results != null) {
            outcome(results, LogDescriptor.GET_LONG, window, target, 0, offset, 1, value, 0, 0);
        }
    }

    private long epoch(int target) {
        return target == self ? 0 : peers[target].epoch;
    }

    void note(boolean appended) {
        if (!appended) {
            drops++;
            droppedEver++;
        }
        while (waitsForRoom && drops > 0) {
            own.flush();
        }
    }

    /** Logs values that an access returned. The same again, when nothing else was logged meanwhile, is only counted: the program polls. */
    private void outcome(LogWriter log, int kind, int window, int target, int code, long offset, int count, long value, long value2, long value3) {
        if (target == self && !logsOwn) {
            return;
        }
        long sc = sc(peers[target], window);
        long epoch = epoch(target);
        boolean repeatable = count == 1 || value2 == value3;
        if (repeatable && same.is(log, kind, window, target, code, offset, value, value2) && same.at(epoch, gc, sc, gnc)
            && log.repeat(sc, same.repeats + 1)) {
            same.repeats++;
            return;
        }
        note(count == 1 ? log.appendLong(kind, window, code, offset, epoch, gc, sc, gnc, value)
            : log.appendLong(kind, window, code, offset, epoch, gc, sc, gnc, value, value2, value3));
        same.set(repeatable ? log : null, kind, window, target, code, offset, value, value2);
        same.moment(epoch, gc, sc, gnc);
    }

    @Override
    public boolean beginUpdate(int window, int target, long offset) {
        return !logsInFlight || inFlight.beginUpdate(target, LogDescriptor.updateLock(window, offset));
    }

    @Override
    public void ended() {
        inFlight.end(self);
    }

    @Override
    public boolean notesUpdates() {
        return logsInFlight;
    }

    @Override
    public void updating(int window, int target, DataType type, long offset, long old, long updated) {
        inFlight.note(target, LogDescriptor.NEEDS_ATOMIC, window, type, offset, old, updated);
    }

    @Override
    public void atomic(int window, int target, AtomicOp op, DataType type, long offset, long operand, long old) {
        long updated = op.apply(type, old, operand);
        logUpdate(LogDescriptor.ATOMIC, window, target, LogDescriptor.code(op, type), offset, operand, old, updated);
        logOutcome(LogDescriptor.ATOMIC, window, target, LogDescriptor.code(op, type), offset, operand, old, updated);
    }

    @Override
    public void compareAndSwap(int window, int target, DataType type, long offset, long expected, long desired, long old) {
        int code = LogDescriptor.code(AtomicOp.REPLACE, type);
        long updated = swapped(type, expected, desired, old);
        logUpdate(LogDescriptor.COMPARE_AND_SWAP, window, target, code, offset, expected, old, updated);
        logOutcome(LogDescriptor.COMPARE_AND_SWAP, window, target, code, offset, expected, old, updated);
    }

    /** What a compare-and-swap leaves. */
    public static long swapped(DataType type, long expected, long desired, long old) {
        boolean equal = type == DataType.INT32 ? (int) old == (int) expected : old == expected;
        return !equal ? old : type == DataType.INT32 ? (int) desired : desired;
    }

    @Override
    public void replayed(int window, int target, AtomicOp op, DataType type, long offset, long operand, long old) {
        logUpdate(LogDescriptor.ATOMIC, window, target, LogDescriptor.code(op, type), offset, operand, old, op.apply(type, old, operand));
    }

    @Override
    public void replayedSwap(int window, int target, DataType type, long offset, long expected, long desired, long old) {
        logUpdate(LogDescriptor.COMPARE_AND_SWAP, window, target, LogDescriptor.code(AtomicOp.REPLACE, type), offset, expected, old,
            swapped(type, expected, desired, old));
    }

    /** For the target's recovery. */
    private void logUpdate(int kind, int window, int target, int code, long offset, long operand, long old, long updated) {
        if (target != self && (old != updated || replacesUndefined(kind, window, code))) {
            Peer peer = peer(target);
            peer.touched = true;
            peer.lastGnc = gnc;
            peer.updates++;
            note(peer.puts.appendUpdate(kind, window, code, offset, peer.epoch, lockEvents, sc(peer, window), gnc, peer.updates, operand, old,
                updated));
        }
    }

    /** A scratch window is in no image, so that the value before says nothing to the target's replacement. */
    private boolean replacesUndefined(int kind, int window, int code) {
        return kind == LogDescriptor.ATOMIC && LogDescriptor.op(code) == AtomicOp.REPLACE && home.isScratch(window);
    }

    /** For the own recovery. */
    private void logOutcome(int kind, int window, int target, int code, long offset, long operand, long old, long updated) {
        LogWriter results = results(target);
        if (results != null) {
            outcome(results, kind, window, target, code, offset, 3, operand, old, updated);
            if (target != self && LogDescriptor.op(code) != AtomicOp.NO_OP) {
                inFlight.end(target);
            }
        }
    }

    @Override
    public void flushed(int window, int target) {
        settle();
        if (target >= 0) {
            Peer peer = peer(target);
            peer.flushes++;
            close(peer);
        } else {
            flushesOfAll++;
            for (int rank = 0; rank < ranks; rank++) {
                if (peers[rank] != null) {
                    close(peers[rank]);
                }
            }
        }
        gc++;
    }

    /** The counts of flushes say already that the present epoch is over. */
    private void close(Peer peer) {
        arrived(peer);
        if (peer.rank != self && peer.touched) {
            peer.touched = false;
            peer.closed = Math.max(peer.closed, peer.epoch);
            if (logsResults) {
                LogRegion region = region(peer);
                region.setF(peer.closed << 1);
                region.complete();
            }
            peer.clearing = false;
        }
        if (countsEpochs) {
            peer.epoch = 1 + flushesOfAll + peer.flushes;
        }
    }

    @Override
    public void arrived(int target) {
        if (target >= 0) {
            Peer peer = peers[target];
            if (peer != null) {
                arrived(peer);
            }
            return;
        }
        for (Peer peer : peers) {
            if (peer != null) {
                arrived(peer);
            }
        }
    }

    private void arrived(Peer peer) {
        if (!peer.pending.isEmpty()) {
            note(peer.pending.log(results(peer.rank), peer.epoch, gc, peer.locks, gnc));
        }
    }

    @Override
    public boolean beginShared(int target) {
        return !logsInFlight || inFlight.begin(target, LogDescriptor.LOCKS_LOCK);
    }

    @Override
    public void changing(int window, int target, long word, long changed) {
        if (logsInFlight) {
            inFlight.note(target, LogDescriptor.NEEDS_LOCK, window, DataType.INT64, 0, word, changed);
        }
    }

    @Override
    public void gaveUp(int target) {
        if (logsInFlight) {
            inFlight.giveUp(target);
        }
    }

    @Override
    public void holds(int window, int target, LockType type, long acquisition) {
        locks.holds(window, target, type, acquisition);
    }

    @Override
    public void locked(int window, int target, LockType type, long acquisition, boolean known) {
        locks.locked(window, target, type, acquisition, known);
    }

    void logLock(int kind, int window, int target, LockType type, long acquisition) {
        LogWriter results = results(target);
        if (results != null) {
            same.forget();
            note(results.appendLong(kind, window, 0, 0, epoch(target), gc, acquisition, gnc, type == LockType.EXCLUSIVE ? 1 : 0));
            if (type == LockType.SHARED) {
                inFlight.end(target);
            }
        }
    }

    @Override
    public void unlocking(int window, int target) {
        flushed(window, target);
    }

    @Override
    public void leaving(int window, int target, LockType type) {
        locks.leaving(window, target);
    }

    @Override
    public void unlocked(int window, int target, LockType type, boolean known) {
        locks.unlocked(window, target, type, known);
    }

    /** A recovery of another rank is over: its {@link LogImage#recoveryNumber}. */
    public void recoveryOver(long number) {
        recoveriesOver = number;
    }

    @Override
    public void collective(long number, boolean gsync) {
        gnc = number;
    }

    /** A piece of the result of the collective of that number. */
    public void result(long number, int piece, MemorySegment data, long offset, long length) {
        if (buddy == self || !logsResults) {
            return;
        }
        if (collectives == null) {
            collectives = new LogWriter(own, layout.collectiveLog(), null);
        }
        note(collectives.append(LogDescriptor.COLLECTIVE, 0, 0, (long) piece << 32, 0, gc, 0, number, data, offset, length));
    }

    /** A value that the program cannot determine again. */
    public void nondeterministic(long value) {
        LogWriter results = ownResults();
        if (results != null) {
            outcome(results, LogDescriptor.NONDETERMINISTIC, 0, self, 0, 0, 1, value, 0, 0);
        }
    }

    /** Whether a log was dropped for want of room, or will be soon. */
    public boolean runsLow() {
        return drops > 0 || own.usedChunks() * 8 > 7L * layout.chunks();
    }

    /** An image of this rank alone is committed, which includes its results up to these marks. */
    public void trimResults(long[] marks) {
        inFlight.tailsMove();
        for (int rank = 0; rank < ranks; rank++) {
            Peer peer = peers[rank];
            if (peer != null && marks[rank] != LOST) {
                peer.lostResults = false;
                trim(peer.results, marks[rank]);
            }
        }
        if (marks[ranks] != LOST) {
            lostAtBuddy = false;
            trim(ownResults, marks[ranks]);
        }
    }

    /** Puts that were not sent again. */
    public long suppressedPuts() {
        return suppressedPuts;
    }

    /** How often a log was dropped for want of room since the last trim. */
    public long drops() {
        return drops;
    }

    /** Where all logs of this rank end now: an image taken now includes what they hold. */
    public long[] marks() {
        long[] marks = Arrays.copyOf(resultMarks(), 2 * ranks + 3);
        for (int rank = 0; rank < ranks; rank++) {
            Peer peer = peers[rank];
            if (peer != null) {
                peer.puts.cancel();
                peer.staged = null;
                marks[ranks + 2 + rank] = peer.puts.mark();
            }
        }
        marks[ranks + 1] = collectives == null ? 0 : collectives.mark();
        marks[2 * ranks + 2] = locks.mark();
        return marks;
    }

    /** Where this rank's results end now, by the rank that keeps them, and, last, at the buddy. */
    public long[] resultMarks() {
        long[] marks = new long[ranks + 1];
        for (int rank = 0; rank < ranks; rank++) {
            marks[rank] = peers[rank] == null || peers[rank].results == null ? 0 : peers[rank].results.mark();
        }
        marks[ranks] = ownResults == null ? 0 : ownResults.mark();
        return marks;
    }

    /** What is before the marks is included in a committed image, and not needed any more. */
    public void trim(long[] marks) {
        trimResults(marks);
        for (int rank = 0; rank < ranks; rank++) {
            if (peers[rank] != null) {
                trim(peers[rank].puts, marks[ranks + 2 + rank]);
            }
        }
        trim(collectives, marks[ranks + 1]);
        locks.trim(marks[2 * ranks + 2]);
        drops = 0;
    }

    /** Drops all records, unless a buffer was taken from the log and not put yet. For what is logged in vain. */
    public void forgetAll() {
        if (Arrays.stream(peers).noneMatch(peer -> peer != null && peer.staged != null)) {
            trim(marks());
        }
    }

    static void trim(LogWriter log, long mark) {
        if (log != null && mark != 0) {
            log.trimTo(mark);
        }
    }

    /** A rank was lost with all it held: its replacement finds here what it must know of this rank. */
    public void lost(int rank) {
        settle();
        if (peers[rank] == null && !(rank == buddy && lostAtBuddy)) {
            return; // it never held anything of this rank
        }
        Peer peer = peer(rank);
        if (isBehind(peer) && sendsAgain) {
            // What the predecessor put there is lost with it, and in no log: it is to be sent when it is done again.
            peer.closed = peer.epoch - 1;
            peer.suppressed = 0;
        }
        // N that said so is lost too, and what is under way may have happened, or may happen at the replacement, before it is logged there.
        boolean inTheMiddle = inFlight.endsAt(peer);
        peer.lostResults |= inTheMiddle || peer.results != null && !peer.results.isEmpty();
        if (rank == buddy && ownResults != null) {
            lostAtBuddy |= inTheMiddle || !ownResults.isEmpty();
            countLost(ownResults);
            ownResults = null;
        }
        long lost = (peer.lostResults ? LOST_RESULTS : 0) | (rank == buddy && lostAtBuddy ? LOST_BUDDY : 0);
        long entry = peer.puts.entry();
        own.word(entry + LogDescriptor.ENTRY_F, peer.closed << 1);
        own.word(entry + LogDescriptor.ENTRY_N, tellsLosses ? lost : 0);
        own.word(entry + LogDescriptor.ENTRY_UPDATES, peer.updates);
        countLost(peer.results);
        peer.region = null;
        peer.results = null;
        peer.clearing = false;
    }

    /** Whether this rank is a replacement that has yet to do again what its predecessor had done at that target. */
    private static boolean isBehind(Peer peer) {
        return peer.suppressed >= peer.epoch;
    }

    /**
     * Whether what this rank's predecessor had put there, and this rank has not yet, may be older than what others put there since: that is so where it
     * holds an exclusive lock, which its predecessor may have released. (The release of a shared one is logged.)
     */
    public boolean isBehindUnderLock(int rank) {
        return peers[rank] != null && isBehind(peers[rank])
            && Arrays.stream(peers).anyMatch(peer -> peer != null && Arrays.stream(peer.locks)
                .anyMatch(lock -> lock != 0 && (lock & LogDescriptor.SHARED) == 0));
    }

    private void countLost(LogWriter log) {
        lostBytes += log == null ? 0 : log.bytes();
        lostRecords += log == null ? 0 : log.records();
    }

    /** A replacement takes over what a survivor knows of its predecessor: what was closed here, and what was lost here. */
    public void inherit(int survivor) {
        LogRegion region = home.region(survivor);
        int puts = layout.putLog(self);
        own.inherit(survivor, region.entryWord(puts, LogDescriptor.ENTRY_F), region.entryWord(puts, LogDescriptor.ENTRY_UPDATES));
        long lost = region.entryWord(puts, LogDescriptor.ENTRY_N);
        if ((lost & LOST_RESULTS) != 0) {
            new LogWriter(own, layout.getLog(survivor), null).drop(0, 0);
        }
        if ((lost & LOST_BUDDY) != 0) {
            new LogWriter(own, layout.buddyLog(), null).drop(0, 0); // this rank is the survivor's buddy
        }
    }

    /** A replacement goes on with the logs that its predecessor kept at a survivor; what had closed there is not sent again. */
    public void resume(int survivor, long closedEpoch) {
        LogRegion region = home.region(survivor);
        region.adopt();
        if (closedEpoch == 0 && survivor != buddy && region.entry(layout.getLog(self)) == 0) {
            return; // its predecessor left nothing there: this rank comes to know it when it talks to it
        }
        Peer peer = peer(survivor);
        peer.suppressed = closedEpoch;
        peer.closed = closedEpoch;
        peer.happened = region.n(self) != 0;
        results(survivor);
        if (survivor == buddy) {
            ownResults();
        }
    }

    /** What demand checkpoints need of this log. */
    public DemandLog demand() {
        return demand;
    }

    /** This rank's counters; a live view, for as long as this log is written. */
    public LogCounters counters() {
        return counters;
    }
}
