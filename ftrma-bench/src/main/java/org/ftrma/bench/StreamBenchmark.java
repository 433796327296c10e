package org.ftrma.bench;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
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
 * What a log costs at the least: 32 MiB, which a rank logs in a step of FFT class A on 2 ranks, are streamed from a buffer in the cache to memory that
 * no cache holds, with nothing else going on. By one thread ({@code -t 1}), and by two ({@code -t 2}), which share what the processor can write.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(value = 1, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 5, time = 1)
public class StreamBenchmark {
    private static final long PIECE = 256L << 10;
    private static final long STEP = 32L << 20;
    private static final long LOG = 512L << 20;

    private Arena arena;
    private MemorySegment buffer;
    private MemorySegment log;
    private long at;

    /** A buffer, and memory for a log. */
    @Setup
    public void prepare() {
        arena = Arena.ofShared();
        buffer = arena.allocate(PIECE, 4096);
        log = arena.allocate(LOG, 4096);
        buffer.fill((byte) 1);
        log.fill((byte) 0);
    }

    /** Frees all. */
    @TearDown
    public void close() {
        arena.close();
    }

    /** 32 MiB. */
    @Benchmark
    public void stream32M() {
        for (long done = 0; done < STEP; done += PIECE) {
            StreamingCopy.copy(buffer, 0, log, at + done, PIECE);
        }
        at = (at + STEP) % LOG;
    }
}
