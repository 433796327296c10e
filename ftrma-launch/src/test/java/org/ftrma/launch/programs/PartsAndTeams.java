package org.ftrma.launch.programs;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.Ftrma;
import org.ftrma.Job;
import org.ftrma.Team;
import org.ftrma.Window;
import org.ftrma.WindowKind;

/**
 * Ranks have parts of different sizes, read those of others in place, and combine what they see in the teams of even
 * and of odd ranks, and of all. What each of them sees must not depend on a kill. Argument: the number of steps.
 */
public final class PartsAndTeams {
    private static final long PAIR = 16;

    private PartsAndTeams() {
    }

    public static void main(String[] args) {
        Ftrma.run(args, job -> run(job, Long.parseLong(args[0])));
    }

    private static long bytes(int rank) {
        return 4096L * (rank + 1) * (rank + 1) + 8 * rank;
    }

    private static void run(Job job, long steps) {
        int me = job.rank();
        int right = (me + 1) % job.ranks();
        Window parts = job.allocateUnequal("parts", bytes(me), WindowKind.PROTECTED);
        Team team = job.team("halves", me % 2, -me);
        Team all = job.team("all", 0, me);
        MemorySegment seen = job.protect("seen", 8);
        MemorySegment pairs = job.protect("pairs", 2 * PAIR);
        MemorySegment gathered = job.protect("gathered", 8L * job.ranks());
        for (long step : job.steps(steps)) {
            for (long i = 0; i < bytes(me) / Long.BYTES; i++) {
                parts.memory().setAtIndex(JAVA_LONG, i, 31 * step + i + seen.get(JAVA_LONG, 0));
            }
            all.gsync();
            long sum = sum(parts.shared(right)) + sum(parts.shared((me + 2) % job.ranks(), 8, 2048));
            pairs.set(JAVA_LONG, 0, sum);
            pairs.set(JAVA_LONG, 8, me);
            team.allReduce(AtomicOp.MAXLOC, DataType.INT64, pairs.asSlice(0, PAIR), pairs.asSlice(PAIR));
            all.gsync();
            parts.putLong(sum, right, 8 * (step % 64));
            all.gsync();
            MemorySegment mine = gathered.asSlice(8L * me, 8);
            mine.set(JAVA_LONG, 0, parts.memory().get(JAVA_LONG, 8 * (step % 64)));
            all.allGather(mine, gathered);
            long total = team.allReduce(AtomicOp.SUM, sum(gathered) + pairs.get(JAVA_LONG, PAIR));
            seen.set(JAVA_LONG, 0, 31 * total + pairs.get(JAVA_LONG, PAIR + 8));
        }
        job.report("seen." + me, seen.get(JAVA_LONG, 0));
        job.report("team." + me, team.position() + " of " + team.size());
    }

    private static long sum(MemorySegment view) {
        long sum = view.byteSize();
        for (long i = 0; i < view.byteSize() / Long.BYTES; i++) {
            sum = 31 * sum + view.getAtIndex(JAVA_LONG, i);
        }
        return sum;
    }
}
