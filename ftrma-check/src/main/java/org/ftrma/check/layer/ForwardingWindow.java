package org.ftrma.check.layer;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.ftrma.AtomicOp;
import org.ftrma.Comparison;
import org.ftrma.DataType;
import org.ftrma.Request;
import org.ftrma.Window;
import org.ftrma.WindowKind;

/**
 * A layer over a window. It hands on what is no access, and makes four kinds of all accesses to blocks: puts, gets,
 * accumulates, and accumulates that return what was there before. These, the other accesses and synchronization are
 * left to the layer, so that a new one cannot pass it by. Data thread only.
 */
public abstract class ForwardingWindow implements Window {
    /** The request of an access that was complete when it returned. */
    protected static final Request DONE = new Request() {
        @Override
        public boolean test() {
            return true;
        }

        @Override
        public void await() {
            // It is complete.
        }
    };

    /** What the layer lies over. */
    protected final Window window;

    private final int rank;

    protected ForwardingWindow(Window window, int rank) {
        this.window = window;
        this.rank = rank;
    }

    @Override
    public final String name() {
        return window.name();
    }

    @Override
    public final long bytes() {
        return window.bytes();
    }

    @Override
    public final long bytes(int rank) {
        return window.bytes(rank);
    }

    @Override
    public final WindowKind kind() {
        return window.kind();
    }

    @Override
    public final MemorySegment memory() {
        return window.memory();
    }

    @Override
    public final MemorySegment stage(int target, long length) {
        return window.stage(target, length);
    }

    /** A copy: so it is watched as any get. */
    @Override
    public final MemorySegment shared(int target, long offset, long length) {
        window.shared(target, offset, length); // wrong arguments are refused
        MemorySegment copy = Arena.ofAuto().allocate(length, Long.BYTES);
        get(copy, 0, target, offset, length);
        flushLocal(target);
        return copy.asReadOnly();
    }

    @Override
    public final void prefetch(int target, long offset) {
        window.prefetch(target, offset);
    }

    /** A put; its source is the local memory. */
    protected abstract Request put(Transfer put);

    /** A get; its destination is the local memory. */
    protected abstract Request get(Transfer get);

    /** An accumulate of elements of a type; its operands are in the local memory. */
    protected abstract Request accumulate(AtomicOp op, DataType type, Transfer update);

    /** As accumulate, and old values go to the result. */
    protected abstract Request getAccumulate(AtomicOp op, DataType type, Transfer update, MemorySegment result,
        Extent at);

    /** Gets to arrays have returned: what was got from a target has arrived. */
    protected void arrived(int target) {
        // of interest to who follows when gets are complete
    }

    private static int bytes(DataType type) {
        return type == null ? 0 : type.bytes(); // which the access refuses
    }

    private static Transfer array(String call, MemorySegment array, long from, long count, int bytes, int target,
        long offset, Runnable access) {
        return new Transfer(call, array, Extent.of(from * bytes, count * bytes), target,
            Extent.of(offset, count * bytes), access);
    }

    @Override
    public final void put(MemorySegment source, long sourceOffset, int target, long offset, long length) {
        put(new Transfer("put", source, Extent.of(sourceOffset, length), target, Extent.of(offset, length),
            () -> window.put(source, sourceOffset, target, offset, length)));
    }

    @Override
    public final Request rput(MemorySegment source, long sourceOffset, int target, long offset, long length) {
        return put(new Transfer("rput", source, Extent.of(sourceOffset, length), target, Extent.of(offset, length),
            () -> window.rput(source, sourceOffset, target, offset, length)));
    }

    @Override
    public final void putLong(long value, int target, long offset) {
        put(array("putLong", MemorySegment.ofArray(new long[] {value}), 0, 1, Long.BYTES, target, offset,
            () -> window.putLong(value, target, offset)));
    }

    @Override
    public final void putInt(int value, int target, long offset) {
        put(array("putInt", MemorySegment.ofArray(new int[] {value}), 0, 1, Integer.BYTES, target, offset,
            () -> window.putInt(value, target, offset)));
    }

    @Override
    public final void put(double[] source, int from, int count, int target, long offset) {
        put(array("put of an array", source == null ? null : MemorySegment.ofArray(source), from, count, Double.BYTES,
            target, offset, () -> window.put(source, from, count, target, offset)));
    }

    @Override
    public final void put(long[] source, int from, int count, int target, long offset) {
        put(array("put of an array", source == null ? null : MemorySegment.ofArray(source), from, count, Long.BYTES,
            target, offset, () -> window.put(source, from, count, target, offset)));
    }

