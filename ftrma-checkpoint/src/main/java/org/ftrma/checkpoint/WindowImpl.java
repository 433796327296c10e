package org.ftrma.checkpoint;

import java.lang.foreign.MemorySegment;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.LockType;
import org.ftrma.MisuseException;
import org.ftrma.Request;
import org.ftrma.Window;
import org.ftrma.WindowKind;
import org.ftrma.spi.ControlPlane;
import org.ftrma.spi.Interceptor;
import org.ftrma.spi.MemoryRegion;
import org.ftrma.spi.RemoteMemory;

/** A window over one exposed region per rank. Checks every argument, then hands the access to the fabric. Data thread only; hot path. */
final class WindowImpl implements Window {
    private final Session session;
    private final ControlPlane control;
    private Interceptor interceptor;
    private Recovery recovery;
    private final String name;
    private final int index;
    private final long bytes;
    private final WindowKind kind;
    private final MemoryRegion region;
    private final RemoteMemory[] remotes;
    private final RequestPool requests;
    private final StagingRing staging;
    final WindowLocks locks;
    private byte[][] keys;

    WindowImpl(Session session, ControlPlane control, String name, int index, long bytes, WindowKind kind) {
        this.session = session;
        this.control = control;
        this.name = name;
        this.index = index;
        this.bytes = bytes;
        this.kind = kind;
        this.region = session.fabric.expose(bytes);
        this.remotes = new RemoteMemory[session.ranks];
        this.requests = new RequestPool(session);
        this.staging = new StagingRing(session);
        this.locks = new WindowLocks(session, name, index);
    }

    byte[] key() {
        return region.key();
    }

    /** To be called in each view with the keys of all ranks. */
    void open(byte[][] newKeys) {
        keys = newKeys;
        java.util.Arrays.fill(remotes, null);
        locks.reset();
    }

    /** Who sees all accesses from now on, or null. */
    void intercept(Interceptor observer) {
        interceptor = observer;
        locks.intercept(observer);
    }

    /** Results come from logs as far as they go, or, with null, no longer. Only with an interceptor. */
    void recoverWith(Recovery ongoing) {
        recovery = ongoing;
        locks.recoverWith(ongoing);
    }

    int index() {
        return index;
    }

