package org.ftrma.checkpoint;

import java.lang.foreign.MemorySegment;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.LockType;
import org.ftrma.MisuseException;
import org.ftrma.Request;
import org.ftrma.Window;
import org.ftrma.WindowKind;
import org.ftrma.checkpoint.log.AccessLog;
import org.ftrma.spi.Blocks;
import org.ftrma.spi.Interceptor;
import org.ftrma.spi.MemoryRegion;
import org.ftrma.spi.RemoteMemory;

/** A window over one exposed region per rank. Has every argument checked, then hands the access to the fabric. Data thread only; hot path. */
final class WindowImpl implements Window {
    /** No rank: what {@link #remotes} is where the program may not access windows. */
    private static final RemoteMemory[] CLOSED = {};

    private final Session session;
    private Interceptor interceptor;
    /** The blocks of the strided put that is issued now. */
    private final Blocks blocks = new Blocks();
    private boolean notesUpdates;
    private Recovery recovery;
    private final String name;
    private final int index;
    private final long bytes;
    private final WindowKind kind;
    private final MemoryRegion region;
    private final RemoteMemory[] attached;
    /** {@link #attached}, or {@link #CLOSED}: the check of a target refuses an access that may not be made now, at no cost of its own. */
    private RemoteMemory[] remotes = CLOSED;
    private final RequestPool requests;
    private final StagingRing staging;
    private final WindowArguments arguments;
    final WindowLocks locks;
    private Contributions keys;

    WindowImpl(Session session, String name, int index, long bytes, WindowKind kind) {
        this.session = session;
        this.name = name;
        this.index = index;
        this.bytes = bytes;
        this.kind = kind;
        this.region = session.fabric.expose(bytes);
        this.attached = new RemoteMemory[session.ranks];
        this.requests = new RequestPool(session);
        this.staging = new StagingRing(session);
        this.arguments = new WindowArguments(name, bytes, session.ranks);
        this.locks = new WindowLocks(session, name, index);
    }

    byte[] key() {
        return region.key();
    }

    /** To be called in each view with what all ranks contributed: their keys. */
    void open(Contributions newKeys) {
        keys = newKeys;
        java.util.Arrays.fill(attached, null);
        locks.reset();
    }

    /** Whether the program may make accesses from now on. A new window allows none. */
    void allowAccesses(boolean isAllowed) {
        remotes = isAllowed ? attached : CLOSED;
    }

