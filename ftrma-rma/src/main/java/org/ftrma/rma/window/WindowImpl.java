package org.ftrma.rma.window;

import java.lang.foreign.MemorySegment;
import org.ftrma.AtomicOp;
import org.ftrma.Comparison;
import org.ftrma.DataType;
import org.ftrma.LockType;
import org.ftrma.Request;
import org.ftrma.WindowKind;
import org.ftrma.core.image.ProtectedMemory;
import org.ftrma.core.session.Contributions;
import org.ftrma.core.session.Session;
import org.ftrma.rma.log.Interceptor;
import org.ftrma.rma.log.LockObserver;
import org.ftrma.spi.Blocks;
import org.ftrma.spi.Elements;
import org.ftrma.spi.Fabric;
import org.ftrma.spi.MemoryRegion;
import org.ftrma.spi.RemoteMemory;

/**
 * A window over one exposed region per rank. Has every argument checked, then hands the access to the fabric, unless it
 * is of no bytes: that is over then, and in no log. Data thread only; hot path.
 */
public final class WindowImpl extends WindowForms implements ProtectedMemory {
    private final Session session;
    /** How accesses are made now. */
    private WindowAccess access;
    private final WindowAccess direct;
    /** How they are made where they are logged, once they are. */
    private LoggedAccess logged;
    private final Blocks blocks = new Blocks();
    private final String name;
    private final int index;
    private final WindowSizes sizes;
    private final WindowKind kind;
    private final MemoryRegion region;
    private final MemorySegment memory;
    final WindowParts parts;
    private final OwnCells cells;
    public final WindowLocks locks;

    /** Its part at each rank has the size that is said. */
    public WindowImpl(Session session, String name, int index, WindowSizes sizes, WindowKind kind) {
        super(session, name, sizes);
        Fabric fabric = session.fabric;
        this.session = session;
        this.name = name;
        this.index = index;
        this.sizes = sizes;
        long bytes = sizes.byRank[member];
        this.kind = kind;
        this.region = fabric.expose(WindowSizes.regionBytes(bytes));
        this.memory = region.segment().asSlice(0, bytes);
        this.cells = new OwnCells(this, fabric, session.waiter, member);
        this.parts = new WindowParts(session.inbox, session.peers, session.phase, name, sizes, arguments);
        this.locks = new WindowLocks(session, name, index);
        this.direct = new DirectAccess(this, fabric, requests, staging, cells);
        this.access = direct;
    }

    public byte[] key() {
        return region.key();
    }

    /** To be called in each view with what all ranks contributed: their keys. */
    public void open(Contributions newKeys) {
        parts.open(newKeys);
        locks.reset();
    }

    /** Whether the program may make accesses from now on. A new window allows none. */
    public void allowAccesses(boolean isAllowed) {
        parts.allowAccesses(isAllowed);
    }

    /** Nobody logs accesses from now on. */
    public void accessDirectly() {
        access = direct;
        locks.observeBy(LockObserver.NONE);
        locks.replayWith(LockReplay.NONE);
    }

    /** This one sees all accesses from now on. */
    public void logTo(Interceptor log) {
        logged = new LoggedAccess(this, session, requests, staging, cells, log);
        access = logged;
        locks.observeBy(log);
    }

    /** Results come from logs as far as they go, until {@link #endReplay}. Accesses are logged already. */
    public void replayWith(WindowReplay ongoing) {
        access = new ReplayedAccess(this, session, requests, staging, cells, logged.log, ongoing);
        locks.replayWith(ongoing);
    }

    /** Everything is done from now on. */
    public void endReplay() {
        access = logged;
        locks.replayWith(LockReplay.NONE);
    }

    public int index() {
        return index;
    }

    /** At the end of the program: a lock that nobody will give back would keep out for ever who wants it. */
    public void checkNoneExclusive() {
        locks.checkNoneExclusive();
    }

