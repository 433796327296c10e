package org.ftrma.apps.fft3d;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.ftrma.AtomicOp;
import org.ftrma.Counters;
import org.ftrma.DataType;
import org.ftrma.Distribution;
import org.ftrma.Generation;
import org.ftrma.Job;
import org.ftrma.RotatingSegment;
import org.ftrma.Window;
import org.ftrma.WindowKind;

/**
 * The contract of {@link Job} towards a gsync program, in one JVM: a thread per rank, an image at a chosen step
 * boundary, one failure at a chosen collective of a chosen step. All that a rollback does not restore is filled with
 * rubbish, and the killed rank's program is a new object.
 */
final class RollbackCluster {
    private final int ranks;
    private final FtOptions options;
    private final int imageStep;
    private final int failStep;
    private final int failCollective;
    private final Map<String, Object> reported = new LinkedHashMap<>();
    private final LocalJob[] jobs;
    private AbortableBarrier barrier;
    private boolean failed;
    private int entries;

    /**
     * The failure of rank 0 comes at collective number {@code failCollective} of step {@code failStep}; a step of -1
     * means never.
     */
    RollbackCluster(int ranks, FtOptions options, int imageStep, int failStep, int failCollective) {
        this.ranks = ranks;
        this.options = options;
        this.imageStep = imageStep;
        this.failStep = failStep;
        this.failCollective = failCollective;
        this.jobs = new LocalJob[ranks];
    }

    /** Unwinds a rank, as the library does it. */
    private static final class Rollback extends Error {
        private static final long serialVersionUID = 1L;
    }

    /** Runs to the end and returns what the program reported. */
    Map<String, Object> run() throws InterruptedException {
        for (int r = 0; r < ranks; r++) {
            jobs[r] = new LocalJob(r);
        }
        while (!enter()) {
            for (LocalJob job : jobs) {
                job.rollBack();
            }
            jobs[0].program = new Fft3d(options);
            jobs[0].incarnation++;
        }
        return reported;
    }

    int entries() {
        return entries;
    }

