package org.ftrma.rma.window;

import java.lang.foreign.MemorySegment;
import org.ftrma.AtomicOp;
import org.ftrma.Comparison;
import org.ftrma.DataType;
import org.ftrma.PeerLostException;
import org.ftrma.Request;
import org.ftrma.core.session.PeerFailureHandling;
import org.ftrma.core.session.PeerPaths;
import org.ftrma.core.session.Session;
import org.ftrma.core.session.Waiter;
import org.ftrma.rma.log.Interceptor;
import org.ftrma.rma.log.SignalObserver;
import org.ftrma.spi.Blocks;
import org.ftrma.spi.Fabric;
import org.ftrma.spi.RemoteMemory;

/**
 * Accesses that an {@link Interceptor} sees: that logs them, and says of each put whether it is to be sent. Atomic
 * updates are made so that a replacement can tell whether one had happened that its predecessor was killed in. Data
 * thread only; hot path.
 */
class LoggedAccess implements WindowAccess {
    final Interceptor log;
    final SignalObserver signals;
    final int index;
    private final WindowImpl window;
    private final Fabric fabric;
    private final Waiter waiter;
    private final PeerPaths paths;
    private final PeerFailureHandling survivor;
    private final int member;
    private final RequestPool requests;
    private final StagingRing staging;
    private final OwnCells cells;
    private final boolean notesUpdates;
    private final AtomicUpdate updates;

    LoggedAccess(WindowImpl window, Session session, RequestPool requests, StagingRing staging, OwnCells cells,
        Interceptor log) {
        this.fabric = session.fabric;
        this.waiter = session.waiter;
        this.paths = session.paths;
        this.survivor = session.survivor;
        this.member = session.member;
        this.window = window;
        this.requests = requests;
        this.staging = staging;
        this.cells = cells;
        this.log = log;
        this.signals = log.signals();
        this.index = window.index();
        this.notesUpdates = log.notesUpdates();
        this.updates = new AtomicUpdate(window, index, window.parts, member, log, waiter, session.away, survivor);
    }

    @Override
    public void put(RemoteMemory remote, MemorySegment source, long sourceOffset, int target, long offset,
        long length) {
        if (log.put(index, target, source, sourceOffset, offset, length)) { // L1
            try {
                remote.put(source, sourceOffset, offset, length);
            } catch (PeerLostException e) {
                done(e);
            }
        }
    }

    /** A put to a lost rank is in the log, so that its recovery does it. */
    private void done(PeerLostException loss) {
        if (!survivor.isPossible()) {
            throw loss;
        }
    }

    @Override
    public void putLong(RemoteMemory remote, long value, int target, long offset) {
        if (log.putLong(index, target, value, offset)) {
            try {
                remote.putLong(offset, value);
            } catch (PeerLostException e) {
                done(e);
            }
        }
    }

    @Override
    public void putInt(RemoteMemory remote, int value, int target, long offset) {
        if (log.putInt(index, target, value, offset)) {
            try {
                remote.putInt(offset, value);
            } catch (PeerLostException e) {
                done(e);
            }
        }
    }

    @Override
    public void putBlocks(RemoteMemory remote, MemorySegment source, int target, Blocks blocks) {
        if (log.putStrided(index, target, source, blocks)) {
            try {
                remote.putBlocks(source, blocks.source(0), blocks.sourceStride(), blocks.target(0), blocks.stride(),
                    blocks.bytes(), blocks.count());
            } catch (PeerLostException e) {
                done(e);
            }
        }
    }

    @Override
    public Request requestPut(RemoteMemory remote, MemorySegment source, long sourceOffset, int target, long offset,
        long length) {
        boolean isSent = log.put(index, target, source, sourceOffset, offset, length);
        try {
            return requests.of(isSent ? remote.requestPut(source, sourceOffset, offset, length) : 0, target);
        } catch (PeerLostException e) {
            done(e);
            return requests.of(0, target);
        }
    }

    @Override
    public Request requestPutBlocks(RemoteMemory remote, MemorySegment source, int target, Blocks blocks) {
        try {
            return log.putStrided(index, target, source, blocks)
                ? DirectAccess.issue(requests, remote, source, target, blocks) : requests.of(0, target);
        } catch (PeerLostException e) {
            done(e);
            return requests.of(0, target);
        }
    }

    /** What the log gives may be used again as soon as a put has returned: nothing may be under way from there. */
    @Override
    public MemorySegment stage(int target, long length) {
        MemorySegment inLog = paths.isImmediate(target) ? log.stage(index, target, length) : null;
        return inLog != null ? inLog : staging.next(target, length);
    }

