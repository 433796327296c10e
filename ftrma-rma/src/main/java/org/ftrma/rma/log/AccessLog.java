package org.ftrma.rma.log;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.LockType;
import org.ftrma.spi.Blocks;

/**
 * Logs what one rank does (section 3.2.3 of the paper; design 6.8). Puts go to LP, at this rank, when they are issued.
 * Results of gets and atomics go to LG, at their target, when the program can use them; results that no other rank
 * holds go to the buddy. Each record carries its determinant with the counters of {@link Epochs}: EC (epochs closed
 * towards the target), GC (flushes issued), SC (the lock acquisition) and GNC (collectives). State is kept only for the
 * ranks this one talks to. Data thread only; allocates nothing once a peer is known.
 */
public final class AccessLog implements Interceptor {
    private final boolean logsInFlight;
    private final int self;
    final RankLogs logs;
    final Epochs epochs;
    private final Determinant next = new Determinant();
    private final StagedPuts staged;
    /** A value that is put, on its way to the log. */
    private final MemorySegment small = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG);
    final LockLog locks;
    private final SignalLog signals;
    private final InFlight inFlight;
    private final UpdateLog updates;
    private final LostPeers lostPeers;
    /** The last recovery of another rank that is known to be over. */
    long recoveriesOver;
    private final ResultRecorder recorder = new ResultRecorder();
    private final LogEnds ends;
    private final LogCounters counters;
    private final DemandLog demand;
    private final IdlePeers idlePeers;
    private long suppressedPuts;

    /** A log of the rank {@code self}, which is empty, or goes on after what a predecessor logged at others. */
    public AccessLog(int self, LogDescriptor layout, LogHome home, long collectivesEntered) {
        this(self, layout, home, collectivesEntered, true);
    }

    /**
     * As above.
     *
     * @param logsResults whether results are logged too: without them a log of puts is good for nothing but to measure
     *     what it costs
     */
    public AccessLog(int self, LogDescriptor layout, LogHome home, long collectivesEntered, boolean logsResults) {
        this.self = self;
        this.epochs = new Epochs(collectivesEntered);
        this.logs = new RankLogs(self, layout, home, epochs, logsResults);
        this.logsInFlight = logsResults && logs.buddy != self;
        this.staged = new StagedPuts(logs.own, logs.ranks);
        this.inFlight = new InFlight(logs);
        this.locks = new LockLog(logs, epochs, inFlight, recorder, logsInFlight);
        this.signals = new SignalLog(logs, epochs, locks, recorder, logsInFlight);
        this.updates = new UpdateLog(logs, epochs, inFlight, recorder);
        this.lostPeers = new LostPeers(logs, staged, inFlight, recorder);
        this.demand = new DemandLog(logs, epochs, lostPeers);
        this.ends = new LogEnds(logs, locks, inFlight, lostPeers);
        this.counters = new LogCounters(logs, epochs, lostPeers);
        this.idlePeers = new IdlePeers(logs, lostPeers);
    }

    /**
     * Has the open logs and the buffers of another log of this rank, which is over: the program's compiled code has not
     * seen a first put.
     */
    public void expectLike(AccessLog other) {
        logs.expectLike(other.logs);
        staged.expectLike(other.staged);
    }

    @Override
    public boolean put(int window, int target, MemorySegment source, long sourceOffset, long offset, long length) {
        if (target == self) {
            return true;
        }
        Peer peer = logs.peer(target);
        peer.touched = true;
        Determinant access = epochs.put(peer, window, offset);
        if (sourceOffset == 0 && staged.takes(peer.staged, window, source)) {
            logs.note(peer.puts.reservation().commit(access, length));
        } else if (length == Long.BYTES) {
            logs.note(peer.puts.appendLong(access, source.get(ValueLayout.JAVA_LONG_UNALIGNED, sourceOffset)));
        } else {
            logs.note(peer.puts.append(access, source, sourceOffset, length));
        }
        return send(peer);
    }

    @Override
    public boolean putLong(int window, int target, long value, long offset) {
        if (target == self) {
            return true;
        }
        Peer peer = logs.peer(target);
        peer.touched = true;
        logs.note(peer.puts.appendLong(epochs.put(peer, window, offset), value));
        return send(peer);
    }

    @Override
    public boolean putInt(int window, int target, int value, long offset) {
        if (target == self) {
            return true;
        }
        small.set(ValueLayout.JAVA_INT, 0, value);
        Peer peer = logs.peer(target);
        peer.touched = true;
        logs.note(peer.puts.append(epochs.put(peer, window, offset), small, 0, Integer.BYTES));
        return send(peer);
    }

    @Override
    public boolean putStrided(int window, int target, MemorySegment source, Blocks blocks) {
        if (target == self) {
            return true;
        }
        Peer peer = logs.peer(target);
        peer.touched = true;
        Determinant access = epochs.put(peer, window, blocks.target(0));
        if (blocks.isPackedFromItsBeginning() && staged.takes(peer.staged, window, source)) {
            logs.note(peer.puts.reservation().commitStrided(access, source, blocks));
        } else {
            logs.note(peer.puts.appendStrided(access, source, blocks));
        }
        return send(peer);
    }

    @Override
    public MemorySegment stage(int window, int target, long length) {
        return target == self ? null : staged.stage(logs.peer(target).staged, window, length);
    }

    /**
     * The program computes: data of staged puts that is on its way to logs moves on. It is copied at once for programs
     * that never call this.
     */
    public void progress() {
        staged.progress();
    }

    /** All data of staged puts is in the logs. */
    public void settle() {
        staged.settle();
    }

    private boolean send(Peer peer) {
        if (peer.epoch() > peer.suppressed) { // L8, R9
            return true;
        }
        suppressedPuts++;
        return false;
    }

    @Override
    public void get(int window, int target, MemorySegment destination, long destinationOffset, long offset,
        long length) {
        if (target == self && logs.buddy == self || !logs.areResultsLogged()) {
            return;
        }
        logs.peer(target).pending.add(window, destination, destinationOffset, offset, length);
    }

    @Override
    public void gotLong(int window, int target, long value, long offset) {
        LogWriter results = logs.results(target);
        if (results != null && !(target != self && recorder.repeatsLong(results, window, offset, value)
            && epochs.isPresent(recorder.last, logs.peers[target]) && recorder.again())) {
            Determinant access = logs.outcome(next.access(LogDescriptor.GET_LONG, window, 0, offset), target);
            logs.note(recorder.log(results, access, value));
        }
    }

    @Override
    public void gotInt(int window, int target, int value, long offset) {
        LogWriter results = logs.results(target);
        if (results != null) {
            Determinant access = next.access(LogDescriptor.GET_LONG, window, LogDescriptor.readCode(DataType.INT32),
                offset);
            logs.note(recorder.log(results, logs.outcome(access, target), value));
        }
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
        updates.done(next.update(LogDescriptor.ATOMIC, window, op, type, offset), target, operand, old,
            op.apply(type, old, operand));
    }

    @Override
    public void compareAndSwap(int window, int target, long offset, DataType type, long expected, long desired,
        long old) {
        updates.done(next.update(LogDescriptor.COMPARE_AND_SWAP, window, AtomicOp.REPLACE, type, offset), target,
            expected, old, swapped(type, expected, desired, old));
    }

    /** What a compare-and-swap leaves. */
    public static long swapped(DataType type, long expected, long desired, long old) {
        return type.normalized(old) == type.normalized(expected) ? type.normalized(desired) : old;
    }

    @Override
    public void replayed(int window, int target, AtomicOp op, DataType type, long offset, long operand, long old) {
        updates.logUpdate(next.update(LogDescriptor.ATOMIC, window, op, type, offset), target, operand, old,
            op.apply(type, old, operand));
    }

    @Override
    public void replayedSwap(int window, int target, long offset, DataType type, long expected, long desired,
        long old) {
        updates.logUpdate(next.update(LogDescriptor.COMPARE_AND_SWAP, window, AtomicOp.REPLACE, type, offset), target,
            expected, old, swapped(type, expected, desired, old));
    }

    @Override
    public void flushed(int window, int target) {
        staged.settle();
        if (target >= 0) {
            Peer peer = logs.peer(target);
            peer.flushes++;
            close(peer);
        } else {
            epochs.flushesOfAll++;
            for (Peer peer : logs.peers) {
                if (peer != null) {
                    close(peer);
                }
            }
        }
        epochs.gc++;
    }

    /** The counts of flushes say already that the present epoch is over. */
    private void close(Peer peer) {
        arrived(peer);
        if (peer.rank != self && peer.touched) {
            peer.touched = false;
            peer.closed = Math.max(peer.closed, peer.epoch()); // L9
            if (logs.areResultsLogged()) {
                LogRegion region = logs.region(peer);
                region.setF(peer.closed << 1); // L8
                region.complete();
            }
            peer.noted.clearing = false;
        }
        peer.epoch(1 + epochs.flushesOfAll + peer.flushes); // L7
    }

    @Override
    public void arrived(int target) {
        if (target >= 0) {
            arrived(logs.peers[target]);
            return;
        }
        for (Peer peer : logs.peers) {
            arrived(peer);
        }
    }

    private void arrived(Peer peer) {
        if (peer != null && !peer.pending.isEmpty()) {
            if (peer.pending.isCutOff()) {
                logs.home.getAgain(peer.rank, peer.pending::again);
                peer.pending.haveArrived();
            }
            LogWriter results = logs.results(peer.rank);
            Determinant access = epochs.arrived(next.access(LogDescriptor.GET, 0, 0, 0), peer);
            logs.note(peer.pending.log(results, access, peer.locks));
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

    @Override
    public SignalObserver signals() {
        return signals;
    }

    /** A recovery of another rank is over: its {@link LogImage#recoveryNumber}. */
    public void recoveryOver(long number) {
        recoveriesOver = Math.max(recoveriesOver, number);
    }

    @Override
    public void collective(long number, boolean gsync) {
        epochs.gnc = number;
    }

    /** A piece of the result of the collective of that number. */
    public void result(long number, int piece, MemorySegment data, long offset, long length) {
        if (logs.buddy == self || !logs.areResultsLogged()) {
            return;
        }
        Determinant access = next.access(LogDescriptor.COLLECTIVE, 0, 0, (long) piece << 32);
        logs.note(logs.collectives().append(access.ec(0).gc(epochs.gc).sc(0).gnc(number), data, offset, length));
    }

    /** A value that the program cannot determine again. */
    public void nondeterministic(long value) {
        LogWriter results = logs.ownResults();
        if (results != null) {
            Determinant access = logs.outcome(next.access(LogDescriptor.NONDETERMINISTIC, 0, 0, 0), self);
            logs.note(recorder.log(results, access, value));
        }
    }

    /** Whether a log was dropped for want of room, or will be soon. */
    public boolean runsLow() {
        return logs.drops() > 0 || logs.own.usedChunks() * 8 > 7L * logs.layout.chunks();
    }

    /** An image of this rank alone is committed, which includes its results up to these marks. */
    public void trimResults(LogMarks marks) {
        ends.trimResults(marks);
    }

    /** Puts that were not sent again. */
    public long suppressedPuts() {
        return suppressedPuts;
    }

    /** How often a log was dropped for want of room since the last trim. */
    public long drops() {
        return logs.drops();
    }

    /** Where all logs of this rank end now: an image taken now includes what they hold. */
    public LogMarks marks() {
        return ends.all();
    }

    /** Where this rank's results end now. */
    public LogMarks resultMarks() {
        return ends.ofResults();
    }

    /** What is before the marks is included in a committed image, and not needed any more. */
    public void trim(LogMarks marks) {
        ends.trim(marks);
        logs.trimmed();
    }

    /** Drops all records, unless a buffer was taken from the log and not put yet. For what is logged in vain. */
    public void forgetAll() {
        if (!ends.isAnyStaged()) {
            trim(marks());
        }
    }

    /** What this log does about lost ranks. */
    public LostPeers lostPeers() {
        return lostPeers;
    }

    /** What demand checkpoints need of this log. */
    public DemandLog demand() {
        return demand;
    }

    /** Which ranks it has nothing to log of. */
    public IdlePeers idlePeers() {
        return idlePeers;
    }

    /** This rank's counters; a live view, for as long as this log is written. */
    public LogCounters counters() {
        return counters;
    }
}
