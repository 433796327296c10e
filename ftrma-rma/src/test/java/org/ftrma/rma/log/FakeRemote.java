package org.ftrma.rma.log;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.spi.RemoteMemory;

/**
 * A peer's region that is as slow as the contract allows: writes land at the flush, in any order, from what their
 * sources hold then. With {@code mapped} they land at once.
 */
final class FakeRemote implements RemoteMemory {
    private final MemorySegment memory;
    private final boolean mapped;
    private final Random random;
    private final List<Runnable> underWay = new ArrayList<>();
    int flushes;
    /** Bytes that were streamed; below 0: nothing is. */
    long streamed = -1;
    /** The flush in which the source dies, with some of what is under way landed; 0: it lives. */
    int dieInFlush;
    /** What others do right before the next compare-and-swap, once; or null. */
    Runnable beforeSwap;

    /** The source has died. */
    static final class Death extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    FakeRemote(MemorySegment memory, boolean mapped, Random random) {
        this.memory = memory;
        this.mapped = mapped;
        this.random = random;
    }

    void flush() {
        if (++flushes == dieInFlush) {
            die();
            throw new Death();
        }
        Collections.shuffle(underWay, random);
        underWay.forEach(Runnable::run);
        underWay.clear();
    }

    /** What is under way is lost with its source; some of it may have landed. */
    void die() {
        Collections.shuffle(underWay, random);
        underWay.stream().limit(underWay.isEmpty() ? 0 : random.nextInt(underWay.size())).forEach(Runnable::run);
        underWay.clear();
    }

    private void later(Runnable access) {
        if (mapped) {
            access.run();
        } else {
            underWay.add(access);
        }
    }

    @Override
    public long bytes() {
        return memory.byteSize();
    }

    @Override
    public MemorySegment mapped() {
        return mapped ? memory : null;
    }

    @Override
    public void put(MemorySegment source, long sourceOffset, long offset, long length) {
        later(() -> MemorySegment.copy(source, sourceOffset, memory, offset, length));
    }

    @Override
    public long leastStreamed() {
        return streamed >= 0 ? 4096 : Long.MAX_VALUE;
    }

    @Override
    public void stream(MemorySegment source, long sourceOffset, long offset, long length) {
        streamed += length;
        put(source, sourceOffset, offset, length);
    }

    @Override
    public void putLong(long offset, long value) {
        later(() -> memory.set(ValueLayout.JAVA_LONG, offset, value));
    }

    @Override
    public void putInt(long offset, int value) {
        later(() -> memory.set(ValueLayout.JAVA_INT, offset, value));
    }

    @Override
    public int getInt(long offset) {
        return memory.get(ValueLayout.JAVA_INT, offset);
    }

    @Override
    public void get(MemorySegment destination, long destinationOffset, long offset, long length) {
        later(() -> MemorySegment.copy(memory, offset, destination, destinationOffset, length));
    }

    @Override
    public long getLong(long offset) {
        return memory.get(ValueLayout.JAVA_LONG, offset);
    }

    @Override
    public long requestPut(MemorySegment source, long sourceOffset, long offset, long length) {
        put(source, sourceOffset, offset, length);
        return 0;
    }

    @Override
    public long requestGet(MemorySegment destination, long destinationOffset, long offset, long length) {
        get(destination, destinationOffset, offset, length);
        return 0;
    }

    @Override
    public long fetchOp(AtomicOp op, DataType type, long offset, long operand) {
        long old = getLong(offset);
        memory.set(ValueLayout.JAVA_LONG, offset, op.apply(type, old, operand));
        return old;
    }

    @Override
    public void op(AtomicOp op, DataType type, long offset, long operand) {
        later(() -> fetchOp(op, type, offset, operand));
    }

    @Override
    public long compareAndSwap(DataType type, long offset, long expected, long desired) {
        Runnable others = beforeSwap;
        beforeSwap = null;
        if (others != null) {
            others.run();
        }
        // others' threads may do so too
        return (long) LogRegion.LONG.compareAndExchange(memory, offset, expected, desired);
    }
}
