package org.ftrma.check.restart;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.LongSupplier;
import org.ftrma.AtomicOp;
import org.ftrma.Comparison;
import org.ftrma.DataType;
import org.ftrma.Job;
import org.ftrma.LockType;
import org.ftrma.Request;
import org.ftrma.Window;
import org.ftrma.check.layer.ForwardingWindow;

/**
 * A window whose accesses are recorded or compared. Those that read or combine are made in turn, and are complete when
 * they return. Data thread only.
 */
final class CheckedWindow extends ForwardingWindow {
    private static final byte NONE = 0;
    private static final byte SHARED = 1;
    private static final byte EXCLUSIVE = 2;
    private static final byte ALL = 3;

    private final StepRecord record;
    private final Turns turns;
    private final byte[] held;
    /** Whether the locks of all ranks, which are held, were taken one by one. */
    private boolean takenSingly;
    private final int rank;

    /** A put's request: its tests answer in the second run what they did in the first one. */
    private final class Checked implements Request {
        private final Request request;

        Checked(Request request) {
            this.request = request;
        }

        @Override
        public boolean test() {
            record.event("test of a request", "", 0);
            if (record.comparing()) {
                boolean complete = record.kept() != 0;
                if (complete) {
                    request.await();
                }
                return complete;
            }
            boolean complete = request.test();
            if (record.recording()) {
                record.keep(complete ? 1 : 0);
            }
            return complete;
        }

        @Override
        public void await() {
            request.await();
        }
    }

    CheckedWindow(Window window, Job job, StepRecord record, Turns turns) {
        super(window);
        this.record = record;
        this.turns = turns;
        this.held = new byte[job.ranks()];
        this.rank = job.rank();
    }

    byte[] held() {
        return held.clone();
    }

    /** Gives back the locks that differ from what is wanted. */
    void release(byte[] wanted) {
        if (Arrays.equals(held, wanted)) {
            return;
        }
        if (held[0] == ALL) {
            unlockReal();
        }
        for (int target = 0; target < held.length; target++) {
            if (held[target] != NONE && held[target] != wanted[target]) {
                window.unlock(target);
                held[target] = NONE;
            }
        }
    }

    private void unlockReal() {
        if (takenSingly) {
            for (int target = 0; target < held.length; target++) {
                window.unlock(target);
            }
            takenSingly = false;
        } else {
            window.unlockAll();
        }
        Arrays.fill(held, NONE);
    }

    /** Takes the locks that are wanted, once all ranks have given back theirs. */
    void acquire(byte[] wanted) {
        if (Arrays.equals(held, wanted)) {
            return;
        }
        if (wanted[0] == ALL) {
            window.lockAll();
        } else {
            for (int target = 0; target < held.length; target++) {
                if (wanted[target] != NONE && held[target] == NONE) {
                    window.lock(wanted[target] == SHARED ? LockType.SHARED : LockType.EXCLUSIVE, target);
                }
            }
        }
        System.arraycopy(wanted, 0, held, 0, held.length);
    }

    private void event(String what, int target, long offset, long bytes, long data) {
        if (record.watching()) {
            record.event(what, "window " + window.name() + " target " + target + " bytes " + offset + " to "
                + (offset + bytes - 1), data);
        }
    }

    private void inTurn(int target, Runnable access) {
        LongSupplier complete = () -> {
            access.run();
            if (record.recording() || record.comparing()) {
                window.flush(target);
            }
            return 0;
        };
        turns.inTurn(target, complete);
    }

    private static long span(long stride, long blockBytes, long count) {
        return count == 0 ? 0 : (count - 1) * stride + blockBytes;
    }

    @Override
    public void put(MemorySegment source, long sourceOffset, int target, long offset, long length) {
        event("put", target, offset, length, record.digest(source, sourceOffset, length));
        window.put(source, sourceOffset, target, offset, length);
    }

    @Override
    public void putLong(long value, int target, long offset) {
        event("putLong", target, offset, 8, value);
        window.putLong(value, target, offset);
    }

    @Override
    public void putInt(int value, int target, long offset) {
        event("putInt", target, offset, 4, value);
        window.putInt(value, target, offset);
    }

