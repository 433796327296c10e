package org.ftrma.check.race;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.LongConsumer;
import org.ftrma.AtomicOp;
import org.ftrma.Comparison;
import org.ftrma.DataType;
import org.ftrma.LockType;
import org.ftrma.Request;
import org.ftrma.Window;
import org.ftrma.check.layer.ForwardingWindow;
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
        super(window);
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
    public void put(MemorySegment source, long sourceOffset, int target, long offset, long length) {
        window.put(source, sourceOffset, target, offset, length);
        trace.call();
        issued(Kind.PUT, target, Extent.of(offset, length));
        local(Kind.SOURCE, source, Extent.of(sourceOffset, length), target);
    }

    @Override
    public void putLong(long value, int target, long offset) {
        window.putLong(value, target, offset);
        trace.call();
        issued(Kind.PUT, target, Extent.of(offset, 8));
    }

    @Override
    public void putInt(int value, int target, long offset) {
        window.putInt(value, target, offset);
        trace.call();
        issued(Kind.PUT, target, Extent.of(offset, 4));
    }

    @Override
    public void put(double[] source, int from, int count, int target, long offset) {
        window.put(source, from, count, target, offset);
        putOf(count * 8L, target, offset);
    }

    @Override
    public void put(long[] source, int from, int count, int target, long offset) {
        window.put(source, from, count, target, offset);
        putOf(count * 8L, target, offset);
    }

    @Override
    public void put(int[] source, int from, int count, int target, long offset) {
        window.put(source, from, count, target, offset);
        putOf(count * 4L, target, offset);
    }

    private void putOf(long bytes, int target, long offset) {
        trace.call();
        issued(Kind.PUT, target, Extent.of(offset, bytes));
    }

    @Override
    public void get(double[] destination, int from, int count, int target, long offset) {
        window.get(destination, from, count, target, offset);
        got(count * 8L, target, offset);
    }

    @Override
    public void get(long[] destination, int from, int count, int target, long offset) {
        window.get(destination, from, count, target, offset);
        got(count * 8L, target, offset);
    }

    @Override
    public void get(int[] destination, int from, int count, int target, long offset) {
        window.get(destination, from, count, target, offset);
        got(count * 4L, target, offset);
    }

    /** A get that is complete, and has completed locally what was issued before. */
    private void got(long bytes, int target, long offset) {
        trace.call();
        issued(Kind.GET, target, Extent.of(offset, bytes));
        trace.arrived(target);
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
    public void get(MemorySegment destination, long destinationOffset, int target, long offset, long length) {
        window.get(destination, destinationOffset, target, offset, length);
        trace.call();
        issued(Kind.GET, target, Extent.of(offset, length));
        local(Kind.DESTINATION, destination, Extent.of(destinationOffset, length), target);
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
    public void putStrided(MemorySegment source, long sourceOffset, long sourceStride, int target, long offset,
        long stride, long blockBytes,
        long count) {
        window.putStrided(source, sourceOffset, sourceStride, target, offset, stride, blockBytes, count);
        trace.call();
        issued(Kind.PUT, target, new Extent(offset, blockBytes, stride, count));
        local(Kind.SOURCE, source, new Extent(sourceOffset, blockBytes, sourceStride, count), target);
    }

    @Override
    public void getStrided(MemorySegment destination, long destinationOffset, long destinationStride, int target,
        long offset, long stride,
        long blockBytes, long count) {
        window.getStrided(destination, destinationOffset, destinationStride, target, offset, stride, blockBytes, count);
        trace.call();
        issued(Kind.GET, target, new Extent(offset, blockBytes, stride, count));
        local(Kind.DESTINATION, destination, new Extent(destinationOffset, blockBytes, destinationStride, count),
            target);
    }

    @Override
    public void accumulate(AtomicOp op, DataType type, MemorySegment source, long sourceOffset, int target, long offset,
        long count) {
        raccumulate(op, type, source, sourceOffset, target, offset, count);
    }

    @Override
    public void accumulate(AtomicOp op, DataType type, long operand, int target, long offset) {
        inTurn(target, ticket -> {
            window.accumulate(op, type, operand, target, offset);
            window.flush(target);
            trace.atomic(op == AtomicOp.NO_OP ? How.ACQUIRE : How.RELEASE, type.bytes(), parts[target],
                Extent.of(offset, type.bytes()), ticket, false);
        });
    }

    @Override
    public void accumulateStrided(AtomicOp op, DataType type, MemorySegment source, long sourceOffset,
        long sourceStride, int target, long offset,
        long stride, long blockElements, long count) {
        raccumulateStrided(op, type, source, sourceOffset, sourceStride, target, offset, stride, blockElements, count);
    }

    @Override
    public void getAccumulate(AtomicOp op, DataType type, MemorySegment source, long sourceOffset, MemorySegment result,
        long resultOffset,
        int target, long offset, long count) {
        rgetAccumulate(op, type, source, sourceOffset, result, resultOffset, target, offset, count);
    }

    @Override
    public void getAccumulateStrided(AtomicOp op, DataType type, MemorySegment source, long sourceOffset,
        long sourceStride, MemorySegment result,
        long resultOffset, long resultStride, int target, long offset, long stride, long blockElements, long count) {
        rgetAccumulateStrided(op, type, source, sourceOffset, sourceStride, result, resultOffset, resultStride, target,
            offset, stride, blockElements,
            count);
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

    /** It sees the signal when that is made; what is there in turn comes after it. */
    @Override
    public long waitUntil(long offset, Comparison comparison, long value) {
        long found;
        do {
            window.waitUntil(offset, comparison, value);
            found = getLong(job.rank(), offset);
        } while (!comparison.holds(found, value));
        return found;
    }

    @Override
    public boolean test(long offset, Comparison comparison, long value) {
        if (comparison == null || (offset & 7) != 0) {
            return window.test(offset, comparison, value); // which refuses that
        }
        return comparison.holds(getLong(job.rank(), offset), value);
    }

    @Override
    public Request rput(MemorySegment source, long sourceOffset, int target, long offset, long length) {
        Request request = window.rput(source, sourceOffset, target, offset, length);
        trace.call();
        issued(Kind.PUT, target, Extent.of(offset, length));
        return new TracedRequest(trace, request, local(Kind.SOURCE, source, Extent.of(sourceOffset, length), target));
    }

    @Override
    public Request rget(MemorySegment destination, long destinationOffset, int target, long offset, long length) {
        Request request = window.rget(destination, destinationOffset, target, offset, length);
        trace.call();
        return new TracedRequest(trace, request, issued(Kind.GET, target, Extent.of(offset, length)),
            local(Kind.DESTINATION, destination, Extent.of(destinationOffset, length), target));
    }

    @Override
    public Request rputStrided(MemorySegment source, long sourceOffset, long sourceStride, int target, long offset,
        long stride, long blockBytes,
        long count) {
        Request request = window.rputStrided(source, sourceOffset, sourceStride, target, offset, stride, blockBytes,
            count);
        trace.call();
        issued(Kind.PUT, target, new Extent(offset, blockBytes, stride, count));
        return new TracedRequest(trace, request,
            local(Kind.SOURCE, source, new Extent(sourceOffset, blockBytes, sourceStride, count), target));
    }

    @Override
    public Request rgetStrided(MemorySegment destination, long destinationOffset, long destinationStride, int target,
        long offset, long stride,
        long blockBytes, long count) {
        Request request = window.rgetStrided(destination, destinationOffset, destinationStride, target, offset, stride,
            blockBytes, count);
        trace.call();
        Access get = issued(Kind.GET, target, new Extent(offset, blockBytes, stride, count));
        return new TracedRequest(trace, request, get,
            local(Kind.DESTINATION, destination, new Extent(destinationOffset, blockBytes, destinationStride, count),
                target));
    }

    @Override
    public Request raccumulate(AtomicOp op, DataType type, MemorySegment source, long sourceOffset, int target,
        long offset, long count) {
        long bytes = count * type.bytes();
        return raccumulateStrided(op, type, source, sourceOffset, bytes, target, offset, bytes, count, 1);
    }

    @Override
    public Request raccumulateStrided(AtomicOp op, DataType type, MemorySegment source, long sourceOffset,
        long sourceStride, int target,
        long offset, long stride, long blockElements, long count) {
        long block = blockElements * type.bytes();
        Access[] sources = new Access[1];
        inTurn(target, ticket -> {
            window.accumulateStrided(op, type, source, sourceOffset, sourceStride, target, offset, stride,
                blockElements, count);
            window.flush(target);
            trace.atomic(op == AtomicOp.NO_OP ? How.ACQUIRE : How.RELEASE, type.bytes(), parts[target],
                new Extent(offset, block, stride, count), ticket, false);
            sources[0] = local(Kind.SOURCE, source, new Extent(sourceOffset, block, sourceStride, count), target);
        });
        return new TracedRequest(trace, DONE, sources);
    }

    @Override
    public Request rgetAccumulate(AtomicOp op, DataType type, MemorySegment source, long sourceOffset,
        MemorySegment result, long resultOffset,
        int target, long offset, long count) {
        long bytes = count * type.bytes();
        return rgetAccumulateStrided(op, type, source, sourceOffset, bytes, result, resultOffset, bytes, target, offset,
            bytes, count, 1);
    }

    @Override
    public Request rgetAccumulateStrided(AtomicOp op, DataType type, MemorySegment source, long sourceOffset,
        long sourceStride,
        MemorySegment result, long resultOffset, long resultStride, int target, long offset, long stride,
        long blockElements, long count) {
        long block = blockElements * type.bytes();
        Access[] accesses = new Access[3];
        inTurn(target, ticket -> {
            window.getAccumulateStrided(op, type, source, sourceOffset, sourceStride, result, resultOffset,
                resultStride, target, offset, stride,
                blockElements, count);
            window.flush(target);
            accesses[0] = trace.atomic(op == AtomicOp.NO_OP ? How.ACQUIRE : How.UPDATE, type.bytes(), parts[target],
                new Extent(offset, block, stride, count), ticket, true);
            accesses[1] = op == AtomicOp.NO_OP ? null
                : local(Kind.SOURCE, source, new Extent(sourceOffset, block, sourceStride, count), target);
            accesses[2] = local(Kind.DESTINATION, result, new Extent(resultOffset, block, resultStride, count),
                target);
        });
        return new TracedRequest(trace, DONE, accesses);
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
