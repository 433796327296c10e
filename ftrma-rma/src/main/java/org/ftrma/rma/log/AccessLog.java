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
    final boolean logsResults;
    private final boolean logsInFlight;
    final int self;
    final int ranks;
    final int buddy;
    final LogDescriptor layout;
    final LogHome home;
    final Peer[] peers;
    final LogRegion own;
    final Epochs epochs;
    final Determinant next = new Determinant();
    private final StagedPuts staged;
    /** A value that is put, on its way to the log. */
    private final MemorySegment small = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG);
    LogWriter ownResults;
    LogWriter collectives;
    final LockLog locks;
    private final SignalLog signals;
    final InFlight inFlight;
    private final UpdateLog updates = new UpdateLog(this);
    final LostPeers lostPeers;
    /** The last recovery of another rank that is known to be over. */
    long recoveriesOver;
    final Outcomes outcomes = new Outcomes();
    private final LogEnds ends;
    private final LogCounters counters;
    private final DemandLog demand;
    private final IdlePeers idlePeers = new IdlePeers(this);
    long droppedEver;
    private long suppressedPuts;
    /** What the image that is being taken includes of others' accesses; null: all of them, it is a coordinated one. */
    Coverage covered;
    private long drops;

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
        this.logsResults = logsResults;
        this.self = self;
        this.ranks = layout.ranks();
        this.buddy = layout.buddy(self);
        this.layout = layout;
        this.home = home;
        this.logsInFlight = logsResults && buddy != self;
        this.epochs = new Epochs(this);
        this.epochs.gnc = collectivesEntered;
        this.locks = new LockLog(this, logsInFlight);
        this.signals = new SignalLog(this, logsInFlight);
        this.inFlight = new InFlight(this);
        this.lostPeers = new LostPeers(this);
        this.demand = new DemandLog(this);
        this.ends = new LogEnds(this);
        this.counters = new LogCounters(this);
        this.peers = new Peer[ranks];
        this.own = home.region(self);
        this.staged = new StagedPuts(own, ranks);
    }

    Peer peer(int rank) {
        Peer peer = peers[rank];
        return peer != null ? peer : meet(rank);
    }

    private Peer meet(int rank) {
        LogWriter puts = new LogWriter(own, layout.putLog(rank), () -> home.flush(rank));
        peers[rank] = new Peer(rank, puts, 1 + epochs.flushesOfAll);
        return peers[rank];
    }

    /**
     * Has the open logs and the buffers of another log of this rank, which is over: the program's compiled code has not
     * seen a first put.
     */
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
        Determinant access = epochs.put(peer, window, offset);
        if (sourceOffset == 0 && staged.takes(peer, window, source)) {
            note(peer.puts.reservation().commit(access, length));
        } else if (length == Long.BYTES) {
            note(peer.puts.appendLong(access, source.get(ValueLayout.JAVA_LONG_UNALIGNED, sourceOffset)));
        } else {
            note(peer.puts.append(access, source, sourceOffset, length));
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
        note(peer.puts.appendLong(epochs.put(peer, window, offset), value));
        return send(peer);
    }

    @Override
    public boolean putInt(int window, int target, int value, long offset) {
        if (target == self) {
            return true;
        }
        small.set(ValueLayout.JAVA_INT, 0, value);
        Peer peer = peer(target);
        peer.touched = true;
        note(peer.puts.append(epochs.put(peer, window, offset), small, 0, Integer.BYTES));
        return send(peer);
    }

    @Override
    public boolean putStrided(int window, int target, MemorySegment source, Blocks blocks) {
        if (target == self) {
            return true;
        }
        Peer peer = peer(target);
        peer.touched = true;
        Determinant access = epochs.put(peer, window, blocks.target(0));
        if (blocks.isPackedFromItsBeginning() && staged.takes(peer, window, source)) {
            note(peer.puts.reservation().commitStrided(access, source, blocks));
        } else {
            note(peer.puts.appendStrided(access, source, blocks));
        }
        return send(peer);
    }

    @Override
    public MemorySegment stage(int window, int target, long length) {
        return target == self ? null : staged.stage(peer(target), window, length);
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
        if (peer.epoch() > peer.suppressed) {
            return true;
        }
        suppressedPuts++;
        return false;
    }

    @Override
    public void get(int window, int target, MemorySegment destination, long destinationOffset, long offset,
        long length) {
        if (target == self && buddy == self || !logsResults) {
            return;
        }
        peer(target).pending.add(window, destination, destinationOffset, offset, length);
    }

    @Override
    public void gotLong(int window, int target, long value, long offset) {
        LogWriter results = results(target);
        if (results != null && !(target != self && outcomes.repeatsLong(results, window, offset, value)
            && epochs.isPresent(outcomes.last, peers[target]) && outcomes.again())) {
            note(outcomes.log(results, outcome(next.access(LogDescriptor.GET_LONG, window, 0, offset), target), value));
        }
    }

    @Override
    public void gotInt(int window, int target, int value, long offset) {
        LogWriter results = results(target);
        if (results != null) {
            Determinant access = next.access(LogDescriptor.GET_LONG, window, LogDescriptor.readCode(DataType.INT32),
                offset);
            note(outcomes.log(results, outcome(access, target), value));
        }
    }

    /** The counters of an access whose outcome is known now. */
    Determinant outcome(Determinant access, int target) {
        return target == self ? epochs.ownOutcome(access, peers[self]) : epochs.arrived(access, peers[target]);
    }

    /** A record was appended, or its log was dropped for want of room. */
    void note(boolean appended) {
        if (!appended) {
            drops++;
            droppedEver++;
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
        epochs.flushed(target);
    }

    @Override
    public void arrived(int target) {
        if (target >= 0) {
            arrived(peers[target]);
            return;
        }
        for (Peer peer : peers) {
            arrived(peer);
        }
    }

    void arrived(Peer peer) {
        if (peer != null && !peer.pending.isEmpty()) {
            if (peer.pending.isCutOff()) {
                home.getAgain(peer.rank, peer.pending::again);
                peer.pending.haveArrived();
            }
            LogWriter results = results(peer.rank);
            Determinant access = epochs.arrived(next.access(LogDescriptor.GET, 0, 0, 0), peer);
            note(peer.pending.log(results, access, peer.locks));
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
        if (buddy == self || !logsResults) {
            return;
        }
        if (collectives == null) {
            collectives = new LogWriter(own, layout.collectiveLog(), null);
        }
        Determinant access = next.access(LogDescriptor.COLLECTIVE, 0, 0, (long) piece << 32);
        note(collectives.append(access.ec(0).gc(epochs.gc).sc(0).gnc(number), data, offset, length));
    }

    /** A value that the program cannot determine again. */
    public void nondeterministic(long value) {
        LogWriter results = ownResults();
        if (results != null) {
            note(outcomes.log(results, outcome(next.access(LogDescriptor.NONDETERMINISTIC, 0, 0, 0), self), value));
        }
    }

    /** Whether a log was dropped for want of room, or will be soon. */
    public boolean runsLow() {
        return drops > 0 || own.usedChunks() * 8 > 7L * layout.chunks();
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
        return drops;
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
        drops = 0;
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