    @Override
    public void put(double[] source, int from, int count, int target, long offset) {
        putOf(source == null ? null : MemorySegment.ofArray(source), from * 8L, count * 8L, target, offset);
        window.put(source, from, count, target, offset);
    }

    @Override
    public void put(long[] source, int from, int count, int target, long offset) {
        putOf(source == null ? null : MemorySegment.ofArray(source), from * 8L, count * 8L, target, offset);
        window.put(source, from, count, target, offset);
    }

    @Override
    public void put(int[] source, int from, int count, int target, long offset) {
        putOf(source == null ? null : MemorySegment.ofArray(source), from * 4L, count * 4L, target, offset);
        window.put(source, from, count, target, offset);
    }

    private void putOf(MemorySegment array, long from, long bytes, int target, long offset) {
        event("put of an array", target, offset, bytes, record.digest(array, from, bytes));
    }

    @Override
    public void get(double[] destination, int from, int count, int target, long offset) {
        event("get to an array", target, offset, count * 8L, 0);
        inTurn(target, () -> window.get(destination, from, count, target, offset));
    }

    @Override
    public void get(long[] destination, int from, int count, int target, long offset) {
        event("get to an array", target, offset, count * 8L, 0);
        inTurn(target, () -> window.get(destination, from, count, target, offset));
    }

    @Override
    public void get(int[] destination, int from, int count, int target, long offset) {
        event("get to an array", target, offset, count * 4L, 0);
        inTurn(target, () -> window.get(destination, from, count, target, offset));
    }

    @Override
    public int getInt(int target, long offset) {
        event("getInt", target, offset, 4, 0);
        return (int) turns.inTurn(target, () -> window.getInt(target, offset));
    }

    @Override
    public void get(MemorySegment destination, long destinationOffset, int target, long offset, long length) {
        event("get", target, offset, length, 0);
        inTurn(target, () -> window.get(destination, destinationOffset, target, offset, length));
    }

    @Override
    public long getLong(int target, long offset) {
        event("getLong", target, offset, 8, 0);
        return turns.inTurn(target, () -> window.getLong(target, offset));
    }

    @Override
    public void putStrided(MemorySegment source, long sourceOffset, long sourceStride, int target, long offset,
        long stride, long blockBytes,
        long count) {
        long data = record.digest(source, sourceOffset, sourceStride, blockBytes, count);
        event("putStrided", target, offset, span(stride, blockBytes, count), data * 31 + stride);
        window.putStrided(source, sourceOffset, sourceStride, target, offset, stride, blockBytes, count);
    }

    @Override
    public void getStrided(MemorySegment destination, long destinationOffset, long destinationStride, int target,
        long offset, long stride,
        long blockBytes, long count) {
        event("getStrided", target, offset, span(stride, blockBytes, count), stride);
        inTurn(target, () -> window.getStrided(destination, destinationOffset, destinationStride, target, offset,
            stride, blockBytes, count));
    }

    private long operands(AtomicOp op, DataType type, MemorySegment source, long sourceOffset, long count) {
        return op == AtomicOp.NO_OP ? 0 : record.digest(source, sourceOffset, count * type.bytes());
    }

    @Override
    public void accumulate(AtomicOp op, DataType type, MemorySegment source, long sourceOffset, int target, long offset,
        long count) {
        event("accumulate " + op, target, offset, count * type.bytes(),
            operands(op, type, source, sourceOffset, count));
        inTurn(target, () -> window.accumulate(op, type, source, sourceOffset, target, offset, count));
    }

    @Override
    public void accumulate(AtomicOp op, DataType type, long operand, int target, long offset) {
        event("accumulate " + op, target, offset, type == null ? 0 : type.bytes(), operand);
        inTurn(target, () -> window.accumulate(op, type, operand, target, offset));
    }

    @Override
    public void getAccumulate(AtomicOp op, DataType type, MemorySegment source, long sourceOffset, MemorySegment result,
        long resultOffset,
        int target, long offset, long count) {
        long data = operands(op, type, source, sourceOffset, count);
        event("getAccumulate " + op, target, offset, count * type.bytes(), data);
        inTurn(target, () -> window.getAccumulate(op, type, source, sourceOffset, result, resultOffset, target, offset,
            count));
    }

