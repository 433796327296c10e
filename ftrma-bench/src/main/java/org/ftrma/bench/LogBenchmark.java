package org.ftrma.bench;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.rma.log.AccessLog;
import org.ftrma.rma.log.Determinant;
import org.ftrma.rma.log.LogDescriptor;
import org.ftrma.rma.log.LogMarks;
import org.ftrma.rma.log.LogRegion;
import org.ftrma.rma.log.LogWriter;
import org.ftrma.spi.RemoteMemory;
import org.ftrma.ucp.StreamingCopy;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Benchmarks of logging by itself, on the mapped path in one process: appends, and puts with their logging, beside the
 * same without. The log is trimmed to its end when seven eighths of it are used, as a committed generation would.
 * {@code put1MLogged} should cost as much as {@code copy1M} and {@code copy1MBeyond} together, and {@code put1MStaged}
 * as much as {@code copy1MFromBeyond}: one copy, from memory as far away as the log.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 6, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(1)
public class LogBenchmark {
    private static final int LARGE = 1 << 20;
    private static final int CHUNK = 4 << 20;
    private static final long BUDGET = 32L << 20;
    /** MiB that the log goes through before it is trimmed. */
    private static final int FAR = (int) (BUDGET / 8 * 7 / LARGE);
    private static final long STREAMED_BUDGET = 512L << 20;
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

    private Arena arena;
    private MemorySegment source;
    private MemorySegment target;
    private MemorySegment staged;
    private MemorySegment beyond;
    private LogRegion own;
    private LogWriter writer;
    private AccessLog log;
    private AccessLog streamedLog;
    private long value;
    private LogMarks marks;
    private final Determinant putAccess = filled(LogDescriptor.PUT, 0);
    private final Determinant atomicAccess = filled(LogDescriptor.ATOMIC, 2);

    /** Two ranks' log regions; rank 0 logs. */
    @Setup
    public void prepare() {
        arena = Arena.ofShared();
        LogDescriptor layout = new LogDescriptor(2, BUDGET, CHUNK);
        LogRegion[] regions = regions(layout, false);
        own = regions[0];
        LogDescriptor large = new LogDescriptor(2, STREAMED_BUDGET, CHUNK);
        LogRegion[] streamed = regions(large, true);
        streamedLog = new AccessLog(0, large, rank -> streamed[rank], 0);
        source = arena.allocate(LARGE, 4096);
        target = arena.allocate(LARGE, 4096);
        beyond = arena.allocate((long) FAR * LARGE, 4096);
        beyond.fill((byte) 1);
        source.fill((byte) 1);
        target.fill((byte) 1);
        log = new AccessLog(0, layout, rank -> regions[rank], 0);
        writer = new LogWriter(own, layout.putLog(0), null);
    }

    private LogRegion[] regions(LogDescriptor layout, boolean streams) {
        LogRegion[] regions = new LogRegion[2];
        for (int rank = 0; rank < 2; rank++) {
            MemorySegment memory = arena.allocate(layout.regionBytes(), 4096);
            memory.fill((byte) 0);
            layout.format(memory, 0);
            regions[rank] = new LogRegion(layout, rank, 0, new Mapped(memory, streams), memory, () -> { }, arena);
        }
        return regions;
    }

    /** Frees all. */
    @TearDown
    public void close() {
        arena.close();
    }

    private void trimWriter() {
        if (writer.chunks() > 2) {
            writer.trimTo(writer.mark());
        }
    }

    private static Determinant filled(int kind, int code) {
        return new Determinant().access(kind, 0, code, 4096).ec(1).gc(2).sc(0).gnc(3);
    }

    private void trimLog() {
        if (log.runsLow() || (value & 0xffff) == 0) {
            marks = log.marks();
            log.trim(marks);
        }
    }

    /** The record of one 8-byte put. */
    @Benchmark
    public boolean append8() {
        trimWriter();
        return writer.appendLong(putAccess, value++);
    }

    /** The record of one atomic. */
    @Benchmark
    public boolean appendAtomic() {
        trimWriter();
        value++;
        return writer.appendLong(atomicAccess, 1, value, value + 1);
    }

    /** The record of 64 KiB. */
    @Benchmark
    public boolean append64K() {
        trimWriter();
        return writer.append(putAccess, source, 0, 64 << 10);
    }

    /** What a plain copy of as much takes. */
    @Benchmark
    public void copy64K() {
        MemorySegment.copy(source, 0, target, 0, 64 << 10);
    }

    /** One 8-byte put, logged. */
    @Benchmark
    public void put8Logged() {
        value++;
        trimLog();
        if (log.putLong(0, 1, value, 4096)) {
            LONG.setRelease(target, 4096L, value);
        }
    }

    /** One 8-byte put of a segment, logged. */
    @Benchmark
    public void putSegment8Logged() {
        value++;
        trimLog();
        if (log.put(0, 1, source, 0, 4096, 8)) {
            MemorySegment.copy(source, 0, target, 4096, 8);
        }
    }