    /** Who sees all accesses from now on, or null. */
    void intercept(Interceptor observer) {
        interceptor = observer;
        notesUpdates = observer != null && observer.notesUpdates();
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

    /** At the end of the program: a lock that nobody will give back would keep out for ever who wants it. */
    void checkNoneExclusive() {
        for (int target = 0; locks.exclusiveHeld() > 0 && target < attached.length; target++) {
            if (locks.isHeldExclusively(target)) {
                throw new MisuseException("window=" + name + " target=" + target + ": the program returned with an exclusive lock held; unlock it"
                    + " before, at the end of the step that took it at the latest");
            }
        }
    }

    /** A rank was lost: its part of the window is reached anew once it is back. */
    void lost(int peer) {
        attached[peer] = null;
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
        session.inbox.drainIfReady();
        if (target < 0 || target >= remotes.length) {
            throw refused(target);
        }
        if ((offset | length) < 0 || offset > bytes - length) {
            throw arguments.outside(target, offset, length);
        }
        RemoteMemory remote = remotes[target];
        return remote != null ? remote : attach(target);
    }

    private MisuseException refused(int target) {
        return session.phase.allowsAccess() ? arguments.noSuchRank(target)
            : session.phase.refused("an access or lock, window=" + name + " target=" + target + ",");
    }

    private RemoteMemory attach(int target) {
        RemoteMemory remote = session.attach(target, () -> keys.of(target));
        attached[target] = remote;
        return remote;
    }

    private RemoteMemory remoteElements(int target, AtomicOp op, DataType type, long offset, long count) {
        arguments.checkElements(op, type, target, offset, count);
        return remote(target, offset, count * type.bytes());
    }

    @Override
    public void put(MemorySegment source, long sourceOffset, int target, long offset, long length) {
        RemoteMemory remote = remote(target, offset, length);
        arguments.checkSource(source, sourceOffset, length);
        if (sends(source, sourceOffset, target, offset, length)) {
            remote.put(source, sourceOffset, offset, length);
        }
    }

    /** Whether a put is to be issued, which is logged by this. */
    private boolean sends(MemorySegment source, long sourceOffset, int target, long offset, long length) {
        if (recovery != null) {
            replayed(target, offset, length);
        }
        return interceptor == null || interceptor.put(index, target, source, sourceOffset, offset, length);
    }

    /** A put is done again: in the own window it meets what others put there. */
    private void replayed(int target, long offset, long length) {
        if (target == session.member) {
            recovery.ownPut(index, offset, length);
        }
    }

    @Override
    public MemorySegment stage(int target, long length) {
        checkTarget(target);
        arguments.checkStaged(target, length);
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
        arguments.checkWritten(destination, destinationOffset, length, WindowArguments.DESTINATION);
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

    /** What a rank's part holds at a place: for a recovery. */
    long valueAt(int target, DataType type, long offset) {
        RemoteMemory remote = attached[target];
        return (remote != null ? remote : attach(target)).fetchOp(AtomicOp.NO_OP, type, offset, 0);
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
            throw refused(target);
        }
        if (offset < 0 || offset > bytes - 8) {
            throw arguments.outside(target, offset, 8);
        }
        RemoteMemory remote = remotes[target];
        if (remote != null) {
            remote.prefetch(offset);
        }
    }

    private RemoteMemory remoteBlocks(int target, long offset, long stride, long localStride, long blockBytes, long count) {
        arguments.checkBlocks(target, offset, stride, localStride, blockBytes, count);
        return remote(target, offset, WindowArguments.span(stride, blockBytes, count));
    }

    @Override
    public void putStrided(MemorySegment source, long sourceOffset, long sourceStride, int target, long offset, long stride, long blockBytes,
        long count) {
        RemoteMemory remote = remoteBlocks(target, offset, stride, sourceStride, blockBytes, count);
        arguments.checkSourceBlocks(source, sourceOffset, sourceStride, blockBytes, count);
        if (sendsBlocks(source, sourceOffset, sourceStride, target, offset, stride, blockBytes, count)) {
            remote.putBlocks(source, sourceOffset, sourceStride, offset, stride, blockBytes, count);
        }
    }

    /** As {@link #sends}, of all blocks. */
    private boolean sendsBlocks(MemorySegment source, long sourceOffset, long sourceStride, int target, long offset, long stride, long blockBytes,
        long count) {
        for (long i = 0; recovery != null && i < count; i++) {
            replayed(target, offset + i * stride, blockBytes);
        }
        return count > 0 && blockBytes > 0 && (interceptor == null || interceptor.putStrided(index, target, source,
            blocks.of(count, blockBytes).from(sourceOffset, sourceStride).to(offset, stride)));
    }

    @Override
    public void getStrided(MemorySegment destination, long destinationOffset, long destinationStride, int target, long offset, long stride,
        long blockBytes, long count) {
        RemoteMemory remote = remoteBlocks(target, offset, stride, destinationStride, blockBytes, count);
        arguments.checkWrittenBlocks(destination, destinationOffset, destinationStride, blockBytes, count, WindowArguments.DESTINATION);
        getBlocks(remote, destination, destinationOffset, destinationStride, target, offset, stride, blockBytes, count);
    }

    private void getBlocks(RemoteMemory remote, MemorySegment destination, long destinationOffset, long destinationStride, int target, long offset,
        long stride, long blockBytes, long count) {
        for (long i = 0; i < count; i++) {
            get(remote, destination, destinationOffset + i * destinationStride, target, offset + i * stride, blockBytes);
        }
    }

    @Override
    public void accumulate(AtomicOp op, DataType type, MemorySegment source, long sourceOffset, int target, long offset, long count) {
        RemoteMemory remote = remoteElements(target, op, type, offset, count);
        arguments.checkSource(source, sourceOffset, count * type.bytes());
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

    /** The memory for an atomic update, of a place that nobody else updates until the outcome is logged. */
    private RemoteMemory begun(int target, long offset) {
        long deadline = 0;
        int turn = 0;
        while (true) {
            int known = session.losses();
            RemoteMemory remote = present(target);
            boolean begun = interceptor.beginUpdate(index, target, offset);
            if (begun && known == session.losses()) {
                return remote;
            }
            if (!begun) {
                deadline = turn == 0 ? session.waiter.deadlineFromNow() : deadline;
                session.backOff("the end of another atomic update, or of the copy for a demand checkpoint,", target, turn++, deadline);
            }
        }
    }

    /** Makes an atomic update so that a replacement can tell whether it had happened, logs it, and returns the value before. */
    private long update(AtomicOp op, DataType type, long operand, int target, long offset) {
        RemoteMemory remote = begun(target, offset);
        while (true) {
            long old = remote.fetchOp(AtomicOp.NO_OP, type, offset, 0);
            long updated = op.apply(type, old, operand);
            if (target == session.member) {
                // Others see it at once: so it is logged before. If this process is killed in between, it counts as done.
                interceptor.atomic(index, target, op, type, offset, operand, old);
                replace(remote, type, offset, old, updated);
                return old;
            }
            if (updated == old || swaps(remote, type, target, offset, old, updated)) {
                interceptor.atomic(index, target, op, type, offset, operand, old);
                return old;
            }
        }
    }

    /** The same of a compare-and-swap. */
    private long update(DataType type, long expected, long desired, int target, long offset) {
        RemoteMemory remote = begun(target, offset);
        while (true) {
            long old = remote.fetchOp(AtomicOp.NO_OP, type, offset, 0);
            long updated = AccessLog.swapped(type, expected, desired, old);
            if (target == session.member) {
                interceptor.compareAndSwap(index, target, offset, type, expected, desired, old);
                replace(remote, type, offset, old, updated);
                return old;
            }
            if (updated == old || swaps(remote, type, target, offset, old, updated)) {
                interceptor.compareAndSwap(index, target, offset, type, expected, desired, old);
                return old;
            }
        }
    }

    private boolean swaps(RemoteMemory remote, DataType type, int target, long offset, long old, long updated) {
        interceptor.updating(index, target, type, offset, old, updated);
        return remote.compareAndSwap(type, offset, old, updated) == old;
    }

    /** In the own memory, which nobody else updates now. */
    private void replace(RemoteMemory remote, DataType type, long offset, long old, long updated) {
        if (updated != old && remote.compareAndSwap(type, offset, old, updated) != old) {
            throw new MisuseException("window=" + name + " target=" + session.member + " offset=" + offset + " type=" + type
                + ": the bytes were changed during an atomic update by something that was no atomic access; --check-races finds what races");
        }
        interceptor.ended();
    }

    private long fetch(AtomicOp op, DataType type, long operand, int target, long offset) {
        if (interceptor == null) {
            return present(target).fetchOp(op, type, offset, operand);
        }
        if (recovery != null && recovery.replaysAtomic(index, target, op, type, offset, operand)) {
            if (recovery.isUnlogged()) {
                interceptor.atomic(index, target, op, type, offset, operand, recovery.value());
            } else {
                interceptor.replayed(index, target, op, type, offset, operand, recovery.value());
            }
            return recovery.value();
        }
        if (notesUpdates && op != AtomicOp.NO_OP) {
            return update(op, type, operand, target, offset);
        }
        // What changes nothing may be done again, like a get.
        long old = present(target).fetchOp(op, type, offset, operand);
        interceptor.atomic(index, target, op, type, offset, operand, old);
        return old;
    }

    @Override
    public void getAccumulate(AtomicOp op, DataType type, MemorySegment source, long sourceOffset, MemorySegment result, long resultOffset,
        int target, long offset, long count) {
        remoteElements(target, op, type, offset, count);
        if (op != AtomicOp.NO_OP) {
            arguments.checkSource(source, sourceOffset, count * type.bytes());
        }
        arguments.checkWritten(result, resultOffset, count * type.bytes(), WindowArguments.RESULT);
        fetch(op, type, source, sourceOffset, result, resultOffset, target, offset, count);
    }

    private void fetch(AtomicOp op, DataType type, MemorySegment source, long sourceOffset, MemorySegment result, long resultOffset, int target,
        long offset, long count) {
        for (long i = 0; i < count; i++) {
            long at = offset + i * type.bytes();
            long operand = op == AtomicOp.NO_OP ? 0 : Collectives.bits(type, source, sourceOffset + i * type.bytes());
            Collectives.setBits(type, result, resultOffset + i * type.bytes(), fetch(op, type, operand, target, at));
        }
    }

    private RemoteMemory remoteElementBlocks(int target, AtomicOp op, DataType type, long offset, long stride, long localStride,
        long blockElements, long count) {
        arguments.checkOperation(op, type);
        arguments.checkElementBlocks(type, stride, localStride, blockElements);
        RemoteMemory remote = remoteBlocks(target, offset, stride, localStride, blockElements * type.bytes(), count);
        arguments.checkElements(op, type, target, offset, 0);
        return remote;
    }

    @Override
    public void accumulateStrided(AtomicOp op, DataType type, MemorySegment source, long sourceOffset, long sourceStride, int target, long offset,
        long stride, long blockElements, long count) {
        RemoteMemory remote = remoteElementBlocks(target, op, type, offset, stride, sourceStride, blockElements, count);
        arguments.checkSourceBlocks(source, sourceOffset, sourceStride, blockElements * type.bytes(), count);
        for (long i = 0; i < count; i++) {
            accumulate(remote, op, type, source, sourceOffset + i * sourceStride, target, offset + i * stride, blockElements);
        }
    }

    @Override
    public void getAccumulateStrided(AtomicOp op, DataType type, MemorySegment source, long sourceOffset, long sourceStride, MemorySegment result,
        long resultOffset, long resultStride, int target, long offset, long stride, long blockElements, long count) {
        remoteElementBlocks(target, op, type, offset, stride, resultStride, blockElements, count);
        long blockBytes = blockElements * type.bytes();
        if (op != AtomicOp.NO_OP) {
            arguments.checkElementBlocks(type, stride, sourceStride, blockElements);
            arguments.checkBlocks(target, offset, stride, sourceStride, blockBytes, count);
            arguments.checkSourceBlocks(source, sourceOffset, sourceStride, blockBytes, count);
        }
        arguments.checkWrittenBlocks(result, resultOffset, resultStride, blockBytes, count, WindowArguments.RESULT);
        for (long i = 0; i < count; i++) {
            fetch(op, type, source, sourceOffset + i * sourceStride, result, resultOffset + i * resultStride, target, offset + i * stride,
                blockElements);
        }
    }

    @Override
    public long fetchAndOp(AtomicOp op, DataType type, long operand, int target, long offset) {
        arguments.checkOperation(op, type);
        arguments.checkInteger(type);
        arguments.checkAligned(type, target, offset);
        remote(target, offset, type.bytes());
        return fetch(op, type, operand, target, offset);
    }

    @Override
    public long compareAndSwap(DataType type, long expected, long desired, int target, long offset) {
        arguments.checkOperation(AtomicOp.REPLACE, type);
        arguments.checkInteger(type);
        arguments.checkAligned(type, target, offset);
        RemoteMemory remote = remote(target, offset, type.bytes());
        if (interceptor == null) {
            return remote.compareAndSwap(type, offset, expected, desired);
        }
        if (recovery != null && recovery.replaysSwap(index, target, type, offset, expected, desired)) {
            if (recovery.isUnlogged()) {
                interceptor.compareAndSwap(index, target, offset, type, expected, desired, recovery.value());
            } else {
                interceptor.replayedSwap(index, target, offset, type, expected, desired, recovery.value());
            }
            return recovery.value();
        }
        if (notesUpdates) {
            return update(type, expected, desired, target, offset);
        }
        long old = remote.compareAndSwap(type, offset, expected, desired);
        interceptor.compareAndSwap(index, target, offset, type, expected, desired, old);
        return old;
    }

    @Override
    public Request rput(MemorySegment source, long sourceOffset, int target, long offset, long length) {
        RemoteMemory remote = remote(target, offset, length);
        arguments.checkSource(source, sourceOffset, length);
        boolean send = sends(source, sourceOffset, target, offset, length);
        return requests.of(send ? remote.requestPut(source, sourceOffset, offset, length) : 0, target);
    }

    @Override
    public Request rget(MemorySegment destination, long destinationOffset, int target, long offset, long length) {
        RemoteMemory remote = remote(target, offset, length);
        arguments.checkWritten(destination, destinationOffset, length, WindowArguments.DESTINATION);
        if (interceptor == null) {
            return requests.of(remote.requestGet(destination, destinationOffset, offset, length), target);
        }
        // The result is logged before the program can use it, so that it is complete when this returns.
        get(remote, destination, destinationOffset, target, offset, length);
        flushLocal(target);
        return requests.of(0, target);
    }

    @Override
    public Request rputStrided(MemorySegment source, long sourceOffset, long sourceStride, int target, long offset, long stride, long blockBytes,
        long count) {
        RemoteMemory remote = remoteBlocks(target, offset, stride, sourceStride, blockBytes, count);
        arguments.checkSourceBlocks(source, sourceOffset, sourceStride, blockBytes, count);
        if (!sendsBlocks(source, sourceOffset, sourceStride, target, offset, stride, blockBytes, count)) {
            return requests.of(0, target);
        }
        RequestPool.Pooled request = requests.several(target);
        for (long i = 0; i < count; i++) {
            request.add(remote.requestPut(source, sourceOffset + i * sourceStride, offset + i * stride, blockBytes));
        }
        return request.issued();
    }

    @Override
    public Request rgetStrided(MemorySegment destination, long destinationOffset, long destinationStride, int target, long offset, long stride,
        long blockBytes, long count) {
        RemoteMemory remote = remoteBlocks(target, offset, stride, destinationStride, blockBytes, count);
        arguments.checkWrittenBlocks(destination, destinationOffset, destinationStride, blockBytes, count, WindowArguments.DESTINATION);
        if (interceptor != null) {
            getBlocks(remote, destination, destinationOffset, destinationStride, target, offset, stride, blockBytes, count);
            flushLocal(target); // as in rget
            return requests.of(0, target);
        }
        RequestPool.Pooled request = requests.several(target);
        for (long i = 0; i < count; i++) {
            request.add(remote.requestGet(destination, destinationOffset + i * destinationStride, offset + i * stride, blockBytes));
        }
        return request.issued();
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

    @Override
    public Request raccumulateStrided(AtomicOp op, DataType type, MemorySegment source, long sourceOffset, long sourceStride, int target,
        long offset, long stride, long blockElements, long count) {
        accumulateStrided(op, type, source, sourceOffset, sourceStride, target, offset, stride, blockElements, count);
        return requests.of(0, target);
    }

    @Override
    public Request rgetAccumulateStrided(AtomicOp op, DataType type, MemorySegment source, long sourceOffset, long sourceStride,
        MemorySegment result, long resultOffset, long resultStride, int target, long offset, long stride, long blockElements, long count) {
        getAccumulateStrided(op, type, source, sourceOffset, sourceStride, result, resultOffset, resultStride, target, offset, stride, blockElements,
            count);
        return requests.of(0, target);
    }

    private void checkTarget(int target) {
        session.inbox.drainIfReady();
        if (target < 0 || target >= remotes.length) {
            throw refused(target);
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
        for (int target = 0; target < attached.length; target++) {
            flushLocal(target);
        }
    }

    @Override
    public void lock(LockType type, int target) {
        checkTarget(target);
        arguments.checkLockType(type, target);
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
