package org.ftrma.bench;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.TimeUnit;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.Ftrma;
import org.ftrma.Job;
import org.ftrma.Window;
import org.ftrma.WindowKind;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Accesses of rank 0 to rank 1, a process of its own. It is a program of two ranks: rank 0 runs JMH in its process (no
 * forks, since the process is the rank), one benchmark for each job, so that each is compiled by itself; rank 1 waits
 * in a barrier, or takes part in gsync. {@link AccessBench} starts the jobs.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 10, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class AccessBenchmark {
    static final String[] NAMES = {"put8Flush", "put8", "get8", "fetchAndOp",
        "compareAndSwap", "flush", "gsync", "put64K", "copy64K", "put1M", "copy1M", "put64KUncached", "copy64KUncached",
        "put1MUncached", "copy1MUncached", "put8Logged", "get8Logged", "fetchAndOpLogged", "put64KLogged",
        "put1MUncachedLogged", "shared64", "shared64Logged"};
    private static final String LOGGED = "Logged";
    private static final int SMALL = 64 << 10;
    private static final int LARGE = 1 << 20;
    private static final long UNCACHED_BYTES = 256L << 20;
    private static final long STOP_OFFSET = 0;
    private static final long WORD_OFFSET = 4096;
    /** The rank whose process this is; JMH makes the benchmark object itself and gives no other way in. */
    private static volatile Rank rank;

    private Job job;
    private Window window;
    private MemorySegment source;
    private MemorySegment local;
    private MemorySegment word;
    private long position;

    private record Rank(Job job, Window window, MemorySegment source, MemorySegment local) {
    }

    /** The program: the name of one benchmark. */
    public static void main(String[] args) {
        String name = args[0];
        Ftrma.run(args, running -> {
            Window shared = running.allocateWindow("bench", UNCACHED_BYTES, WindowKind.SCRATCH);
            String benchmark = isLogged(name) ? name.substring(0, name.length() - LOGGED.length()) : name;
            running.steps(1).forEach(step -> play(running, shared, benchmark));
        });
    }

    /** Whether this is one of the others in a job that logs accesses. */
    static boolean isLogged(String name) {
        return name.endsWith(LOGGED);
    }

    private static void play(Job running, Window shared, String name) {
        if (running.rank() == 0) {
            try (Arena arena = Arena.ofShared()) {
                rank = new Rank(running, shared, arena.allocate(UNCACHED_BYTES, 4096),
                    arena.allocate(UNCACHED_BYTES, 4096));
                rank.source().fill((byte) 1);
                rank.local().fill((byte) 1);
                DataThread.measure(AccessBenchmark.class, name);
            }
            shared.putLong(1, 1, STOP_OFFSET);
            running.gsync();
        } else if (name.equals("gsync")) {
            do {
                running.gsync();
            } while (shared.memory().get(ValueLayout.JAVA_LONG, STOP_OFFSET) == 0);
        } else {
            running.gsync();
        }
    }

    /** Takes over the rank, on its data thread ({@link DataThread}). */
    @Setup
    public void adopt() {
        job = rank.job();
        window = rank.window();
        source = rank.source();
        local = rank.local();
        word = source.asSlice(0, 8);
    }

    /** One 8-byte put, complete at the target. */
    @Benchmark
    public void put8Flush() {
        window.put(word, 0, 1, WORD_OFFSET, 8);
        window.flush(1);
    }

    /** One 8-byte put. */
    @Benchmark
    public void put8() {
        window.put(word, 0, 1, WORD_OFFSET, 8);
    }

    /** One 8-byte get whose value is there. */
    @Benchmark
    public long get8() {
        return window.getLong(1, WORD_OFFSET);
    }

    /** The first of 64 bytes of the other rank's part, seen as memory: in place, or as a copy where it is logged. */
    @Benchmark
    public long shared64() {
        return window.shared(1, WORD_OFFSET, 64).get(ValueLayout.JAVA_LONG, 0);
    }

    /** One fetch-and-add of 8 bytes. */
    @Benchmark
    public long fetchAndOp() {
        return window.fetchAndOp(AtomicOp.SUM, DataType.INT64, 1, 1, WORD_OFFSET);
    }

    /** One compare-and-swap of 8 bytes. */
    @Benchmark
    public long compareAndSwap() {
        return window.compareAndSwap(DataType.INT64, 0, 0, 1, WORD_OFFSET);
    }

    /** A flush with nothing to complete. */
    @Benchmark
    public void flush() {
        window.flush(1);
    }

    /** A gsync of both ranks. */
    @Benchmark
    public void gsync() {
        job.gsync();
    }

    /** The same 64 KiB again and again. */
    @Benchmark
    public void put64K() {
        window.put(source, 0, 1, WORD_OFFSET, SMALL);
        window.flush(1);
    }

    /** What a plain copy of as much takes here. */
    @Benchmark
    public void copy64K() {
        MemorySegment.copy(source, 0, local, WORD_OFFSET, SMALL);
    }

    /** The same 1 MiB again and again. */
    @Benchmark
    public void put1M() {
        window.put(source, 0, 1, WORD_OFFSET, LARGE);
        window.flush(1);
    }

    /** What a plain copy of as much takes here. */
    @Benchmark
    public void copy1M() {
        MemorySegment.copy(source, 0, local, WORD_OFFSET, LARGE);
    }

    /** 64 KiB from and to memory that was not touched for long. */
    @Benchmark
    public void put64KUncached() {
        long at = next(SMALL);
        window.put(source, at, 1, at, SMALL);
        window.flush(1);
    }

    /** What a plain copy of as much takes here. */
    @Benchmark
    public void copy64KUncached() {
        long at = next(SMALL);
        MemorySegment.copy(source, at, local, at, SMALL);
    }

    /** 1 MiB from and to memory that was not touched for long. */
    @Benchmark
    public void put1MUncached() {
        long at = next(LARGE);
        window.put(source, at, 1, at, LARGE);
        window.flush(1);
    }

    /** What a plain copy of as much takes here. */
    @Benchmark
    public void copy1MUncached() {
        long at = next(LARGE);
        MemorySegment.copy(source, at, local, at, LARGE);
    }

    private long next(int length) {
        position = position + length <= UNCACHED_BYTES - 2L * LARGE ? position + length : LARGE;
        return position;
    }
}