    @Override
    public void get(RemoteMemory remote, MemorySegment destination, long destinationOffset, int target, long offset,
        long length) {
        log.get(index, target, destination, destinationOffset, offset, length);
        try {
            remote.get(destination, destinationOffset, offset, length);
        } catch (PeerLostException e) {
            done(e); // as all that is under way from there it is issued once more, before it is logged
        }
    }

    /** The result is logged before the program can use it, so that it is complete when this returns. */
    @Override
    public Request requestGet(RemoteMemory remote, MemorySegment destination, long destinationOffset, int target,
        long offset, long length) {
        get(remote, destination, destinationOffset, target, offset, length);
        window.flushLocal(target);
        return requests.of(0, target);
    }

    /** As {@link #requestGet}. */
    @Override
    public Request requestGetBlocks(RemoteMemory remote, MemorySegment destination, int target, Blocks blocks) {
        for (long i = 0; i < blocks.count(); i++) {
            get(remote, destination, blocks.source(i), target, blocks.target(i), blocks.bytes());
        }
        window.flushLocal(target);
        return requests.of(0, target);
    }

    @Override
    public long getLong(RemoteMemory remote, int target, long offset) {
        long value = read(remote, DataType.INT64, target, offset);
        log.gotLong(index, target, value, offset);
        return value;
    }

    @Override
    public int getInt(RemoteMemory remote, int target, long offset) {
        int value = (int) read(remote, DataType.INT32, target, offset);
        log.gotInt(index, target, value, offset);
        return value;
    }

    /** What was not logged was not used, and is read again. */
    private long read(RemoteMemory remote, DataType type, int target, long offset) {
        RemoteMemory from = remote;
        while (true) {
            try {
                return type == DataType.INT64 ? from.getLong(offset) : from.getInt(offset);
            } catch (PeerLostException e) {
                survivor.awaitBack(e);
                from = window.parts.present(target);
            }
        }
    }

    @Override
    public void update(RemoteMemory remote, AtomicOp op, DataType type, long operand, int target, long offset) {
        fetch(op, type, operand, target, offset);
    }

    @Override
    public long fetch(AtomicOp op, DataType type, long operand, int target, long offset) {
        if (notesUpdates && op != AtomicOp.NO_OP) {
            return updates.make(op, type, operand, 0, target, offset);
        }
        long old = updates.fetchOrAgain(op, type, operand, target, offset);
        log.atomic(index, target, op, type, offset, operand, old);
        return old;
    }

    @Override
    public long compareAndSwap(DataType type, long expected, long desired, int target, long offset) {
        if (notesUpdates) {
            return updates.make(null, type, expected, desired, target, offset);
        }
        long old = window.parts.present(target).compareAndSwap(type, offset, expected, desired);
        log.compareAndSwap(index, target, offset, type, expected, desired, old);
        return old;
    }

    @Override
    public void signal(AtomicOp op, long value, int target, long offset) {
        flush(target);
        signals.signalling(target);
        fetch(op, DataType.INT64, value, target, offset);
        signals.signalled(index, target);
    }

    @Override
    public long waitUntil(long offset, Comparison comparison, long value) {
        long found = cells.await(offset, comparison, value);
        awaitEnd(offset);
        signals.waited(index, offset, found);
        return found;
    }

    @Override
    public boolean test(long offset, Comparison comparison, long value) {
        fabric.progress();
        long found = cells.read(offset);
        if (!comparison.holds(found, value)) {
            log.gotLong(index, member, found, offset);
            return false;
        }
        awaitEnd(offset);
        signals.waited(index, offset, found);
        return true;
    }

    /**
     * Whoever put the value there may be in the middle of that, or have died so: its replacement looks what is there,
     * before anybody changes it.
     */
    private void awaitEnd(long offset) {
        int updater = signals.updater(index, offset);
        long deadline = updater < 0 ? 0 : waiter.deadlineFromNow();
        for (int turn = 0; updater >= 0 && signals.updater(index, offset) == updater; turn++) { // L27
            waiter.backOff("the end of a signal's update", updater, turn, deadline);
        }
    }

    @Override
    public void completing(int target) {
        // nothing was put off
    }

    @Override
    public void flush(int target) {
        survivor.flush(target);
        log.flushed(index, target);
    }

    @Override
    public void flushAll() {
        survivor.flushAll();
        log.flushed(index, -1);
    }

    @Override
    public void arrived(int target) {
        log.arrived(target);
    }

    @Override
    public void unlocking(int target) {
        log.unlocking(index, target);
    }
}
