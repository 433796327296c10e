package org.ftrma.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.ftrma.xor.BlockCompare;
import org.ftrma.xor.DirtyMap;
import org.ftrma.xor.GaloisProduct;
import org.ftrma.xor.ReedSolomon;
import org.ftrma.xor.XorCode;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Parity and changed-block copies beside a plain copy of the same bytes. The counter {@code touched} is bytes that the
 * operation names, read plus written, per second: 2 per byte for a copy (source, destination), k + 1 for a parity of k
 * sources, 3 for an in-place XOR (source, destination read and written), k + m for a Reed-Solomon code, 2 for a
 * comparison that finds nothing. What the hardware moves besides (a written line that is read first) is not counted.
 *
 * <p>{@code copy} is one call: from about 2.5 MiB on the JDK then writes past the caches and saves reading the
 * destination, which no other loop in Java can do. {@code copyInPieces} makes calls of 1 MiB, so that it writes as
 * everything else does.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 6, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(1)
public class XorBenchmark {
    private static final int SOURCES = 12;
    private static final long PIECE_BYTES = 1 << 20;

    /** Where the memory comes from. */
    public enum Kind {
        /** A confined arena. */
        CONFINED,
        /** A shared arena. */
        SHARED,
        /** The global arena, sized by hand, as memory from a native library is. */
        GLOBAL,
        /** A mapped file in /dev/shm. */
        MAPPED
    }

    /** Sources, a target, and a map of changed blocks. One thread. */
    @State(Scope.Thread)
    public static class Memory {
        /** Bytes of each source and of the target. */
        @Param({"4096", "262144", "67108864"})
        public long bytes;
        /** Kind of memory. */
        @Param("CONFINED")
        public Kind kind;

        private final MemorySegment[][] firstSources = new MemorySegment[SOURCES + 1][];
        private final long[][] offsets = new long[SOURCES + 1][];
        private Arena arena;
        private MemorySegment target;
        private MemorySegment[] targets;
        private GaloisProduct javaCode;
        private GaloisProduct bestCode;
        private DirtyMap dirty;
        private long turn;

        /** Allocates and touches everything. */
        @Setup(Level.Trial)
        public void allocate() {
            arena = kind == Kind.SHARED || kind == Kind.MAPPED ? Arena.ofShared() : Arena.ofConfined();
            MemorySegment[] sources = new MemorySegment[SOURCES];
            for (int j = 0; j < SOURCES; j++) {
                sources[j] = segment();
                sources[j].fill((byte) (j + 1));
            }
            for (int k = 1; k <= SOURCES; k++) {
                firstSources[k] = Arrays.copyOf(sources, k);
                offsets[k] = new long[k];
            }
            target = segment();
            target.fill((byte) 0);
            targets = new MemorySegment[] {target, segment()};
            targets[1].fill((byte) 0);
            javaCode = new ReedSolomon(4, 2, GaloisProduct.Engine.JAVA).encoder();
            bestCode = new ReedSolomon(4, 2).encoder();
            dirty = DirtyMap.format(arena.allocate(DirtyMap.bytesFor(bytes, DirtyMap.DEFAULT_BLOCK_BYTES)), bytes,
                DirtyMap.DEFAULT_BLOCK_BYTES);
        }

        private MemorySegment segment() {
            return switch (kind) {
                case CONFINED, SHARED -> arena.allocate(bytes, 4096);
                case GLOBAL -> unscoped(arena.allocate(bytes, 4096));
                case MAPPED -> mapped();
            };
        }

        @SuppressWarnings("restricted")
        private MemorySegment unscoped(MemorySegment segment) {
            return MemorySegment.ofAddress(segment.address()).reinterpret(bytes);
        }