    private long operandBlocks(AtomicOp op, MemorySegment source, long sourceOffset, long sourceStride, long block,
        long count) {
        return op == AtomicOp.NO_OP ? 0 : record.digest(source, sourceOffset, sourceStride, block, count);
    }

    @Override
    public void accumulateStrided(AtomicOp op, DataType type, MemorySegment source, long sourceOffset,
        long sourceStride, int target, long offset,
        long stride, long blockElements, long count) {
        long block = blockElements * type.bytes();
        long data = operandBlocks(op, source, sourceOffset, sourceStride, block, count);
        event("accumulateStrided " + op, target, offset, span(stride, block, count), data * 31 + stride);
        inTurn(target, () -> window.accumulateStrided(op, type, source, sourceOffset, sourceStride, target, offset,
            stride, blockElements, count));
    }

    @Override
    public void getAccumulateStrided(AtomicOp op, DataType type, MemorySegment source, long sourceOffset,
        long sourceStride, MemorySegment result,
        long resultOffset, long resultStride, int target, long offset, long stride, long blockElements, long count) {
        long block = blockElements * type.bytes();
        long data = operandBlocks(op, source, sourceOffset, sourceStride, block, count);
        event("getAccumulateStrided " + op, target, offset, span(stride, block, count), data * 31 + stride);
        inTurn(target, () -> window.getAccumulateStrided(op, type, source, sourceOffset, sourceStride, result,
            resultOffset, resultStride, target,
            offset, stride, blockElements, count));
    }

    @Override
    public long fetchAndOp(AtomicOp op, DataType type, long operand, int target, long offset) {
        event("fetchAndOp " + op, target, offset, type.bytes(), operand);
        return turns.inTurn(target, () -> window.fetchAndOp(op, type, operand, target, offset));
    }

    @Override
    public long compareAndSwap(DataType type, long expected, long desired, int target, long offset) {
        event("compareAndSwap", target, offset, type.bytes(), expected * 31 + desired);
        return turns.inTurn(target, () -> window.compareAndSwap(type, expected, desired, target, offset));
    }

    @Override
    public void signal(AtomicOp op, long value, int target, long offset) {
        event("signal " + op, target, offset, 8, value);
        inTurn(target, () -> window.signal(op, value, target, offset));
    }

    @Override
    public void putSignal(MemorySegment source, long sourceOffset, int target, long offset, long length, AtomicOp op,
        long value, long signalOffset) {
        event("putSignal " + op, target, offset, length, record.digest(source, sourceOffset, length) * 31 + value);
        inTurn(target, () -> window.putSignal(source, sourceOffset, target, offset, length, op, value, signalOffset));
    }

    /** What is there in turn counts: in the second run that is the same as in the first one. */
    @Override
    public long waitUntil(long offset, Comparison comparison, long value) {
        long found;
        do {
            window.waitUntil(offset, comparison, value);
            found = getLong(rank, offset);
        } while (!comparison.holds(found, value));
        return found;
    }

    @Override
    public boolean test(long offset, Comparison comparison, long value) {
        if (comparison == null || (offset & 7) != 0) {
            return window.test(offset, comparison, value); // which refuses that
        }
        return comparison.holds(getLong(rank, offset), value);
    }

    @Override
    public Request rput(MemorySegment source, long sourceOffset, int target, long offset, long length) {
        event("rput", target, offset, length, record.digest(source, sourceOffset, length));
        return new Checked(window.rput(source, sourceOffset, target, offset, length));
    }

    @Override
    public Request rget(MemorySegment destination, long destinationOffset, int target, long offset, long length) {
        event("rget", target, offset, length, 0);
        inTurn(target, () -> window.rget(destination, destinationOffset, target, offset, length).await());
        return DONE;
    }

    @Override
    public Request raccumulate(AtomicOp op, DataType type, MemorySegment source, long sourceOffset, int target,
        long offset, long count) {
        event("raccumulate " + op, target, offset, count * type.bytes(),
            operands(op, type, source, sourceOffset, count));
        inTurn(target, () -> window.raccumulate(op, type, source, sourceOffset, target, offset, count).await());
        return DONE;
    }