    /** A rank was lost, or is left alone: its part of the window is opened anew before the next access. */
    public void close(int peer) {
        parts.close(peer);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public long bytes() {
        return memory.byteSize();
    }

    @Override
    public long bytes(int rank) {
        return arguments.bytesOf(rank);
    }

    @Override
    public long largestBytes() {
        return sizes.largest();
    }

    @Override
    public long largestRegionBytes() {
        return sizes.largestRegion();
    }

    @Override
    public String sizes() {
        return sizes.toString();
    }

    @Override
    public WindowKind kind() {
        return kind;
    }

    @Override
    public MemorySegment memory() {
        return memory;
    }

    private RemoteMemory remote(int target, long offset, long length) {
        return parts.remote(target, offset, length);
    }

    @Override
    void checkRange(int target, long offset, long length) {
        remote(target, offset, length);
    }

    @Override
    MemorySegment inPlace(int target) {
        return target == member ? memory : access.inPlace(remote(target, 0, 0), target);
    }

    private RemoteMemory remoteElements(int target, AtomicOp op, DataType type, long offset, long count) {
        arguments.checkElements(op, type, target, offset, count);
        return remote(target, offset, count * type.bytes());
    }

    @Override
    public void put(MemorySegment source, long sourceOffset, int target, long offset, long length) {
        RemoteMemory remote = remote(target, offset, length);
        arguments.checkSource(source, sourceOffset, length);
        if (length > 0) {
            access.put(remote, source, sourceOffset, target, offset, length);
        }
    }

    @Override
    public MemorySegment stage(int target, long length) {
        parts.checkTarget(target);
        arguments.checkStaged(target, length);
        return access.stage(target, length);
    }

    @Override
    public void putLong(long value, int target, long offset) {
        access.putLong(remote(target, offset, 8), value, target, offset);
    }

    @Override
    public void putInt(int value, int target, long offset) {
        access.putInt(remote(target, offset, 4), value, target, offset);
    }

    @Override
    public void get(MemorySegment destination, long destinationOffset, int target, long offset, long length) {
        RemoteMemory remote = remote(target, offset, length);
        arguments.checkWritten(destination, destinationOffset, length, WindowArguments.DESTINATION);
        if (length > 0) {
            access.get(remote, destination, destinationOffset, target, offset, length);
        }
    }

    /** What a rank's part holds at a place: for a recovery. */
    public long valueAt(int target, DataType type, long offset) {
        return parts.evenClosed(target).fetchOp(AtomicOp.NO_OP, type, offset, 0);
    }

    /** A get that is logged already, or will be. */
    public void getUnlogged(MemorySegment destination, long destinationOffset, int target, long offset, long length) {
        parts.present(target).get(destination, destinationOffset, offset, length);
    }

    /** A get that no log answered. */
    public void getNow(MemorySegment destination, long destinationOffset, int target, long offset, long length) {
        access.get(remote(target, offset, length), destination, destinationOffset, target, offset, length);
    }

    @Override
    public long getLong(int target, long offset) {
        return access.getLong(remote(target, offset, 8), target, offset);
    }

    @Override
    public int getInt(int target, long offset) {
        return access.getInt(remote(target, offset, 4), target, offset);
    }

    @Override
    public void prefetch(int target, long offset) {
        parts.prefetch(target, offset);
    }

    private RemoteMemory remoteBlocks(int target, long offset, long stride, long localStride, long blockBytes,
        long count) {
        arguments.checkBlocks(target, offset, stride, localStride, blockBytes, count);
        return remote(target, offset, WindowArguments.span(stride, blockBytes, count));
    }

    @Override
    public void putStrided(MemorySegment source, long sourceOffset, long sourceStride, int target, long offset,
        long stride, long blockBytes, long count) {
        RemoteMemory remote = remoteBlocks(target, offset, stride, sourceStride, blockBytes, count);
        arguments.checkSourceBlocks(source, sourceOffset, sourceStride, blockBytes, count);
        if (!blocks.of(count, blockBytes).from(sourceOffset, sourceStride).to(offset, stride).isEmpty()) {
            access.putBlocks(remote, source, target, blocks);
        }
    }

    @Override
    public void getStrided(MemorySegment destination, long destinationOffset, long destinationStride, int target,
        long offset, long stride, long blockBytes, long count) {
        RemoteMemory remote = remoteBlocks(target, offset, stride, destinationStride, blockBytes, count);
        arguments.checkWrittenBlocks(destination, destinationOffset, destinationStride, blockBytes, count,
            WindowArguments.DESTINATION);
        for (long i = 0; i < count && blockBytes > 0; i++) {
            access.get(remote, destination, destinationOffset + i * destinationStride, target, offset + i * stride,
                blockBytes);
        }
    }

    @Override
    public void accumulate(AtomicOp op, DataType type, MemorySegment source, long sourceOffset, int target, long offset,
        long count) {
        RemoteMemory remote = remoteElements(target, op, type, offset, count);
        arguments.checkSource(source, sourceOffset, count * type.bytes());
        accumulate(remote, op, type, source, sourceOffset, target, offset, count);
    }

    private void accumulate(RemoteMemory remote, AtomicOp op, DataType type, MemorySegment source, long sourceOffset,
        int target, long offset, long count) {
        for (long i = 0; i < count; i++) {
            long at = offset + i * type.bytes();
            long operand = Elements.read(type, source, sourceOffset + i * type.bytes());
            access.update(remote, op, type, operand, target, at);
        }
    }

    @Override
    public void accumulate(AtomicOp op, DataType type, long operand, int target, long offset) {
        RemoteMemory remote = remoteElements(target, op, type, offset, 1);
        access.update(remote, op, type, type.normalized(operand), target, offset);
    }

    @Override
    public void getAccumulate(AtomicOp op, DataType type, MemorySegment source, long sourceOffset, MemorySegment result,
        long resultOffset, int target, long offset, long count) {
        remoteElements(target, op, type, offset, count);
        if (op != AtomicOp.NO_OP) {
            arguments.checkSource(source, sourceOffset, count * type.bytes());
        }
        arguments.checkWritten(result, resultOffset, count * type.bytes(), WindowArguments.RESULT);
        fetch(op, type, source, sourceOffset, result, resultOffset, target, offset, count);
    }

    private void fetch(AtomicOp op, DataType type, MemorySegment source, long sourceOffset, MemorySegment result,
        long resultOffset, int target, long offset, long count) {
        for (long i = 0; i < count; i++) {
            long at = offset + i * type.bytes();
            long operand = op == AtomicOp.NO_OP ? 0 : Elements.read(type, source, sourceOffset + i * type.bytes());
            Elements.write(type, result, resultOffset + i * type.bytes(), access.fetch(op, type, operand, target, at));
        }
    }

    @Override
    public void accumulateStrided(AtomicOp op, DataType type, MemorySegment source, long sourceOffset,
        long sourceStride, int target, long offset, long stride, long blockElements, long count) {
        arguments.checkOperation(op, type);
        arguments.checkElementBlocks(type, stride, sourceStride, blockElements);
        long blockBytes = blockElements * type.bytes();
        RemoteMemory remote = remoteBlocks(target, offset, stride, sourceStride, blockBytes, count);
        arguments.checkElements(op, type, target, offset, 0);
        arguments.checkSourceBlocks(source, sourceOffset, sourceStride, blockBytes, count);
        for (long i = 0; i < count; i++) {
            accumulate(remote, op, type, source, sourceOffset + i * sourceStride, target, offset + i * stride,
                blockElements);
        }
    }

    @Override
    public void getAccumulateStrided(AtomicOp op, DataType type, MemorySegment source, long sourceOffset,
        long sourceStride, MemorySegment result, long resultOffset, long resultStride, int target, long offset,
        long stride, long blockElements, long count) {
        arguments.checkOperation(op, type);
        arguments.checkElementBlocks(type, stride, resultStride, blockElements);
        long blockBytes = blockElements * type.bytes();
        remoteBlocks(target, offset, stride, resultStride, blockBytes, count);
        arguments.checkElements(op, type, target, offset, 0);
        if (op != AtomicOp.NO_OP) {
            arguments.checkElementBlocks(type, stride, sourceStride, blockElements);
            arguments.checkBlocks(target, offset, stride, sourceStride, blockBytes, count);
            arguments.checkSourceBlocks(source, sourceOffset, sourceStride, blockBytes, count);
        }
        arguments.checkWrittenBlocks(result, resultOffset, resultStride, blockBytes, count, WindowArguments.RESULT);
        for (long i = 0; i < count; i++) {
            fetch(op, type, source, sourceOffset + i * sourceStride, result, resultOffset + i * resultStride, target,
                offset + i * stride, blockElements);
        }
    }

    @Override
    public long fetchAndOp(AtomicOp op, DataType type, long operand, int target, long offset) {
        remoteElements(target, op, type, offset, 1);
        return access.fetch(op, type, operand, target, offset);
    }

    @Override
    public long compareAndSwap(DataType type, long expected, long desired, int target, long offset) {
        remoteElements(target, AtomicOp.REPLACE, type, offset, 1);
        return access.compareAndSwap(type, expected, desired, target, offset);
    }

    @Override
    public void signal(AtomicOp op, long value, int target, long offset) {
        arguments.checkSignal(op, target, offset);
        remote(target, offset, Long.BYTES);
        access.signal(op, value, target, offset);
    }

    @Override
    public void putSignal(MemorySegment source, long sourceOffset, int target, long offset, long length, AtomicOp op,
        long value, long signalOffset) {
        arguments.checkSignal(op, target, signalOffset);
        remote(target, signalOffset, Long.BYTES);
        put(source, sourceOffset, target, offset, length);
        access.signal(op, value, target, signalOffset);
    }

    @Override
    public long waitUntil(long offset, Comparison comparison, long value) {
        arguments.checkWait(comparison, offset);
        remote(member, offset, Long.BYTES);
        return access.waitUntil(offset, comparison, value);
    }

    @Override
    public boolean test(long offset, Comparison comparison, long value) {
        arguments.checkWait(comparison, offset);
        remote(member, offset, Long.BYTES);
        return access.test(offset, comparison, value);
    }

    @Override
    public Request rput(MemorySegment source, long sourceOffset, int target, long offset, long length) {
        RemoteMemory remote = remote(target, offset, length);
        arguments.checkSource(source, sourceOffset, length);
        return length == 0 ? requests.of(0, target)
            : access.requestPut(remote, source, sourceOffset, target, offset, length);
    }

    @Override
    public Request rget(MemorySegment destination, long destinationOffset, int target, long offset, long length) {
        RemoteMemory remote = remote(target, offset, length);
        arguments.checkWritten(destination, destinationOffset, length, WindowArguments.DESTINATION);
        return length == 0 ? requests.of(0, target)
            : access.requestGet(remote, destination, destinationOffset, target, offset, length);
    }

    @Override
    public Request rputStrided(MemorySegment source, long sourceOffset, long sourceStride, int target, long offset,
        long stride, long blockBytes, long count) {
        RemoteMemory remote = remoteBlocks(target, offset, stride, sourceStride, blockBytes, count);
        arguments.checkSourceBlocks(source, sourceOffset, sourceStride, blockBytes, count);
        return blocks.of(count, blockBytes).from(sourceOffset, sourceStride).to(offset, stride).isEmpty()
            ? requests.of(0, target) : access.requestPutBlocks(remote, source, target, blocks);
    }

    @Override
    public Request rgetStrided(MemorySegment destination, long destinationOffset, long destinationStride, int target,
        long offset, long stride, long blockBytes, long count) {
        RemoteMemory remote = remoteBlocks(target, offset, stride, destinationStride, blockBytes, count);
        arguments.checkWrittenBlocks(destination, destinationOffset, destinationStride, blockBytes, count,
            WindowArguments.DESTINATION);
        return blocks.of(count, blockBytes).from(destinationOffset, destinationStride).to(offset, stride).isEmpty()
            ? requests.of(0, target) : access.requestGetBlocks(remote, destination, target, blocks);
    }

    @Override
    public void flush(int target) {
        parts.checkTarget(target);
        access.flush(target);
    }

    @Override
    public void flushAll() {
        parts.checkTarget(0);
        access.flushAll();
    }

    @Override
    public void flushLocal(int target) {
        parts.checkTarget(target);
        access.completing(target);
        survivor.flushLocal(target);
        access.arrived(target);
    }

    @Override
    public void lock(LockType type, int target) {
        parts.checkTarget(target);
        arguments.checkLockType(type, target);
        locks.lock(type, target);
    }

    @Override
    public void unlock(int target) {
        parts.checkTarget(target);
        locks.checkHeld(target);
        access.completing(target);
        survivor.flush(target);
        access.unlocking(target);
        locks.unlock(target);
    }

    @Override
    public void lockAll() {
        parts.checkTarget(0);
        arguments.requireReached(-1);
        locks.lockAll();
    }

    @Override
    public void unlockAll() {
        parts.checkTarget(0);
        locks.checkAllHeld();
        access.completing(-1);
        survivor.flushAll();
        access.unlocking(-1);
        locks.unlockAll();
    }
}