    @Override
    public final void put(int[] source, int from, int count, int target, long offset) {
        put(array("put of an array", source == null ? null : MemorySegment.ofArray(source), from, count, Integer.BYTES,
            target, offset, () -> window.put(source, from, count, target, offset)));
    }

    @Override
    public final void putStrided(MemorySegment source, long sourceOffset, long sourceStride, int target, long offset,
        long stride, long blockBytes, long count) {
        put(new Transfer("putStrided", source, new Extent(sourceOffset, blockBytes, sourceStride, count), target,
            new Extent(offset, blockBytes, stride, count), () -> window.putStrided(source, sourceOffset, sourceStride,
                target, offset, stride, blockBytes, count)));
    }

    @Override
    public final Request rputStrided(MemorySegment source, long sourceOffset, long sourceStride, int target,
        long offset, long stride, long blockBytes, long count) {
        return put(new Transfer("rputStrided", source, new Extent(sourceOffset, blockBytes, sourceStride, count),
            target, new Extent(offset, blockBytes, stride, count), () -> window.rputStrided(source, sourceOffset,
                sourceStride, target, offset, stride, blockBytes, count)));
    }

    @Override
    public final void get(MemorySegment destination, long destinationOffset, int target, long offset, long length) {
        get(new Transfer("get", destination, Extent.of(destinationOffset, length), target, Extent.of(offset, length),
            () -> window.get(destination, destinationOffset, target, offset, length)));
    }

    @Override
    public final Request rget(MemorySegment destination, long destinationOffset, int target, long offset,
        long length) {
        return get(new Transfer("rget", destination, Extent.of(destinationOffset, length), target,
            Extent.of(offset, length), () -> window.rget(destination, destinationOffset, target, offset, length)));
    }

    @Override
    public final void get(double[] destination, int from, int count, int target, long offset) {
        get(array("get to an array", null, from, count, Double.BYTES, target, offset,
            () -> window.get(destination, from, count, target, offset)));
        arrived(target);
    }

    @Override
    public final void get(long[] destination, int from, int count, int target, long offset) {
        get(array("get to an array", null, from, count, Long.BYTES, target, offset,
            () -> window.get(destination, from, count, target, offset)));
        arrived(target);
    }

    @Override
    public final void get(int[] destination, int from, int count, int target, long offset) {
        get(array("get to an array", null, from, count, Integer.BYTES, target, offset,
            () -> window.get(destination, from, count, target, offset)));
        arrived(target);
    }

    @Override
    public final void getStrided(MemorySegment destination, long destinationOffset, long destinationStride, int target,
        long offset, long stride, long blockBytes, long count) {
        get(new Transfer("getStrided", destination,
            new Extent(destinationOffset, blockBytes, destinationStride, count), target,
            new Extent(offset, blockBytes, stride, count), () -> window.getStrided(destination, destinationOffset,
                destinationStride, target, offset, stride, blockBytes, count)));
    }

    @Override
    public final Request rgetStrided(MemorySegment destination, long destinationOffset, long destinationStride,
        int target, long offset, long stride, long blockBytes, long count) {
        return get(new Transfer("rgetStrided", destination,
            new Extent(destinationOffset, blockBytes, destinationStride, count), target,
            new Extent(offset, blockBytes, stride, count), () -> window.rgetStrided(destination, destinationOffset,
                destinationStride, target, offset, stride, blockBytes, count)));
    }

    @Override
    public final void accumulate(AtomicOp op, DataType type, MemorySegment source, long sourceOffset, int target,
        long offset, long count) {
        long bytes = count * bytes(type);
        accumulate(op, type, new Transfer("accumulate", source, Extent.of(sourceOffset, bytes), target,
            Extent.of(offset, bytes), () -> window.accumulate(op, type, source, sourceOffset, target, offset, count)));
    }

    @Override
    public final Request raccumulate(AtomicOp op, DataType type, MemorySegment source, long sourceOffset, int target,
        long offset, long count) {
        long bytes = count * bytes(type);
        return accumulate(op, type, new Transfer("raccumulate", source, Extent.of(sourceOffset, bytes), target,
            Extent.of(offset, bytes), () -> window.raccumulate(op, type, source, sourceOffset, target, offset,
                count)));
    }