        private MemorySegment mapped() {
            try {
                Path file = Files.createTempFile(Path.of("/dev/shm"), "xor-benchmark", "");
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                    return channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes, arena);
                } finally {
                    Files.delete(file);
                }
            } catch (IOException e) {
                throw new UncheckedIOException("cannot map " + bytes + " bytes in /dev/shm", e);
            }
        }

        /** Frees everything. */
        @TearDown(Level.Trial)
        public void free() {
            arena.close();
        }
    }

    /** Bytes touched, as JMH turns them into a rate. */
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    @State(Scope.Thread)
    public static class Rate {
        /** Bytes read and written by the operation. */
        public long touched;
    }

    /** {@code target = source}, in one call. */
    @Benchmark
    public void copy(Memory memory, Rate rate) {
        MemorySegment.copy(memory.firstSources[1][0], 0, memory.target, 0, memory.bytes);
        rate.touched += 2 * memory.bytes;
    }

    /** {@code target = source}, 1 MiB at a time. */
    @Benchmark
    public void copyInPieces(Memory memory, Rate rate) {
        for (long at = 0; at < memory.bytes; at += PIECE_BYTES) {
            MemorySegment.copy(memory.firstSources[1][0], at, memory.target, at,
                Math.min(PIECE_BYTES, memory.bytes - at));
        }
        rate.touched += 2 * memory.bytes;
    }

    /** {@code target ^= source}. */
    @Benchmark
    public void xorInto(Memory memory, Rate rate) {
        XorCode.xorInto(memory.firstSources[1][0], 0, memory.target, 0, memory.bytes);
        rate.touched += 3 * memory.bytes;
    }

    /** {@code target ^= old ^ new}. */
    @Benchmark
    public void accumulate2(Memory memory, Rate rate) {
        XorCode.accumulate(memory.firstSources[2], memory.offsets[2], memory.target, 0, memory.bytes);
        rate.touched += 4 * memory.bytes;
    }

    /** Parity of two. */
    @Benchmark
    public void encode2(Memory memory, Rate rate) {
        encode(memory, rate, 2);
    }

    /** Parity of three. */
    @Benchmark
    public void encode3(Memory memory, Rate rate) {
        encode(memory, rate, 3);
    }

    /** Parity of four. */
    @Benchmark
    public void encode4(Memory memory, Rate rate) {
        encode(memory, rate, 4);
    }

    /** Parity of eight. */
    @Benchmark
    public void encode8(Memory memory, Rate rate) {
        encode(memory, rate, 8);
    }

    /** Parity of twelve: two passes over tiles. */
    @Benchmark
    public void encode12(Memory memory, Rate rate) {
        encode(memory, rate, 12);
    }

    private static void encode(Memory memory, Rate rate, int k) {
        XorCode.encode(memory.firstSources[k], memory.offsets[k], memory.target, 0, memory.bytes);
        rate.touched += (k + 1) * memory.bytes;
    }

    /** Both parities of a Reed-Solomon code of four sources, in Java. */
    @Benchmark
    public void reedSolomon42Java(Memory memory, Rate rate) {
        reedSolomon(memory, rate, memory.javaCode);
    }

    /** The same with ISA-L where it is installed. */
    @Benchmark
    public void reedSolomon42(Memory memory, Rate rate) {
        reedSolomon(memory, rate, memory.bestCode);
    }

    private static void reedSolomon(Memory memory, Rate rate, GaloisProduct code) {
        code.set(memory.firstSources[4], memory.offsets[4], memory.targets, memory.offsets[2], memory.bytes);
        rate.touched += (code.inputs() + code.outputs()) * memory.bytes;
    }

    /** Every byte of every block differs: the source alternates. */
    @Benchmark
    public long copyChangedAllDiffer(Memory memory, Rate rate) {
        MemorySegment source = memory.firstSources[2][(int) (memory.turn++ & 1)];
        rate.touched += 2 * memory.bytes;
        return BlockCompare.copyChanged(source, 0, memory.target, 0, memory.bytes, memory.dirty, 0);
    }

    /**
     * The last word of every block differs: everything is compared and copied. The making of the differences is part of
     * the time.
     */
    @Benchmark
    public long copyChangedLateDifferences(Memory memory, Rate rate) {
        MemorySegment source = memory.firstSources[1][0];
        for (long at = DirtyMap.DEFAULT_BLOCK_BYTES - 8; at < memory.bytes; at += DirtyMap.DEFAULT_BLOCK_BYTES) {
            memory.target.set(ValueLayout.JAVA_LONG_UNALIGNED, at, ++memory.turn);
        }
        rate.touched += 2 * memory.bytes;
        return BlockCompare.copyChanged(source, 0, memory.target, 0, memory.bytes, memory.dirty, 0);
    }

    /** Nothing differs. */
    @Benchmark
    public long copyChangedNoneDiffer(Memory memory, Rate rate) {
        rate.touched += 2 * memory.bytes;
        return BlockCompare.copyChanged(memory.firstSources[1][0], 0, memory.target, 0, memory.bytes, memory.dirty, 0);
    }
}
