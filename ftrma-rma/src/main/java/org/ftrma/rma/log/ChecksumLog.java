package org.ftrma.rma.log;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.LockType;
import org.ftrma.spi.Blocks;

/**
 * Logs what one rank does at another process, which does nothing else for it: the message-logging scheme that the paper
 * compares with (section 7.2). The region of that process holds two logs for each target: what was put there, and what
 * was read there. Every put, and the outcome of every atomic access, is sent with its determinant when it is issued;
 * results of gets are sent when they have arrived. Nothing is ever read from these logs: they are for measuring what
 * such a scheme costs. Data thread only; allocates nothing once a target is known.
 */
public final class ChecksumLog implements Interceptor {
    /** What was done to one target. */
    private static final class Peer {
        private final LogWriter puts;
        private final LogWriter results;
        private long epoch = 1;
        private final PendingGets pending = new PendingGets();
        private long[] locks = {};

        Peer(LogWriter puts, LogWriter results) {
            this.puts = puts;
            this.results = results;
        }

        long sc(int window) {
            return window < locks.length ? locks[window] : 0;
        }
    }

    private final LogDescriptor layout;
    private final LogRegion region;
    private final Peer[] peers;
    private final Determinant next = new Determinant();
    /** A value that is put, on its way to the log. */
    private final MemorySegment small = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG);
    private final SignalObserver signals = new Signals();
    private LogWriter collectives;
    private long flushesOfAll;
    private long gc;
    private long gnc;
    private long drops;

    /** A log in a region that no other rank uses. */
    public ChecksumLog(LogDescriptor layout, LogRegion region) {
        this.layout = layout;
        this.region = region;
        this.peers = new Peer[layout.ranks()];
    }

    /** What signals order is in nobody's replay; what was waited for is a read. */
    private final class Signals implements SignalObserver {
        @Override
        public void signalling(int target) {
            // the update is logged
        }

        @Override
        public void signalled(int window, int target) {
            // the update is logged
        }

        @Override
        public int updater(int window, long offset) {
            return -1;
        }

        @Override
        public void waited(int window, long offset, long value) {
            gotLong(window, region.member, value, offset);
        }

        @Override
        public void waitedBefore(int window, long offset, SeenSignals seen) {
            throw new IllegalStateException("nothing is replayed");
        }
    }

    private Peer peer(int target) {
        Peer peer = peers[target];
        if (peer == null) {
            peer = new Peer(new LogWriter(region, layout.putLog(target), null),
                new LogWriter(region, layout.getLog(target), null));
            peer.epoch += flushesOfAll;
            peers[target] = peer;
        }
        return peer;
    }

    /** The counters of what is done now. */
    private Determinant now(Determinant access, Peer peer) {
        return access.ec(peer.epoch).gc(gc).sc(peer.sc(access.window())).gnc(gnc);
    }

    private void note(boolean appended) {
        drops += appended ? 0 : 1;
    }

    @Override
    public boolean put(int window, int target, MemorySegment source, long sourceOffset, long offset, long length) {
        Peer peer = peer(target);
        Determinant access = now(next.access(LogDescriptor.PUT, window, 0, offset), peer);
        if (length == Long.BYTES) {
            note(peer.puts.appendLong(access, source.get(ValueLayout.JAVA_LONG_UNALIGNED, sourceOffset)));
        } else {
            note(peer.puts.append(access, source, sourceOffset, length));
        }
        return true;
    }

    @Override
    public boolean putStrided(int window, int target, MemorySegment source, Blocks blocks) {
        for (long i = 0; i < blocks.count(); i++) {
            put(window, target, source, blocks.source(i), blocks.target(i), blocks.bytes());
        }
        return true;
    }

    /** Logs are at other processes: memory there is no source. */
    @Override
    public MemorySegment stage(int window, int target, long length) {
        return null;
    }

    @Override
    public boolean putLong(int window, int target, long value, long offset) {
        Peer peer = peer(target);
        note(peer.puts.appendLong(now(next.access(LogDescriptor.PUT, window, 0, offset), peer), value));
        return true;
    }

    @Override
    public boolean putInt(int window, int target, int value, long offset) {
        Peer peer = peer(target);
        small.set(ValueLayout.JAVA_INT, 0, value);
        note(peer.puts.append(now(next.access(LogDescriptor.PUT, window, 0, offset), peer), small, 0, Integer.BYTES));
        return true;
    }

    @Override
    public void gotInt(int window, int target, int value, long offset) {
        Peer peer = peer(target);
        Determinant access = next.access(LogDescriptor.GET_LONG, window, LogDescriptor.readCode(DataType.INT32),
            offset);
        note(peer.results.appendLong(now(access, peer), value));
    }

    @Override
    public void gotLong(int window, int target, long value, long offset) {
        Peer peer = peer(target);
        note(peer.results.appendLong(now(next.access(LogDescriptor.GET_LONG, window, 0, offset), peer), value));
    }

    @Override
    public void get(int window, int target, MemorySegment destination, long destinationOffset, long offset,
        long length) {
        peer(target).pending.add(window, destination, destinationOffset, offset, length);
    }

    @Override
    public boolean notesUpdates() {
        return false; // nothing is replayed
    }

    @Override
    public boolean beginUpdate(int window, int target, long offset) {
        return true;
    }

    @Override
    public void ended() {
        // nothing is replayed
    }

    @Override
    public void updating(int window, int target, DataType type, long offset, long old, long updated) {
        // nothing is replayed
    }

    @Override
    public void atomic(int window, int target, AtomicOp op, DataType type, long offset, long operand, long old) {
        Determinant access = next.update(LogDescriptor.ATOMIC, window, op, type, offset);
        update(access, target, operand, old, op.apply(type, old, operand));
    }

    @Override
    public void compareAndSwap(int window, int target, long offset, DataType type, long expected, long desired,
        long old) {
        Determinant access = next.update(LogDescriptor.COMPARE_AND_SWAP, window, AtomicOp.REPLACE, type, offset);
        update(access, target, expected, old, AccessLog.swapped(type, expected, desired, old));
    }

    /** An atomic access is a put and a get. */
    private void update(Determinant access, int target, long operand, long old, long updated) {
        Peer peer = peer(target);
        now(access, peer);
        note(peer.puts.appendLong(access, operand, old, updated));
        note(peer.results.appendLong(access, operand, old, updated));
    }

    @Override
    public void replayed(int window, int target, AtomicOp op, DataType type, long offset, long operand, long old) {
        throw new IllegalStateException("nothing is replayed");
    }

    @Override
    public void replayedSwap(int window, int target, long offset, DataType type, long expected, long desired,
        long old) {
        throw new IllegalStateException("nothing is replayed");
    }

    @Override
    public SignalObserver signals() {
        return signals;
    }

    @Override
    public void arrived(int target) {
        if (target >= 0) {
            arrived(peers[target]);
        } else {
            for (Peer peer : peers) {
                arrived(peer);
            }
        }
    }

    private void arrived(Peer peer) {
        if (peer != null && !peer.pending.isEmpty()) {
            note(peer.pending.log(peer.results, now(next.access(LogDescriptor.GET, 0, 0, 0), peer), peer.locks));
        }
    }

    @Override
    public void flushed(int window, int target) {
        arrived(target);
        if (target >= 0) {
            peer(target).epoch++;
        } else {
            flushesOfAll++;
            for (Peer peer : peers) {
                if (peer != null) {
                    peer.epoch++;
                }
            }
        }
        gc++;
        region.complete();
    }

    @Override
    public void holds(int window, int target, LockType type, long acquisition) {
        locked(window, target, type, acquisition, true);
    }

    @Override
    public void leaving(int window, int target, LockType type) {
        // what locks order is in nobody's replay
    }

    @Override
    public boolean beginShared(int target) {
        return true;
    }

    @Override
    public void changing(int window, int target, long word, long changed) {
        // nothing is recovered from these logs
    }

    @Override
    public void gaveUp(int target) {
        // nothing was said
    }

    @Override
    public void locked(int window, int target, LockType type, long acquisition, boolean known) {
        Peer peer = peer(target);
        if (window >= peer.locks.length) {
            peer.locks = Arrays.copyOf(peer.locks, window + 1);
        }
        peer.locks[window] = acquisition;
        Determinant access = now(next.access(LogDescriptor.LOCK, window, 0, 0), peer);
        note(peer.results.appendLong(access, type == LockType.EXCLUSIVE ? 1 : 0));
    }

    @Override
    public void unlocking(int window, int target) {
        flushed(window, target);
    }

    @Override
    public void unlocked(int window, int target, LockType type, boolean known) {
        Peer peer = peer(target);
        if (window < peer.locks.length) {
            peer.locks[window] = 0;
        }
    }

    @Override
    public void collective(long number, boolean gsync) {
        gnc = number;
    }

    /** A piece of the result of the collective of that number. */
    public void result(long number, int piece, MemorySegment data, long offset, long length) {
        if (collectives == null) {
            collectives = new LogWriter(region, layout.collectiveLog(), null);
        }
        Determinant access = next.access(LogDescriptor.COLLECTIVE, 0, 0, (long) piece << 32);
        note(collectives.append(access.ec(0).gc(gc).sc(0).gnc(number), data, offset, length));
    }

    /** Where the logs end now. */
    public LogMarks marks() {
        LogMarks marks = new LogMarks(peers.length);
        for (int target = 0; target < peers.length; target++) {
            if (peers[target] != null) {
                marks.puts(target, peers[target].puts.mark());
                marks.results(target, peers[target].results.mark());
            }
        }
        marks.collectives(collectives == null ? 0 : collectives.mark());
        return marks;
    }

    /** What is before the marks is in a committed image, and dropped. */
    public void trim(LogMarks marks) {
        for (int target = 0; target < peers.length; target++) {
            if (peers[target] != null) {
                LogEnds.trim(peers[target].puts, marks.puts(target));
                LogEnds.trim(peers[target].results, marks.results(target));
            }
        }
        LogEnds.trim(collectives, marks.collectives());
    }

    /** Whether a log was dropped for want of room, or will be soon. */
    public boolean runsLow() {
        return drops > 0 || region.usedChunks() * 4 > 3L * layout.chunks();
    }

    /** Forgets the {@link #drops} that were answered by a checkpoint. */
    public void relieved() {
        drops = 0;
    }

    /** How often a log was dropped for want of room since {@link #relieved}. */
    public long drops() {
        return drops;
    }

    /** Bytes that were logged, records' heads included. */
    public long bytes() {
        long sum = collectives == null ? 0 : collectives.bytes();
        for (Peer peer : peers) {
            sum += peer == null ? 0 : peer.puts.bytes() + peer.results.bytes();
        }
        return sum;
    }
}