    /** A rank was lost: its part of the window is reached anew once it is back. */
    void lost(int peer) {
        remotes[peer] = null;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public WindowKind kind() {
        return kind;
    }

    @Override
    public MemorySegment memory() {
        return region.segment();
    }

    private RemoteMemory remote(int target, long offset, long length) {
        if (control.ready()) {
            session.inbox.drain();
        }
        if (target < 0 || target >= remotes.length) {
            throw noSuchRank(target);
        }
        if ((offset | length) < 0 || offset > bytes - length) {
            throw outside(target, offset, length);
        }
        RemoteMemory remote = remotes[target];
        return remote != null ? remote : attach(target);
    }

    private MisuseException noSuchRank(int target) {
        return new MisuseException("target=" + target + " ranks=" + remotes.length + " window=" + name + ": no such rank");
    }

    private MisuseException outside(int target, long offset, long length) {
        return new MisuseException("offset=" + offset + " length=" + length + " windowLength=" + bytes + " window=" + name + " target=" + target
            + ": outside the window");
    }

    private RemoteMemory attach(int target) {
        RemoteMemory remote = session.attach(target, () -> keys[target]);
        remotes[target] = remote;
        return remote;
    }

    private void checkLocal(MemorySegment segment, long offset, long length, String what) {
        if (segment == null || (offset | length) < 0 || offset > segment.byteSize() - length) {
            throw new MisuseException(what + "Offset=" + offset + " length=" + length + " " + what + "Length="
                + (segment == null ? "null" : segment.byteSize()) + " window=" + name + ": outside the local segment");
        }
    }

    private RemoteMemory remoteElements(int target, AtomicOp op, DataType type, long offset, long count) {
        if (!op.supports(type)) {
            throw new MisuseException("operation=" + op + " type=" + type + " window=" + name + ": not defined");
        }
        if (count < 0 || count > bytes / type.bytes()) {
            throw outside(target, offset, count);
        }
        checkAligned(type, target, offset);
        return remote(target, offset, count * type.bytes());
    }

    private void checkAligned(DataType type, int target, long offset) {
        if ((offset & (type.bytes() - 1)) != 0) {
            throw new MisuseException("offset=" + offset + " type=" + type + " window=" + name + " target=" + target
                + ": atomic accesses must be aligned to " + type.bytes() + " bytes");
        }
    }

    private void checkInteger(DataType type) {
        if (type == DataType.FLOAT64) {
            throw new MisuseException("type=FLOAT64 window=" + name + ": fetchAndOp and compareAndSwap take INT32 or INT64");
        }
    }

    private void checkBlocks(int target, long offset, long stride, long localStride, long blockBytes, long count) {
        if (blockBytes < 0 || count < 0 || stride < blockBytes || localStride < blockBytes) {
            throw new MisuseException("blockBytes=" + blockBytes + " count=" + count + " stride=" + stride + " localStride=" + localStride
                + " window=" + name + " target=" + target + ": strides must be at least the block, and nothing negative");
        }
        if (count > 0 && offset >= 0 && stride > 0 && (count - 1) > (bytes - blockBytes - offset) / stride) {
            throw new MisuseException("offset=" + offset + " stride=" + stride + " blockBytes=" + blockBytes + " count=" + count
                + " windowLength=" + bytes + " window=" + name + " target=" + target + ": outside the window");
        }
    }

    private static long span(long stride, long blockBytes, long count) {
        return count == 0 ? 0 : (count - 1) * stride + blockBytes;
    }

    @Override
    public void put(MemorySegment source, long sourceOffset, int target, long offset, long length) {
        RemoteMemory remote = remote(target, offset, length);
        checkLocal(source, sourceOffset, length, "source");
        if (recovery != null) {
            replayed(target, offset, length);
        }
        if (interceptor == null || interceptor.put(index, target, source, sourceOffset, offset, length)) {
            remote.put(source, sourceOffset, offset, length);
        }
    }

    /** A put is done again: in the own window it meets what others put there. */
    private void replayed(int target, long offset, long length) {
        if (target == session.member) {
            recovery.ownPut(index, offset, length, locks.acquisitionHeld(target), locks.isHeldShared(target));
        }
    }

    @Override
    public MemorySegment stage(int target, long length) {
        checkTarget(target);
        if (length < 1 || length > bytes) {
            throw new MisuseException("length=" + length + " windowLength=" + bytes + " window=" + name + " target=" + target
                + ": a staged put has at least 1 byte and fits the window");
        }
        MemorySegment inLog = interceptor == null ? null : interceptor.stage(index, target, length);
        return inLog != null ? inLog : staging.next(target, length);
    }

    @Override
    public void putLong(long value, int target, long offset) {
        RemoteMemory remote = remote(target, offset, 8);
        if (recovery != null) {
            replayed(target, offset, 8);
        }
        if (interceptor == null || interceptor.putLong(index, target, value, offset)) {
            remote.putLong(offset, value);
        }
    }

    @Override
    public void get(MemorySegment destination, long destinationOffset, int target, long offset, long length) {
        RemoteMemory remote = remote(target, offset, length);
        checkLocal(destination, destinationOffset, length, "destination");
        get(remote, destination, destinationOffset, target, offset, length);
    }

    private void get(RemoteMemory remote, MemorySegment destination, long destinationOffset, int target, long offset, long length) {
        if (recovery != null && recovery.postpones(this, target, destination, destinationOffset, offset, length)) {
            return;
        }
        if (interceptor != null) {
            interceptor.get(index, target, destination, destinationOffset, offset, length);
        }
        remote.get(destination, destinationOffset, offset, length);
    }

    /** A get that no log answered. */
    void getNow(MemorySegment destination, long destinationOffset, int target, long offset, long length) {
        RemoteMemory remote = remote(target, offset, length);
        interceptor.get(index, target, destination, destinationOffset, offset, length);
        remote.get(destination, destinationOffset, offset, length);
    }

    @Override
    public long getLong(int target, long offset) {
        RemoteMemory remote = remote(target, offset, 8);
        if (recovery != null && recovery.replaysLong(index, target, offset)) {
            return recovery.value();
        }
        long value = remote.getLong(offset);
        if (interceptor != null) {
            interceptor.gotLong(index, target, value, offset);
        }
        return value;
    }

    @Override
    public void prefetch(int target, long offset) {
        if (target < 0 || target >= remotes.length) {
            throw noSuchRank(target);
        }
        if (offset < 0 || offset > bytes - 8) {
            throw outside(target, offset, 8);
        }
        RemoteMemory remote = remotes[target];
        if (remote != null) {
            remote.prefetch(offset);
        }
    }

    @Override
    public void putStrided(MemorySegment source, long sourceOffset, long sourceStride, int target, long offset, long stride, long blockBytes,
        long count) {
        checkBlocks(target, offset, stride, sourceStride, blockBytes, count);
        RemoteMemory remote = remote(target, offset, span(stride, blockBytes, count));
        checkLocal(source, sourceOffset, span(sourceStride, blockBytes, count), "source");
        for (long i = 0; recovery != null && i < count; i++) {
            replayed(target, offset + i * stride, blockBytes);
        }
        if (count == 0 || blockBytes == 0 || interceptor != null
            && !interceptor.putStrided(index, target, source, sourceOffset, sourceStride, offset, stride, blockBytes, count)) {
            return;
        }
        for (long i = 0; i < count; i++) {
            remote.put(source, sourceOffset + i * sourceStride, offset + i * stride, blockBytes);
        }
    }

    @Override
    public void getStrided(MemorySegment destination, long destinationOffset, long destinationStride, int target, long offset, long stride,
        long blockBytes, long count) {
        checkBlocks(target, offset, stride, destinationStride, blockBytes, count);
        RemoteMemory remote = remote(target, offset, span(stride, blockBytes, count));
        checkLocal(destination, destinationOffset, span(destinationStride, blockBytes, count), "destination");
        for (long i = 0; i < count; i++) {
            get(remote, destination, destinationOffset + i * destinationStride, target, offset + i * stride, blockBytes);
        }
    }

    @Override
    public void accumulate(AtomicOp op, DataType type, MemorySegment source, long sourceOffset, int target, long offset, long count) {
        RemoteMemory remote = remoteElements(target, op, type, offset, count);
        checkLocal(source, sourceOffset, count * type.bytes(), "source");
        accumulate(remote, op, type, source, sourceOffset, target, offset, count);
    }

    private void accumulate(RemoteMemory remote, AtomicOp op, DataType type, MemorySegment source, long sourceOffset, int target, long offset,
        long count) {
        for (long i = 0; i < count; i++) {
            long at = offset + i * type.bytes();
            long operand = Collectives.bits(type, source, sourceOffset + i * type.bytes());
            if (interceptor == null) {
                remote.op(op, type, at, operand);
            } else {
                fetch(op, type, operand, target, at);
            }
        }
    }

    /** The target's memory now: it may have been replaced in a wait since the arguments were checked. */
    private RemoteMemory present(int target) {
        RemoteMemory remote = remotes[target];
        return remote != null ? remote : attach(target);
    }

    /** Announces an atomic access where its result will be logged; returns the memory to access. */
    private RemoteMemory announced(int target) {
        RemoteMemory remote;
        int known;
        do {
            known = session.losses();
            while (!interceptor.beforeAtomic(index, target)) {
                awaitCopy(target);
                known = session.losses();
            }
            remote = present(target);
        } while (known != session.losses());
        return remote;
    }

    private void awaitCopy(int target) {
        long deadline = session.waiter.deadlineFromNow();
        for (int turn = 0; interceptor.isHeld(target); turn++) {
            session.fabric.progress();
            session.waiter.outerTurn("the copy for a demand checkpoint", target, turn, deadline);
        }
    }

    private long fetch(AtomicOp op, DataType type, long operand, int target, long offset) {
        if (interceptor == null) {
            return present(target).fetchOp(op, type, offset, operand);
        }
        if (recovery != null && recovery.replaysAtomic(index, target, op, type, offset, operand)) {
            interceptor.replayed(index, target, op, type, offset, operand, recovery.value());
            return recovery.value();
        }
        // What changes nothing may be done again, like a get.
        long old = (op == AtomicOp.NO_OP ? present(target) : announced(target)).fetchOp(op, type, offset, operand);
        interceptor.atomic(index, target, op, type, offset, operand, old);
        return old;
    }

    @Override
    public void getAccumulate(AtomicOp op, DataType type, MemorySegment source, long sourceOffset, MemorySegment result, long resultOffset,
        int target, long offset, long count) {
        RemoteMemory remote = remoteElements(target, op, type, offset, count);
        if (op != AtomicOp.NO_OP) {
            checkLocal(source, sourceOffset, count * type.bytes(), "source");
        }
        checkLocal(result, resultOffset, count * type.bytes(), "result");
        for (long i = 0; i < count; i++) {
            long at = offset + i * type.bytes();
            long operand = op == AtomicOp.NO_OP ? 0 : Collectives.bits(type, source, sourceOffset + i * type.bytes());
            Collectives.setBits(type, result, resultOffset + i * type.bytes(), fetch(op, type, operand, target, at));
        }
    }

    @Override
    public void accumulateStrided(AtomicOp op, DataType type, MemorySegment source, long sourceOffset, long sourceStride, int target, long offset,
        long stride, long blockElements, long count) {
        if (blockElements < 0 || blockElements > bytes / type.bytes() || stride % type.bytes() != 0) {
            throw new MisuseException("blockElements=" + blockElements + " stride=" + stride + " type=" + type + " window=" + name
                + ": strides are multiples of the element, blocks fit the window");
        }
        long blockBytes = blockElements * type.bytes();
        checkBlocks(target, offset, stride, sourceStride, blockBytes, count);
        RemoteMemory remote = remote(target, offset, span(stride, blockBytes, count));
        remoteElements(target, op, type, offset, 0);
        checkLocal(source, sourceOffset, span(sourceStride, blockBytes, count), "source");
        for (long i = 0; i < count; i++) {
            accumulate(remote, op, type, source, sourceOffset + i * sourceStride, target, offset + i * stride, blockElements);
        }
    }

    @Override
    public long fetchAndOp(AtomicOp op, DataType type, long operand, int target, long offset) {
        checkInteger(type);
        checkAligned(type, target, offset);
        remote(target, offset, type.bytes());
        return fetch(op, type, operand, target, offset);
    }

    @Override
    public long compareAndSwap(DataType type, long expected, long desired, int target, long offset) {
        checkInteger(type);
        checkAligned(type, target, offset);
        RemoteMemory remote = remote(target, offset, type.bytes());
        if (interceptor == null) {
            return remote.compareAndSwap(type, offset, expected, desired);
        }
        if (recovery != null && recovery.replaysSwap(index, target, type, offset, expected, desired)) {
            interceptor.replayedSwap(index, target, type, offset, expected, desired, recovery.value());
            return recovery.value();
        }
        long old = announced(target).compareAndSwap(type, offset, expected, desired);
        interceptor.compareAndSwap(index, target, type, offset, expected, desired, old);
        return old;
    }

    @Override
    public Request rput(MemorySegment source, long sourceOffset, int target, long offset, long length) {
        RemoteMemory remote = remote(target, offset, length);
        checkLocal(source, sourceOffset, length, "source");
        boolean send = interceptor == null || interceptor.put(index, target, source, sourceOffset, offset, length);
        return requests.of(send ? remote.requestPut(source, sourceOffset, offset, length) : 0, target);
    }

    @Override
    public Request rget(MemorySegment destination, long destinationOffset, int target, long offset, long length) {
        RemoteMemory remote = remote(target, offset, length);
        checkLocal(destination, destinationOffset, length, "destination");
        if (interceptor == null) {
            return requests.of(remote.requestGet(destination, destinationOffset, offset, length), target);
        }
        // The result is logged before the program can use it, so that it is complete when this returns.
        get(remote, destination, destinationOffset, target, offset, length);
        flushLocal(target);
        return requests.of(0, target);
    }

    @Override
    public Request raccumulate(AtomicOp op, DataType type, MemorySegment source, long sourceOffset, int target, long offset, long count) {
        accumulate(op, type, source, sourceOffset, target, offset, count);
        return requests.of(0, target);
    }

    @Override
    public Request rgetAccumulate(AtomicOp op, DataType type, MemorySegment source, long sourceOffset, MemorySegment result, long resultOffset,
        int target, long offset, long count) {
        getAccumulate(op, type, source, sourceOffset, result, resultOffset, target, offset, count);
        return requests.of(0, target);
    }

    private void checkTarget(int target) {
        if (control.ready()) {
            session.inbox.drain();
        }
        if (target < 0 || target >= remotes.length) {
            throw noSuchRank(target);
        }
    }

    /** The gets to this target (or all) that were postponed get their data: from logs, or now. */
    private void answer(int target) {
        if (recovery != null) {
            recovery.answer(target);
        }
    }

    @Override
    public void flush(int target) {
        checkTarget(target);
        answer(target);
        session.fabric.flush(target);
        if (interceptor != null) {
            interceptor.flushed(index, target);
        }
    }

    @Override
    public void flushAll() {
        checkTarget(0);
        answer(-1);
        session.fabric.flushAll();
        if (interceptor != null) {
            interceptor.flushed(index, -1);
        }
    }

    @Override
    public void flushLocal(int target) {
        checkTarget(target);
        answer(target);
        session.fabric.flushLocal(target);
        if (interceptor != null) {
            interceptor.arrived(target);
        }
    }

    @Override
    public void flushLocalAll() {
        for (int target = 0; target < remotes.length; target++) {
            flushLocal(target);
        }
    }

    @Override
    public void lock(LockType type, int target) {
        checkTarget(target);
        locks.lock(type, target);
    }

    @Override
    public void unlock(int target) {
        checkTarget(target);
        locks.checkHeld(target);
        answer(target);
        session.fabric.flush(target);
        if (interceptor != null) {
            interceptor.unlocking(index, target);
        }
        locks.unlock(target);
    }

    @Override
    public void lockAll() {
        checkTarget(0);
        locks.lockAll();
    }

    @Override
    public void unlockAll() {
        checkTarget(0);
        locks.checkAllHeld();
        answer(-1);
        session.fabric.flushAll();
        if (interceptor != null) {
            interceptor.unlocking(index, -1);
        }
        locks.unlockAll();
    }
}