    @Override
    public final void accumulate(AtomicOp op, DataType type, long operand, int target, long offset) {
        accumulate(op, type, new Transfer("accumulate", MemorySegment.ofArray(new long[] {operand}),
            Extent.of(0, Long.BYTES), target, Extent.of(offset, bytes(type)),
            () -> window.accumulate(op, type, operand, target, offset)));
    }

    @Override
    public final void accumulateStrided(AtomicOp op, DataType type, MemorySegment source, long sourceOffset,
        long sourceStride, int target, long offset, long stride, long blockElements, long count) {
        long block = blockElements * bytes(type);
        accumulate(op, type, new Transfer("accumulateStrided", source,
            new Extent(sourceOffset, block, sourceStride, count), target, new Extent(offset, block, stride, count),
            () -> window.accumulateStrided(op, type, source, sourceOffset, sourceStride, target, offset, stride,
                blockElements, count)));
    }

    @Override
    public final Request raccumulateStrided(AtomicOp op, DataType type, MemorySegment source, long sourceOffset,
        long sourceStride, int target, long offset, long stride, long blockElements, long count) {
        long block = blockElements * bytes(type);
        return accumulate(op, type, new Transfer("raccumulateStrided", source,
            new Extent(sourceOffset, block, sourceStride, count), target, new Extent(offset, block, stride, count),
            () -> window.raccumulateStrided(op, type, source, sourceOffset, sourceStride, target, offset, stride,
                blockElements, count)));
    }

    @Override
    public final void getAccumulate(AtomicOp op, DataType type, MemorySegment source, long sourceOffset,
        MemorySegment result, long resultOffset, int target, long offset, long count) {
        long bytes = count * bytes(type);
        getAccumulate(op, type, new Transfer("getAccumulate", source, Extent.of(sourceOffset, bytes), target,
            Extent.of(offset, bytes), () -> window.getAccumulate(op, type, source, sourceOffset, result, resultOffset,
                target, offset, count)), result, Extent.of(resultOffset, bytes));
    }

    @Override
    public final Request rgetAccumulate(AtomicOp op, DataType type, MemorySegment source, long sourceOffset,
        MemorySegment result, long resultOffset, int target, long offset, long count) {
        long bytes = count * bytes(type);
        return getAccumulate(op, type, new Transfer("rgetAccumulate", source, Extent.of(sourceOffset, bytes), target,
            Extent.of(offset, bytes), () -> window.rgetAccumulate(op, type, source, sourceOffset, result, resultOffset,
                target, offset, count)), result, Extent.of(resultOffset, bytes));
    }

    @Override
    public final void getAccumulateStrided(AtomicOp op, DataType type, MemorySegment source, long sourceOffset,
        long sourceStride, MemorySegment result, long resultOffset, long resultStride, int target, long offset,
        long stride, long blockElements, long count) {
        long block = blockElements * bytes(type);
        getAccumulate(op, type, new Transfer("getAccumulateStrided", source,
            new Extent(sourceOffset, block, sourceStride, count), target, new Extent(offset, block, stride, count),
            () -> window.getAccumulateStrided(op, type, source, sourceOffset, sourceStride, result, resultOffset,
                resultStride, target, offset, stride, blockElements, count)), result,
            new Extent(resultOffset, block, resultStride, count));
    }

    @Override
    public final Request rgetAccumulateStrided(AtomicOp op, DataType type, MemorySegment source, long sourceOffset,
        long sourceStride, MemorySegment result, long resultOffset, long resultStride, int target, long offset,
        long stride, long blockElements, long count) {
        long block = blockElements * bytes(type);
        return getAccumulate(op, type, new Transfer("rgetAccumulateStrided", source,
            new Extent(sourceOffset, block, sourceStride, count), target, new Extent(offset, block, stride, count),
            () -> window.rgetAccumulateStrided(op, type, source, sourceOffset, sourceStride, result, resultOffset,
                resultStride, target, offset, stride, blockElements, count)), result,
            new Extent(resultOffset, block, resultStride, count));
    }

    /** Waits for a signal, and then reads it as a program does: what the layer sees so is what counts. */
    @Override
    public final long waitUntil(long offset, Comparison comparison, long value) {
        long found;
        do {
            window.waitUntil(offset, comparison, value);
            found = getLong(rank, offset);
        } while (!comparison.holds(found, value));
        return found;
    }

    @Override
    public final boolean test(long offset, Comparison comparison, long value) {
        if (comparison == null || (offset & 7) != 0) {
            return window.test(offset, comparison, value); // which refuses that
        }
        return comparison.holds(getLong(rank, offset), value);
    }
}