    /** One fetch-and-add, logged at both ends. */
    @Benchmark
    public long fetchAndOpLogged() {
        value++;
        trimLog();
        log.beginUpdate(0, 1, 4096);
        long old = (long) LONG.getVolatile(target, 4096L);
        log.updating(0, 1, DataType.INT64, 4096, old, old + 1);
        LONG.compareAndExchange(target, 4096L, old, old + 1);
        log.atomic(0, 1, AtomicOp.SUM, DataType.INT64, 4096, 1, old);
        return old;
    }

    /** One blocking read, logged at its target; the values differ. */
    @Benchmark
    public void get8Logged() {
        value++;
        trimLog();
        log.gotLong(0, 1, value, 4096);
    }

    /** A blocking read whose result does not change. */
    @Benchmark
    public void get8Polled() {
        log.gotLong(0, 1, 5, 4096);
    }

    /** A put of 1 MiB, logged. */
    @Benchmark
    public void put1MLogged() {
        value++;
        trimLog();
        log.put(0, 1, source, 0, 0, LARGE);
        MemorySegment.copy(source, 0, target, 0, LARGE);
    }

    /**
     * A put of 1 MiB, logged past the caches: to a log that they do not hold, as that of a rank whose budget is larger
     * than they are.
     */
    @Benchmark
    public void put1MStreamed() {
        if (streamedLog.runsLow()) {
            streamedLog.trim(streamedLog.marks());
        }
        streamedLog.put(0, 1, source, 0, 0, LARGE);
        MemorySegment.copy(source, 0, target, 0, LARGE);
    }

    /** A put of 1 MiB whose data was made in the log; making it is not counted. Allocates the segment. */
    @Benchmark
    public void put1MStaged() {
        value++;
        trimLog();
        staged = log.stage(0, 1, LARGE);
        log.put(0, 1, staged, 0, 0, LARGE);
        MemorySegment.copy(staged, 0, target, 0, LARGE);
    }

    /** A put of 1 MiB, not logged. */
    @Benchmark
    public void copy1M() {
        MemorySegment.copy(source, 0, target, 0, LARGE);
    }

    /** As much, to where the log of {@link #put1MLogged} goes: memory that was written {@link #FAR} MiB ago. */
    @Benchmark
    public void copy1MBeyond() {
        value = value + 1 < FAR ? value + 1 : 0;
        MemorySegment.copy(source, 0, beyond, value * LARGE, LARGE);
    }

    /** As much, from where {@link #put1MStaged} has its data. */
    @Benchmark
    public void copy1MFromBeyond() {
        value = value + 1 < FAR ? value + 1 : 0;
        MemorySegment.copy(beyond, value * LARGE, target, 0, LARGE);
    }

    /** A mapped region: only what taking and freeing chunks needs, and streaming where that is wanted. */
    record Mapped(MemorySegment memory, boolean streams) implements RemoteMemory {
        @Override
        public long leastStreamed() {
            return streams ? 4096 : Long.MAX_VALUE;
        }

        @Override
        public void stream(MemorySegment from, long fromOffset, long offset, long length) {
            StreamingCopy.copy(from, fromOffset, memory, offset, length);
        }

        @Override
        public long bytes() {
            return memory.byteSize();
        }

        @Override
        public MemorySegment mapped() {
            return memory;
        }

        @Override
        public void put(MemorySegment from, long fromOffset, long offset, long length) {
            MemorySegment.copy(from, fromOffset, memory, offset, length);
        }

        @Override
        public void putLong(long offset, long word) {
            LONG.setRelease(memory, offset, word);
        }

        @Override
        public void putInt(long offset, int word) {
            memory.set(ValueLayout.JAVA_INT, offset, word);
        }

        @Override
        public int getInt(long offset) {
            return memory.get(ValueLayout.JAVA_INT, offset);
        }

        @Override
        public void get(MemorySegment destination, long destinationOffset, long offset, long length) {
            MemorySegment.copy(memory, offset, destination, destinationOffset, length);
        }

        @Override
        public long getLong(long offset) {
            return (long) LONG.getAcquire(memory, offset);
        }

        @Override
        public long requestPut(MemorySegment from, long fromOffset, long offset, long length) {
            put(from, fromOffset, offset, length);
            return 0;
        }

        @Override
        public long requestGet(MemorySegment destination, long destinationOffset, long offset, long length) {
            get(destination, destinationOffset, offset, length);
            return 0;
        }

        @Override
        public long fetchOp(AtomicOp op, DataType type, long offset, long operand) {
            while (true) {
                long old = getLong(offset);
                if (LONG.compareAndSet(memory, offset, old, op.apply(type, old, operand))) {
                    return old;
                }
            }
        }

        @Override
        public void op(AtomicOp op, DataType type, long offset, long operand) {
            fetchOp(op, type, offset, operand);
        }

        @Override
        public long compareAndSwap(DataType type, long offset, long expected, long desired) {
            return (long) LONG.compareAndExchange(memory, offset, expected, desired);
        }
    }
}
