package org.ftrma.launch.programs;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.Ftrma;
import org.ftrma.Job;
import org.ftrma.Team;

/**
 * All ranks call collectives of a team in rounds, and rank 0 reports what bytes each kind allocates on its data
 * thread, per call, in the round with the fewest: early ones are not compiled yet. Arguments: the kinds.
 */
public final class TeamCalls {
    private static final int ROUNDS = 40;
    private static final int CALLS = 500;

    private TeamCalls() {
    }

    public static void main(String[] args) {
        Ftrma.run(args, job -> run(job, args));
    }

    private static void run(Job job, String[] kinds) {
        Team team = job.team(0, 0);
        for (long step : job.steps(kinds.length)) {
            String kind = kinds[(int) step - 1];
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment one = arena.allocate(64, 8);
                MemorySegment all = arena.allocate(64L * team.size(), 8);
                measure(job, kind, call(team, kind, one, all));
            }
        }
    }

    private static Runnable call(Team team, String kind, MemorySegment one, MemorySegment all) {
        AtomicOp op = AtomicOp.MAX;
        DataType type = DataType.INT64;
        MemorySegment result = all.asSlice(0, one.byteSize());
        long[] offsets = new long[team.size()];
        long[] bytes = new long[team.size()];
        for (int i = 0; i < team.size(); i++) {
            offsets[i] = i * one.byteSize();
            bytes[i] = one.byteSize();
        }
        long[] zeros = new long[team.size()];
        return switch (kind) {
            case "barrier" -> team::barrier;
            case "gsync" -> team::gsync;
            case "broadcast" -> () -> team.broadcast(one, 0);
            case "reduce" -> () -> team.reduce(op, type, one, result, 0);
            case "allReduce" -> () -> team.allReduce(op, type, one, result);
            case "allReduceOne" -> () -> team.allReduce(op, 1.5);
            case "scan" -> () -> team.scan(op, type, one, result);
            case "exclusiveScan" -> () -> team.exclusiveScan(op, type, one, result);
            case "gather" -> () -> team.gather(one, all, 0);
            case "scatter" -> () -> team.scatter(all, one, 0);
            case "allGather" -> () -> team.allGather(one, all);
            case "allGatherV" -> () -> team.allGather(one, all, offsets, bytes);
            case "allToAll" -> () -> team.allToAll(all, all);
            case "allToAllV" -> () -> team.allToAll(one, zeros, bytes, all, offsets, bytes);
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
