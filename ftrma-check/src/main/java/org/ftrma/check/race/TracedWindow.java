package org.ftrma.check.race;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.LongConsumer;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.LockType;
import org.ftrma.Request;
import org.ftrma.Window;
import org.ftrma.check.layer.Extent;
import org.ftrma.check.layer.ForwardingWindow;
import org.ftrma.check.layer.Transfer;
import org.ftrma.check.race.Access.Kind;
import org.ftrma.check.race.Sync.How;

/** A window whose accesses are recorded; those that synchronize are made in turn. Data thread only. */
final class TracedWindow extends ForwardingWindow {
    private final int index;
    private final TracedJob job;
    private final Trace trace;
    private final Tickets tickets;
    /** Each target's part, with the SC of the lock held there; and how it is held. */
    private final Part[] parts;
    private final LockType[] held;

    TracedWindow(Window window, int index, TracedJob job, Trace trace, Tickets tickets) {
        super(window, job.rank());
        this.index = index;
        this.job = job;
        this.trace = trace;
        this.tickets = tickets;
        this.parts = new Part[job.ranks()];
        Arrays.setAll(parts, target -> new Part(index, target, 0));
        this.held = new LockType[job.ranks()];
    }

    private Access issued(Kind kind, int target, Extent extent) {
        return trace.issued(kind, parts[target], extent, target, kind == Kind.GET);
    }

    /** Local memory that a transfer uses: of interest if it is a window's. */
    private Access local(Kind kind, MemorySegment memory, Extent extent, int target) {
        if (memory == null || !memory.isNative()) {
            return null;
        }
        for (TracedWindow other : job.windows()) {
            long begin = memory.address() - other.memory().address();
            if (begin >= 0 && begin < other.bytes()) {
                return trace.issued(kind, other.parts[job.rank()], extent.from(begin), target, true);
            }
        }
        return null;
    }

    /** A synchronizing access; wrong arguments are for the access itself to refuse. */
    private void inTurn(int target, LongConsumer access) {
        trace.call();
        if (target < 0 || target >= held.length) {
            access.accept(0);
        } else {
            tickets.inTurn(target, access);
        }
    }

    @Override
    protected Request put(Transfer put) {
        Request request = put.access().get();
        trace.call();
        issued(Kind.PUT, put.target(), put.remote());
        return new TracedRequest(trace, request, local(Kind.SOURCE, put.memory(), put.local(), put.target()));
    }

    @Override
    protected Request get(Transfer get) {
        Request request = get.access().get();
        trace.call();
        return new TracedRequest(trace, request, issued(Kind.GET, get.target(), get.remote()),
            local(Kind.DESTINATION, get.memory(), get.local(), get.target()));
    }

    @Override
    protected void arrived(int target) {
        trace.arrived(target);
    }

    @Override
    protected Request accumulate(AtomicOp op, DataType type, Transfer update) {
        Access[] sources = new Access[1];
        int target = update.target();
        inTurn(target, ticket -> {
            update.access().get().await();
            window.flush(target);
            trace.atomic(op == AtomicOp.NO_OP ? How.ACQUIRE : How.RELEASE, type.bytes(), parts[target],
                update.remote(), ticket, false);
            sources[0] = local(Kind.SOURCE, update.memory(), update.local(), target);
        });
        return new TracedRequest(trace, DONE, sources);
    }

    @Override
    protected Request getAccumulate(AtomicOp op, DataType type, Transfer update, MemorySegment result, Extent at) {
        Access[] accesses = new Access[3];
        int target = update.target();
        inTurn(target, ticket -> {
            update.access().get().await();
            window.flush(target);
            accesses[0] = trace.atomic(op == AtomicOp.NO_OP ? How.ACQUIRE : How.UPDATE, type.bytes(), parts[target],
                update.remote(), ticket, true);
            accesses[1] = op == AtomicOp.NO_OP ? null
                : local(Kind.SOURCE, update.memory(), update.local(), target);
            accesses[2] = local(Kind.DESTINATION, result, at, target);
        });
        return new TracedRequest(trace, DONE, accesses);
    }

    @Override
    public int getInt(int target, long offset) {
        if ((offset & 3) != 0) {
            int value = window.getInt(target, offset);
            trace.call();
            trace.read(parts[target], offset, 4);
            return value;
        }
        int[] value = new int[1];
        inTurn(target, ticket -> {
            value[0] = window.getInt(target, offset);
            trace.read(Kind.ATOMIC_READ, 4, parts[target], offset, ticket, value[0]);
        });
        return value[0];
    }