    @Override
    public Request rgetAccumulate(AtomicOp op, DataType type, MemorySegment source, long sourceOffset,
        MemorySegment result, long resultOffset,
        int target, long offset, long count) {
        event("rgetAccumulate " + op, target, offset, count * type.bytes(),
            operands(op, type, source, sourceOffset, count));
        inTurn(target, () -> window.rgetAccumulate(op, type, source, sourceOffset, result, resultOffset, target, offset,
            count).await());
        return DONE;
    }

    @Override
    public Request rputStrided(MemorySegment source, long sourceOffset, long sourceStride, int target, long offset,
        long stride, long blockBytes,
        long count) {
        long data = record.digest(source, sourceOffset, sourceStride, blockBytes, count);
        event("rputStrided", target, offset, span(stride, blockBytes, count), data * 31 + stride);
        return new Checked(window.rputStrided(source, sourceOffset, sourceStride, target, offset, stride, blockBytes,
            count));
    }

    @Override
    public Request rgetStrided(MemorySegment destination, long destinationOffset, long destinationStride, int target,
        long offset, long stride,
        long blockBytes, long count) {
        event("rgetStrided", target, offset, span(stride, blockBytes, count), stride);
        inTurn(target, () -> window.rgetStrided(destination, destinationOffset, destinationStride, target, offset,
            stride, blockBytes, count)
            .await());
        return DONE;
    }

    @Override
    public Request raccumulateStrided(AtomicOp op, DataType type, MemorySegment source, long sourceOffset,
        long sourceStride, int target,
        long offset, long stride, long blockElements, long count) {
        long block = blockElements * type.bytes();
        long data = operandBlocks(op, source, sourceOffset, sourceStride, block, count);
        event("raccumulateStrided " + op, target, offset, span(stride, block, count), data * 31 + stride);
        inTurn(target, () -> window.raccumulateStrided(op, type, source, sourceOffset, sourceStride, target, offset,
            stride, blockElements, count)
            .await());
        return DONE;
    }

    @Override
    public Request rgetAccumulateStrided(AtomicOp op, DataType type, MemorySegment source, long sourceOffset,
        long sourceStride,
        MemorySegment result, long resultOffset, long resultStride, int target, long offset, long stride,
        long blockElements, long count) {
        long block = blockElements * type.bytes();
        long data = operandBlocks(op, source, sourceOffset, sourceStride, block, count);
        event("rgetAccumulateStrided " + op, target, offset, span(stride, block, count), data * 31 + stride);
        inTurn(target, () -> window.rgetAccumulateStrided(op, type, source, sourceOffset, sourceStride, result,
            resultOffset, resultStride, target,
            offset, stride, blockElements, count).await());
        return DONE;
    }

    @Override
    public void flush(int target) {
        window.flush(target);
    }

    @Override
    public void flushAll() {
        window.flushAll();
    }

    @Override
    public void flushLocal(int target) {
        window.flushLocal(target);
    }

    @Override
    public void flushLocalAll() {
        window.flushLocalAll();
    }

    @Override
    public void lock(LockType type, int target) {
        event("lock " + type, target, 0, bytes(), 0);
        turns.locking(target, () -> window.lock(type, target));
        held[target] = type == LockType.SHARED ? SHARED : EXCLUSIVE;
    }

    @Override
    public void unlock(int target) {
        event("unlock", target, 0, bytes(), 0);
        window.unlock(target);
        held[target] = NONE;
    }

    @Override
    public void lockAll() {
        record.event("lockAll", "window " + name(), 0);
        takenSingly = record.comparing();
        if (takenSingly) {
            for (int target = 0; target < held.length; target++) {
                int one = target;
                turns.locking(target, () -> window.lock(LockType.SHARED, one));
            }
        } else {
            turns.lockingAll(held.length, window::lockAll);
        }
        Arrays.fill(held, ALL);
    }

    @Override
    public void unlockAll() {
        record.event("unlockAll", "window " + name(), 0);
        unlockReal();
    }
}
