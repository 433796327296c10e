package org.ftrma.launch.programs;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import org.ftrma.AtomicOp;
import org.ftrma.Channel;
import org.ftrma.DataType;
import org.ftrma.Ftrma;
import org.ftrma.Job;

/**
 * All ranks call collectives of their channel in rounds, and rank 0 reports what bytes each kind allocates on its data
 * thread, per call, in the round with the fewest: early ones are not compiled yet. Arguments: the kinds.
 */
public final class ChannelCalls {
    private static final int ROUNDS = 40;
    private static final int CALLS = 500;

    private ChannelCalls() {
    }

    public static void main(String[] args) {
        Ftrma.run(args, job -> run(job, args));
    }

    private static void run(Job job, String[] kinds) {
        Channel world = job.messages();
        for (long step : job.steps(kinds.length)) {
            String kind = kinds[(int) step - 1];
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment one = arena.allocate(64, 8);
                MemorySegment all = arena.allocate(64L * world.size(), 8);
                measure(job, kind, call(world, kind, one, all));
            }
        }
    }

    private static Runnable call(Channel world, String kind, MemorySegment one, MemorySegment all) {
        AtomicOp op = AtomicOp.MAX;
        DataType type = DataType.INT64;
        MemorySegment result = all.asSlice(0, one.byteSize());
        return switch (kind) {
            case "barrier" -> world::barrier;
            case "broadcast" -> () -> world.broadcast(one, 0);
            case "allReduce" -> () -> world.allReduce(op, type, one, result);
            case "allGather" -> () -> world.allGather(one, all);
            case "ibarrier" -> () -> world.ibarrier().await();
            case "ibroadcast" -> () -> world.ibroadcast(one, 0).await();
            case "ireduce" -> () -> world.ireduce(op, type, one, result, 0).await();
            case "iallReduce" -> () -> world.iallReduce(op, type, one, result).await();
            case "igather" -> () -> world.igather(one, all, 0).await();
            case "iallGather" -> () -> world.iallGather(one, all).await();
            case "iscatter" -> () -> world.iscatter(all, one, 0).await();
            case "iscan" -> () -> world.iscan(op, type, one, result).await();
            default -> throw new IllegalArgumentException(kind + ": no such kind");
        };
    }

    private static void measure(Job job, String kind, Runnable call) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < CALLS; i++) {
                call.run();
            }
            least = Math.min(least, (threads.getCurrentThreadAllocatedBytes() - before) / CALLS);
        }
        if (job.rank() == 0) {
            job.report(kind, least);
        }
    }
}