    private boolean enter() throws InterruptedException {
        entries++;
        barrier = new AbortableBarrier(ranks);
        List<Throwable> errors = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (LocalJob job : jobs) {
            threads.add(Thread.ofPlatform().start(() -> {
                try {
                    job.program.run(job);
                } catch (Throwable t) {
                    synchronized (errors) {
                        errors.add(t);
                    }
                    barrier.abort();
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        for (Throwable error : errors) {
            if (!(error instanceof Rollback)) {
                throw new AssertionError("a rank failed", error);
            }
        }
        return errors.isEmpty();
    }

    /** One rank. */
    private final class LocalJob implements Job {
        private final int rank;
        private final Map<String, MemorySegment> windows = new LinkedHashMap<>();
        private final Map<String, MemorySegment> scratch = new LinkedHashMap<>();
        private final Map<String, MemorySegment> local = new LinkedHashMap<>();
        private final Map<String, LocalRotating> rotating = new LinkedHashMap<>();
        private final Map<String, byte[]> image = new LinkedHashMap<>();
        private Fft3d program = new Fft3d(options);
        private MemorySegment contribution;
        private int incarnation;
        private int restoredStep;
        private long step;
        private int collectives;

        LocalJob(int rank) {
            this.rank = rank;
        }

        void rollBack() {
            scratch.values().forEach(s -> s.fill((byte) 0x7f));
            boolean first = image.isEmpty();
            restoredStep = first ? 0 : imageStep;
            local.forEach((name, s) -> restore(s, first ? null : image.get(name)));
            rotating.forEach((name, r) -> {
                r.next().fill((byte) (first ? 0 : 0x7f));
                restore(r.current(), first ? null : image.get(name));
            });
            step = 0;
            collectives = 0;
        }

        private static void restore(MemorySegment target, byte[] from) {
            target.fill((byte) 0);
            if (from != null) {
                target.copyFrom(MemorySegment.ofArray(from));
            }
        }

        private void takeImage() {
            local.forEach((name, s) -> image.put(name, s.toArray(ValueLayout.JAVA_BYTE)));
            rotating.forEach((name, r) -> image.put(name, r.current().toArray(ValueLayout.JAVA_BYTE)));
        }

        private void collective() {
            collectives++;
            if (rank == 0 && step == failStep && collectives == failCollective && !failed) {
                failed = true;
                throw new Rollback();
            }
            if (!barrier.await()) {
                throw new Rollback();
            }
        }

        @Override
        public int rank() {
            return rank;
        }

        @Override
        public int ranks() {
            return ranks;
        }

        @Override
        public int incarnation() {
            return incarnation;
        }

        @Override
        public Window allocateWindow(String name, long bytes, WindowKind kind) {
            MemorySegment own = windows.computeIfAbsent(name, n -> Arena.ofAuto().allocate(bytes, 64));
            (kind == WindowKind.SCRATCH ? scratch : local).put(name, own);
            return (Window) Proxy.newProxyInstance(Window.class.getClassLoader(), new Class<?>[] {Window.class},
                (proxy, method, a) -> {
                    switch (method.getName()) {
                        case "memory" -> {
                            return own;
                        }
                        case "stage" -> {
                            return Arena.ofAuto().allocate((long) a[1], 64);
                        }
                        case "put" -> MemorySegment.copy((MemorySegment) a[0], (long) a[1],
                        jobs[(int) a[2]].windows.get(name), (long) a[3],
                        (long) a[4]);
                        case "putStrided" -> {
                            for (long i = 0; i < (long) a[7]; i++) {
                                MemorySegment.copy((MemorySegment) a[0], (long) a[1] + i * (long) a[2],
                                    jobs[(int) a[3]].windows.get(name),
                                    (long) a[4] + i * (long) a[5], (long) a[6]);
                            }
                        }
                        default -> throw new UnsupportedOperationException(method.getName());
                    }
                    return null;
                });
        }

        @Override
        public MemorySegment protect(String name, long bytes) {
            return local.computeIfAbsent(name, n -> Arena.ofAuto().allocate(bytes, 64));
        }

        @Override
        public RotatingSegment protectRotating(String name, long bytes) {
            return rotating.computeIfAbsent(name, n -> new LocalRotating(bytes));
        }

        @Override
        public void initialize(Runnable body) {
            collective();
            if (restoredStep == 0) {
                body.run();
            }
        }

        @Override
        public Iterable<Long> steps(long iterations) {
            step = restoredStep;
            return () -> new Iterator<>() {
                @Override
                public boolean hasNext() {
                    return step < iterations;
                }

                @Override
                public Long next() {
                    if (!hasNext()) {
                        throw new NoSuchElementException();
                    }
                    collectives = 0;
                    collective();
                    if (step == imageStep && step > 0) {
                        takeImage();
                    }
                    step++;
                    collectives = 0;
                    return step;
                }
            };
        }

        @Override
        public boolean nextStep() {
            throw new UnsupportedOperationException("nextStep");
        }

        @Override
        public void parameter(String name, String value) {
            // it goes back within one run
        }

        @Override
        public void distribution(String name, Distribution distribution) {
            // it has as many ranks in all of it
        }

        @Override
        public void onCommit(Consumer<Generation> action) {
            throw new UnsupportedOperationException("onCommit");
        }

        @Override
        public void checkpoint() {
            throw new UnsupportedOperationException("checkpoint");
        }

        @Override
        public long step() {
            return step;
        }

        @Override
        public void gsync() {
            collective();
        }

        @Override
        public void barrier() {
            collective();
        }

        @Override
        public void broadcast(MemorySegment data, int root) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void allGather(MemorySegment source, MemorySegment destination) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void allReduce(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination) {
            contribution = source;
            collective();
            long[] result = new long[(int) (source.byteSize() / 8)];
            for (int i = 0; i < result.length; i++) {
                result[i] = jobs[0].contribution.getAtIndex(ValueLayout.JAVA_LONG, i);
                for (int r = 1; r < ranks; r++) {
                    result[i] = op.apply(type, result[i], jobs[r].contribution.getAtIndex(ValueLayout.JAVA_LONG, i));
                }
            }
            collectives--;
            collective();
            destination.copyFrom(MemorySegment.ofArray(result));
        }

        @Override
        public double allReduce(AtomicOp op, double value) {
            return Double.longBitsToDouble(one(op, DataType.FLOAT64, Double.doubleToRawLongBits(value)));
        }

        @Override
        public long allReduce(AtomicOp op, long value) {
            return one(op, DataType.INT64, value);
        }

        private long one(AtomicOp op, DataType type, long bits) {
            MemorySegment cell = Arena.ofAuto().allocate(8, 8);
            cell.set(ValueLayout.JAVA_LONG, 0, bits);
            allReduce(op, type, cell, cell);
            return cell.get(ValueLayout.JAVA_LONG, 0);
        }

        @Override
        public Counters counters() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Window allocateUnequal(String name, long bytes, WindowKind kind) {
            throw new UnsupportedOperationException("the transform has the same on each rank");
        }

        @Override
        public int[] split(int color, int key) {
            throw new UnsupportedOperationException("the transform has no teams");
        }

        @Override
        public org.ftrma.Team team(String name, int color, int key) {
            throw new UnsupportedOperationException("the transform has no teams");
        }

        @Override
        public org.ftrma.Channel messages() {
            throw new UnsupportedOperationException("the transform sends no messages");
        }

        @Override
        public void progress() {
        }

        @Override
        public long nondeterministic(LongSupplier supplier) {
            return supplier.getAsLong();
        }

        private void put(String key, Object value) {
            synchronized (reported) {
                reported.put(key, value);
            }
        }

        @Override
        public void report(String key, String value) {
            put(key, value);
        }

        @Override
        public void report(String key, double value) {
            put(key, value);
        }

        @Override
        public void report(String key, long value) {
            put(key, value);
        }

        @Override
        public void report(String key, boolean value) {
            put(key, value);
        }
    }

    private static final class LocalRotating implements RotatingSegment {
        private final MemorySegment[] buffers = new MemorySegment[2];
        private int turn;

        LocalRotating(long bytes) {
            buffers[0] = Arena.ofAuto().allocate(bytes, 64);
            buffers[1] = Arena.ofAuto().allocate(bytes, 64);
        }

        @Override
        public MemorySegment current() {
            return buffers[turn];
        }

        @Override
        public MemorySegment next() {
            return buffers[1 - turn];
        }

        @Override
        public void advance() {
            turn = 1 - turn;
        }
    }
}
