package org.ftrma.launch.programs;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import org.ftrma.AtomicOp;
import org.ftrma.Comparison;
import org.ftrma.DataType;
import org.ftrma.Ftrma;
import org.ftrma.Job;
import org.ftrma.LockType;
import org.ftrma.Window;

/**
 * Rank 0 makes accesses to rank 1 in rounds, and reports what bytes each kind allocates on its data thread, per access,
 * in the round with the fewest: early ones are not compiled yet. Arguments: the kinds.
 */
public final class Accesses {
    private static final int MOST_ROUNDS = 60;
    private static final int ACCESSES = 500;
    private static final double[] ARRAY = new double[12];

    private Accesses() {
    }

    public static void main(String[] args) {
        Ftrma.run(args, job -> run(job, args));
    }

    private static void run(Job job, String[] kinds) {
        Window window = job.allocateWindow("accesses", 4096);
        for (long step : job.steps(kinds.length)) {
            String kind = kinds[(int) step - 1];
            if (job.rank() == 0) {
                try (Arena arena = Arena.ofConfined()) {
                    MemorySegment source = arena.allocate(4096, 8);
                    MemorySegment result = arena.allocate(4096, 8);
                    measure(job, window, kind, kind.endsWith("Strided") ? strided(window, kind, source, result)
                        : kind.equals("stagedPut") ? () -> stagedPut(job, window)
                        : plain(window, kind, source, result));
                }
            }
            job.gsync();
        }
    }

    private static Runnable plain(Window window, String kind, MemorySegment source, MemorySegment result) {
        AtomicOp op = AtomicOp.SUM;
        DataType type = DataType.INT64;
        return switch (kind) {
            case "put" -> () -> window.put(source, 0, 1, 0, 96);
            case "get" -> () -> window.get(result, 0, 1, 0, 96);
            case "putLong" -> () -> window.putLong(7, 1, 8);
            case "getLong" -> () -> window.getLong(1, 8);
            case "putInt" -> () -> window.putInt(7, 1, 8);
            case "getInt" -> () -> window.getInt(1, 8);
            case "putArray" -> () -> window.put(ARRAY, 1, 16);
            case "getArray" -> () -> window.get(ARRAY, 1, 16);
            case "putSignal" -> () -> window.putSignal(source, 0, 1, 64, 96, AtomicOp.SUM, 1, 8);
            case "waitUntil" -> () -> window.waitUntil(0, Comparison.EQ, 0);
            case "test" -> () -> window.test(0, Comparison.NE, 0);
            case "accumulateLong" -> () -> window.accumulate(op, 3L, 1, 0);
            case "accumulate" -> () -> window.accumulate(op, type, source, 0, 1, 0, 3);
            case "getAccumulate" -> () -> window.getAccumulate(op, type, source, 0, result, 0, 1, 0, 3);
            case "fetchAndOp" -> () -> window.fetchAndOp(op, type, 1, 1, 0);
            case "compareAndSwap" -> () -> window.compareAndSwap(type, 0, 1, 1, 0);
            case "rput" -> () -> window.rput(source, 0, 1, 0, 96).await();
            case "rget" -> () -> window.rget(result, 0, 1, 0, 96).await();
            case "shared" -> () -> window.shared(1, 0, 96);
            case "exclusiveLock" -> () -> putUnder(LockType.EXCLUSIVE, window);
            case "sharedLock" -> () -> putUnder(LockType.SHARED, window);
            default -> throw new IllegalArgumentException(kind + ": no such kind");
        };
    }

    private static void stagedPut(Job job, Window window) {
        MemorySegment source = window.stage(1, window.bytes());
        source.set(ValueLayout.JAVA_LONG, 8, 5);
        window.put(source, 0, 1, 0, window.bytes());
        job.progress();
    }

    private static void putUnder(LockType lock, Window window) {
        window.lock(lock, 1);
        window.putLong(7, 1, 16);
        window.unlock(1);
    }

    private static Runnable strided(Window window, String kind, MemorySegment source, MemorySegment result) {
        AtomicOp op = AtomicOp.SUM;
        DataType type = DataType.INT64;
        return switch (kind) {
            case "putStrided" -> () -> window.putStrided(source, 0, 64, 1, 0, 128, 24, 2);
            case "getStrided" -> () -> window.getStrided(result, 0, 64, 1, 0, 128, 24, 2);
            case "accumulateStrided" -> () -> window.accumulateStrided(op, type, source, 0, 64, 1, 0, 128, 1, 2);
            case "getAccumulateStrided" -> () -> window.getAccumulateStrided(op, type, source, 0, 64, result, 0, 64, 1,
                0, 128, 1, 2);
            case "rputStrided" -> () -> window.rputStrided(source, 0, 64, 1, 0, 128, 24, 2).await();
            case "rgetStrided" -> () -> window.rgetStrided(result, 0, 64, 1, 0, 128, 24, 2).await();
            case "raccumulateStrided" -> () -> window.raccumulateStrided(op, type, source, 0, 64, 1, 0, 128, 1, 2)
                .await();
            case "rgetAccumulateStrided" -> () -> window.rgetAccumulateStrided(op, type, source, 0, 64, result, 0, 64,
                1, 0, 128, 1, 2).await();
            default -> throw new IllegalArgumentException(kind + ": no such kind");
        };
    }

    private static void measure(Job job, Window window, String kind, Runnable access) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        for (int round = 0; round < MOST_ROUNDS && least > 0; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < ACCESSES; i++) {
                access.run();
                window.flush(1);
            }
            least = Math.min(least, (threads.getCurrentThreadAllocatedBytes() - before) / ACCESSES);
        }
        job.report(kind, least);
    }
}
