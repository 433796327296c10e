package org.ftrma.bench;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.ftrma.rma.log.AccessLog;
import org.ftrma.rma.log.LogDescriptor;
import org.ftrma.rma.log.LogRegion;
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
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Benchmark of a log of many MiB for a program that packs its puts, with nothing else going on: 256 KiB are written row
 * by row, in the order of an FFT's transposition, and put into a window of 128 MiB, which no cache holds; by two
 * threads at once, as two ranks do. {@code packed} writes them to one buffer, which stays in the cache; {@code
 * packedIntoLog} to ever new memory of a log of 640 MiB, as {@code Window.stage} gives it with {@code --protocol full
 * --staging log}. The difference is the traffic of the memory behind the caches. {@code streamed} and {@code
 * streamedAndLogged} pack into one buffer, too, and stream that into the window, and to the log. {@code stream32M} is
 * what a log costs at the least: as much as a rank logs in a step of FFT class A on 2 ranks is only written, by both
 * threads or by one ({@code -t 1}).
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 8, time = 1)
@Fork(1)
@Threads(2)
public class StagingBenchmark {
    private static final int BLOCK = 256 << 10;
    private static final int ROW = 512;
    private static final int ROWS = BLOCK / ROW;
    private static final int STRIDE = 32;
    private static final long WINDOW = 128L << 20;
    private static final long LOG = 640L << 20;
    private static final long STEP = 32L << 20;

    private Arena arena;
    private MemorySegment rows;
    private MemorySegment buffer;
    private MemorySegment window;
    private AccessLog log;
    private AccessLog streamedLog;
    private long at;

    /** One rank's log region, a window, and a source. */
    @Setup
    public void prepare() {
        arena = Arena.ofShared();
        LogDescriptor layout = new LogDescriptor(2, 2 * LOG, LogDescriptor.CHUNK_BYTES);
        LogDescriptor small = new LogDescriptor(2, LogDescriptor.CHUNK_BYTES, LogDescriptor.CHUNK_BYTES);
        LogRegion[] regions = {region(layout, 0, false), region(small, 1, false)};
        log = new AccessLog(0, layout, rank -> regions[rank], 0);
        LogRegion[] streamed = {region(layout, 0, true), region(small, 1, true)};
        streamedLog = new AccessLog(0, layout, rank -> streamed[rank], 0);
        rows = arena.allocate(BLOCK / STRIDE, 64);
        byte[] contents = new byte[BLOCK];
        new Random(1).nextBytes(contents); // zeros are written twice as fast by some processors
        buffer = arena.allocate(BLOCK, 64);
        MemorySegment.copy(contents, 0, buffer, ValueLayout.JAVA_BYTE, 0, BLOCK);
        window = arena.allocate(WINDOW, 4096);
        rows.fill((byte) 1);
    }

    private LogRegion region(LogDescriptor layout, int rank, boolean streams) {
        MemorySegment memory = arena.allocate(layout.regionBytes(), 4096);
        memory.fill((byte) 0);
        layout.format(memory, 0);
        return new LogRegion(layout, rank, 0, new LogBenchmark.Mapped(memory, streams), memory, () -> { }, arena);
    }

    /** Frees all. */
    @TearDown
    public void close() {
        arena.close();
    }

    private void pack(MemorySegment destination) {
        for (int first = 0; first < STRIDE; first++) {
            for (int row = first; row < ROWS; row += STRIDE) {
                MemorySegment.copy(rows, (row / STRIDE) * (long) ROW, destination, row * (long) ROW, ROW);
            }
        }
    }

    private void put(MemorySegment from) {
        MemorySegment.copy(from, 0, window, at, BLOCK);
        at = at + BLOCK < WINDOW ? at + BLOCK : 0;
    }

    private void stream(MemorySegment from) {
        StreamingCopy.copy(from, 0, window, at, BLOCK);
        at = at + BLOCK < WINDOW ? at + BLOCK : 0;
    }

    /** From a buffer that is used again and again. */
    @Benchmark
    public void packed() {
        pack(buffer);
        put(buffer);
    }

    /** The same, past the caches. */
    @Benchmark
    public void streamed() {
        pack(buffer);
        stream(buffer);
    }

    /** The same, logged. */
    @Benchmark
    public void streamedAndLogged() {
        pack(buffer);
        streamedLog.put(0, 1, buffer, 0, at, BLOCK);
        stream(buffer);
        if (streamedLog.counters().putLogBytes() % LOG < BLOCK) {
            streamedLog.trim(streamedLog.marks());
        }
    }

    /** 32 MiB past the caches, and nothing else. */
    @Benchmark
    public void stream32M() {
        for (long done = 0; done < STEP; done += BLOCK) {
            stream(buffer);
        }
    }

    /** From the log, which is trimmed when it holds 640 MiB. Allocates the segment. */
    @Benchmark
    public void packedIntoLog() {
        MemorySegment staged = log.stage(0, 1, BLOCK);
        pack(staged);
        log.put(0, 1, staged, 0, at, BLOCK);
        put(staged);
        if (log.counters().putLogBytes() % LOG < BLOCK) {
            log.trim(log.marks());
        }
    }
}
