package org.ftrma.rma.window;

import java.lang.foreign.MemorySegment;
import org.ftrma.AtomicOp;
import org.ftrma.Comparison;
import org.ftrma.DataType;
import org.ftrma.Request;
import org.ftrma.core.session.Session;
import org.ftrma.rma.log.Interceptor;
import org.ftrma.spi.Blocks;
import org.ftrma.spi.RemoteMemory;

/**
 * Accesses of a replacement that does again what its predecessor did: results come from logs as far as they go
 * ({@link WindowReplay}), and what had taken effect is not done again. The others are logged as ever. Data thread only.
 */
final class ReplayedAccess extends LoggedAccess {
    private final WindowReplay replay;
    private final WindowImpl window;
    private final int self;

    ReplayedAccess(WindowImpl window, Session session, RequestPool requests, StagingRing staging, OwnCells cells,
        Interceptor log, WindowReplay replay) {
        super(window, session, requests, staging, cells, log);
        this.window = window;
        this.replay = replay;
        this.self = session.member;
    }

    /** A put is done again: in the own window it meets what others put there. */
    private void putting(int target, long offset, long length) {
        if (target == self) {
            replay.ownPut(index, offset, length);
        }
    }

    private void putting(int target, Blocks blocks) {
        for (long i = 0; i < blocks.count(); i++) {
            putting(target, blocks.target(i), blocks.bytes());
        }
    }

    @Override
    public void put(RemoteMemory remote, MemorySegment source, long sourceOffset, int target, long offset,
        long length) {
        putting(target, offset, length);
        super.put(remote, source, sourceOffset, target, offset, length);
    }

    @Override
    public void putLong(RemoteMemory remote, long value, int target, long offset) {
        putting(target, offset, Long.BYTES);
        super.putLong(remote, value, target, offset);
    }

    @Override
    public void putInt(RemoteMemory remote, int value, int target, long offset) {
        putting(target, offset, Integer.BYTES);
        super.putInt(remote, value, target, offset);
    }

    @Override
    public void putBlocks(RemoteMemory remote, MemorySegment source, int target, Blocks blocks) {
        putting(target, blocks);
        super.putBlocks(remote, source, target, blocks);
    }

    @Override
    public Request requestPut(RemoteMemory remote, MemorySegment source, long sourceOffset, int target, long offset,
        long length) {
        putting(target, offset, length);
        return super.requestPut(remote, source, sourceOffset, target, offset, length);
    }

    @Override
    public Request requestPutBlocks(RemoteMemory remote, MemorySegment source, int target, Blocks blocks) {
        putting(target, blocks);
        return super.requestPutBlocks(remote, source, target, blocks);
    }

    @Override
    public void get(RemoteMemory remote, MemorySegment destination, long destinationOffset, int target, long offset,
        long length) {
        if (!replay.postpones(window, target, destination, destinationOffset, offset, length)) {
            super.get(remote, destination, destinationOffset, target, offset, length);
        }
    }

    @Override
    public long getLong(RemoteMemory remote, int target, long offset) {
        return replay.replaysRead(index, target, DataType.INT64, offset) ? replay.value()
            : super.getLong(remote, target, offset);
    }

    @Override
    public int getInt(RemoteMemory remote, int target, long offset) {
        return replay.replaysRead(index, target, DataType.INT32, offset) ? (int) replay.value()
            : super.getInt(remote, target, offset);
    }

    @Override
    public long fetch(AtomicOp op, DataType type, long operand, int target, long offset) {
        if (!replay.replaysAtomic(index, target, op, type, offset, operand)) {
            return super.fetch(op, type, operand, target, offset);
        }
        if (replay.isUnlogged()) {
            log.atomic(index, target, op, type, offset, operand, replay.value());
        } else {
            log.replayed(index, target, op, type, offset, operand, replay.value());
        }
        return replay.value();
    }

    @Override
    public long compareAndSwap(DataType type, long expected, long desired, int target, long offset) {
        if (!replay.replaysSwap(index, target, type, offset, expected, desired)) {
            return super.compareAndSwap(type, expected, desired, target, offset);
        }
        if (replay.isUnlogged()) {
            log.compareAndSwap(index, target, offset, type, expected, desired, replay.value());
        } else {
            log.replayedSwap(index, target, offset, type, expected, desired, replay.value());
        }
        return replay.value();
    }

    @Override
    public long waitUntil(long offset, Comparison comparison, long value) {
        if (!replay.replaysWait(index, offset)) {
            return super.waitUntil(offset, comparison, value);
        }
        signals.waitedBefore(index, offset, replay.seen());
        return replay.value();
    }

    /** The log says which it was: a test that failed is a read. */
    @Override
    public boolean test(long offset, Comparison comparison, long value) {
        if (replay.isWaitNext()) {
            waitUntil(offset, comparison, value);
            return true;
        }
        return !replay.replaysRead(index, self, DataType.INT64, offset) && super.test(offset, comparison, value);
    }

    /** The gets that were postponed get their data: from logs, or now. */
    @Override
    public void completing(int target) {
        replay.answer(target);
    }

    @Override
    public void flush(int target) {
        completing(target);
        super.flush(target);
    }

    @Override
    public void flushAll() {
        completing(-1);
        super.flushAll();
    }
}
