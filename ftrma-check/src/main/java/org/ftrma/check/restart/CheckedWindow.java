package org.ftrma.check.restart;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.LongSupplier;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.Job;
import org.ftrma.LockType;
import org.ftrma.Request;
import org.ftrma.Window;
import org.ftrma.check.layer.Extent;
import org.ftrma.check.layer.ForwardingWindow;
import org.ftrma.check.layer.Transfer;

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
        super(window, job.rank());
        this.record = record;
        this.turns = turns;
        this.held = new byte[job.ranks()];
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

    @Override
    protected Request put(Transfer put) {
        event(put.call(), put, data(put));
        return new Checked(put.access().get());
    }

    private void event(String call, Transfer transfer, long data) {
        event(call, transfer.target(), transfer.remote().offset(), transfer.remote().span(),
            data * 31 + transfer.remote().stride());
    }

    private long data(Transfer from) {
        Extent blocks = from.local();
        return record.digest(from.memory(), blocks.offset(), blocks.stride(), blocks.block(), blocks.count());
    }

    @Override
    protected Request get(Transfer get) {
        event(get.call(), get, 0);
        return inTurn(get);
    }

    private Request inTurn(Transfer transfer) {
        inTurn(transfer.target(), () -> transfer.access().get().await());
        return DONE;
    }

    @Override
    protected Request accumulate(AtomicOp op, DataType type, Transfer update) {
        event(update.call() + " " + op, update, op == AtomicOp.NO_OP ? 0 : data(update));
        return inTurn(update);
    }

    @Override
    protected Request getAccumulate(AtomicOp op, DataType type, Transfer update, MemorySegment result, Extent at) {
        return accumulate(op, type, update);
    }

    @Override
    public int getInt(int target, long offset) {
        event("getInt", target, offset, 4, 0);
        return (int) turns.inTurn(target, () -> window.getInt(target, offset));
    }

    @Override
    public long getLong(int target, long offset) {
        event("getLong", target, offset, 8, 0);
        return turns.inTurn(target, () -> window.getLong(target, offset));
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
