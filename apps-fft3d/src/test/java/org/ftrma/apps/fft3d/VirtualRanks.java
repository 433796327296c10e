package org.ftrma.apps.fft3d;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;

/** The whole benchmark in one JVM: a thread per rank, shared memory instead of windows, a barrier instead of gsync. */
final class VirtualRanks {
    private final int ranks;
    private final MemorySegment[][] areas;
    private final AbortableBarrier barrier;
    private final double[][][] shares;

    /** What rank 0 learned. */
    record Outcome(List<FtClass.Complex> checksums, double seconds, String phases) {
    }

    private VirtualRanks(int ranks, int iterations, int areaCount, long bytes, Arena arena) {
        this.ranks = ranks;
        this.areas = new MemorySegment[ranks][areaCount];
        for (MemorySegment[] own : areas) {
            for (int a = 0; a < areaCount; a++) {
                own[a] = rubbish(bytes, arena);
            }
        }
        this.barrier = new AbortableBarrier(ranks);
        this.shares = new double[iterations][ranks][2];
    }

    /** Memory full of what is no number. */
    private static MemorySegment rubbish(long bytes, Arena arena) {
        return arena.allocate(bytes, 4096).fill((byte) 0xff);
    }

    /** Runs {@code iterations} time steps on a grid of rows * columns threads. */
    static Outcome run(int nx, int ny, int nz, int iterations, int rows, int columns) {
        return run(nx, ny, nz, iterations, rows, columns, (grid, field) -> { });
    }

    /** The same; one rank begins anew between the steps, as its replacement does while the others run on. */
    static Outcome runWithARankThatBeginsAnew(int nx, int ny, int nz, int iterations, int rows, int columns) {
        return run(nx, ny, nz, iterations, rows, columns, 1, (grid, field) -> { });
    }

    /** The same; {@code result} gets each rank's last field, on its own thread. */
    static Outcome run(int nx, int ny, int nz, int iterations, int rows, int columns,
        BiConsumer<Grid, MemorySegment> result) {
        return run(nx, ny, nz, iterations, rows, columns, -1, result);
    }

    private static Outcome run(int nx, int ny, int nz, int iterations, int rows, int columns, int anew,
        BiConsumer<Grid, MemorySegment> result) {
        int ranks = rows * columns;
        Grid first = new Grid(nx, ny, nz, rows, columns, 0);
        try (Arena arena = Arena.ofShared()) {
            VirtualRanks machine = new VirtualRanks(ranks, iterations, Spectral3d.SCRATCH_AREAS, first.areaBytes(),
                arena);
            AtomicReference<Throwable> failure = new AtomicReference<>();
            List<Outcome> outcome = new ArrayList<>();
            List<Thread> threads = new ArrayList<>();
            for (int rank = 0; rank < ranks; rank++) {
                int me = rank;
                threads.add(Thread.ofPlatform().start(() -> {
                    try {
                        Outcome mine = machine.rank(new Grid(nx, ny, nz, rows, columns, me), me, iterations, me == anew,
                            arena, result);
                        if (me == 0) {
                            outcome.add(mine);
                        }
                    } catch (Throwable t) {
                        failure.compareAndSet(null, t);
                        machine.barrier.abort();
                    }
                }));
            }
            for (Thread thread : threads) {
                thread.join();
            }
            if (failure.get() != null) {
                throw new AssertionError("a rank failed", failure.get());
            }
            return outcome.getFirst();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private Outcome rank(Grid grid, int me, int iterations, boolean anew, Arena arena,
        BiConsumer<Grid, MemorySegment> result) {
        MemorySegment current = rubbish(grid.spectrumBytes(), arena);
        MemorySegment next = rubbish(grid.spectrumBytes(), arena);
        List<FtClass.Complex> checksums = new ArrayList<>();
        PhaseTimes times = new PhaseTimes();
        await();
        long start = System.nanoTime();
        Spectral3d core = new Spectral3d(grid, new Shared(me), times);
        core.forward(current);
        FieldChecksum checksum = new FieldChecksum(grid);
        for (int i = 0; i < iterations; i++) {
            core = anew ? new Spectral3d(grid, new Shared(me), times) : core;
            core.step(i + 1, current, next);
            MemorySegment swap = current;
            current = next;
            next = swap;
            times.begin();
            // No collective here: the core's own fences must be enough.
            checksum.of(core.field(), shares[i][me]);
            times.end(PhaseTimes.Phase.CHECKSUM);
        }
        await();
        for (double[][] step : shares) {
            double re = 0;
            double im = 0;
            for (double[] share : step) {
                re += share[0];
                im += share[1];
            }
            checksums.add(new FtClass.Complex(re, im));
        }
        result.accept(grid, core.field());
        double seconds = 1e-9 * (System.nanoTime() - start);
        requireWritten(current);
        requireWritten(next);
        StringBuilder phases = new StringBuilder();
        for (PhaseTimes.Phase phase : PhaseTimes.Phase.values()) {
            phases.append(String.format("%s %.3f  ", phase.label(), times.seconds(phase)));
        }
        return new Outcome(checksums, seconds, phases.toString());
    }

    /** All of a spectrum is protected: no byte of it may be what its memory held before. */
    private static void requireWritten(MemorySegment spectrum) {
        for (long at = 0; at < spectrum.byteSize(); at += Double.BYTES) {
            if (Double.isNaN(spectrum.get(ValueLayout.JAVA_DOUBLE, at))) {
                throw new AssertionError("not written at " + at + " of " + spectrum.byteSize());
            }
        }
    }

    private void await() {
        if (!barrier.await()) {
            throw new IllegalStateException("another rank failed");
        }
    }

    /** The scratch areas as one rank sees them. */
    private final class Shared implements Exchange {
        private final int me;

        Shared(int me) {
            this.me = me;
        }

        @Override
        public MemorySegment scratch(int area) {
            return areas[me][area];
        }

        @Override
        public MemorySegment stage(int target, int area, long bytes) {
            return Arena.ofAuto().allocate(bytes, 64);
        }

        @Override
        public void put(MemorySegment source, int target, int area, long offset, long stride, long blockBytes,
            long count) {
            for (long i = 0; i < count; i++) {
                MemorySegment.copy(source, i * blockBytes, areas[target][area], offset + i * stride, blockBytes);
            }
        }

        @Override
        public void progress() {
        }

        @Override
        public void fence() {
            await();
        }
    }
}