    @Override
    public long getLong(int target, long offset) {
        if ((offset & 7) != 0) {
            long value = window.getLong(target, offset);
            trace.call();
            trace.read(parts[target], offset, 8);
            return value;
        }
        long[] value = new long[1];
        inTurn(target, ticket -> {
            value[0] = window.getLong(target, offset);
            trace.read(Kind.GET_LONG, 8, parts[target], offset, ticket, value[0]);
        });
        return value[0];
    }

    @Override
    public long fetchAndOp(AtomicOp op, DataType type, long operand, int target, long offset) {
        long[] old = new long[1];
        inTurn(target, ticket -> {
            old[0] = window.fetchAndOp(op, type, operand, target, offset);
            update(op != AtomicOp.NO_OP, type, target, offset, ticket, old[0]);
        });
        return old[0];
    }

    private void update(boolean changes, DataType type, int target, long offset, long ticket, long old) {
        if (changes) {
            trace.update(type.bytes(), parts[target], offset, ticket);
        } else {
            trace.read(Kind.ATOMIC_READ, type.bytes(), parts[target], offset, ticket, old);
        }
    }

    @Override
    public long compareAndSwap(DataType type, long expected, long desired, int target, long offset) {
        long[] old = new long[1];
        inTurn(target, ticket -> {
            old[0] = window.compareAndSwap(type, expected, desired, target, offset);
            update(old[0] == type.normalized(expected), type, target, offset,
                ticket, old[0]);
        });
        return old[0];
    }

    @Override
    public void signal(AtomicOp op, long value, int target, long offset) {
        inTurn(target, ticket -> {
            window.signal(op, value, target, offset);
            signalled(target, offset, ticket);
        });
    }

    @Override
    public void putSignal(MemorySegment source, long sourceOffset, int target, long offset, long length, AtomicOp op,
        long value, long signalOffset) {
        inTurn(target, ticket -> {
            window.putSignal(source, sourceOffset, target, offset, length, op, value, signalOffset);
            issued(Kind.PUT, target, Extent.of(offset, length));
            local(Kind.SOURCE, source, Extent.of(sourceOffset, length), target);
            signalled(target, signalOffset, ticket);
        });
    }

    /** A signal completes what was issued to its target before. */
    private void signalled(int target, long offset, long ticket) {
        window.flush(target);
        trace.call();
        trace.flushed(target);
        trace.call();
        trace.update(8, parts[target], offset, ticket);
    }

    @Override
    public void flush(int target) {
        window.flush(target);
        trace.call();
        trace.flushed(target);
    }

    @Override
    public void flushAll() {
        window.flushAll();
        trace.call();
        trace.flushed(-1);
    }

    @Override
    public void flushLocal(int target) {
        window.flushLocal(target);
        trace.call();
        trace.arrived(target);
    }

    @Override
    public void flushLocalAll() {
        window.flushLocalAll();
        trace.call();
        trace.arrived(-1);
    }

    private void acquired(LockType type, int target) {
        inTurn(target, ticket -> {
            parts[target] = new Part(index, target, tickets.acquisition(index, target));
            held[target] = type;
            trace.lock(type == LockType.SHARED ? How.ACQUIRE_SHARED : How.ACQUIRE, target, index, ticket);
        });
    }

    /** The accesses are complete, and the lock is about to be given back. */
    private void releasing(int target) {
        inTurn(target, ticket -> trace.lock(held[target] == LockType.SHARED ? How.RELEASE_SHARED : How.RELEASE, target,
            index, ticket));
        held[target] = null;
        parts[target] = new Part(index, target, 0);
    }

    @Override
    public void lock(LockType type, int target) {
        window.lock(type, target);
        acquired(type, target);
    }

    @Override
    public void unlock(int target) {
        window.flush(target);
        trace.call();
        trace.flushed(target);
        if (held[target] != null) {
            releasing(target);
        }
        window.unlock(target);
    }

    @Override
    public void lockAll() {
        window.lockAll();
        for (int target = 0; target < held.length; target++) {
            acquired(LockType.SHARED, target);
        }
    }

    @Override
    public void unlockAll() {
        window.flushAll();
        trace.call();
        trace.flushed(-1);
        if (!Arrays.asList(held).contains(null)) {
            for (int target = 0; target < held.length; target++) {
                releasing(target);
            }
        }
        window.unlockAll();
    }
}
