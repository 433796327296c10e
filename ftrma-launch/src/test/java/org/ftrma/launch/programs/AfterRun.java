package org.ftrma.launch.programs;

import java.util.concurrent.locks.LockSupport;
import org.ftrma.Ftrma;

/**
 * What a program does after {@link Ftrma#run} has returned. Arguments: throw - R, again - R (a second job), exit N R,
 * wait - R (for ever), nothing - R; R: the rank that does it, or all.
 */
public final class AfterRun {
    private AfterRun() {
    }

    public static void main(String[] args) {
        int[] rank = {0};
        Ftrma.run(args, job -> {
            rank[0] = job.rank();
            for (long step : job.steps(20)) {
                job.barrier();
            }
            job.report("phase", 1);
        });
        if (!args[2].equals("all") && rank[0] != Integer.parseInt(args[2])) {
            return;
        }
        switch (args[0]) {
            case "throw" -> throw new IllegalStateException("the result cannot be written");
            case "exit" -> System.exit(Integer.parseInt(args[1]));
            case "again" -> Ftrma.run(args, job -> job.report("phase", 2));
            case "wait" -> {
                while (true) {
                    LockSupport.park();
                }
            }
            default -> System.out.println("rank " + rank[0] + " is done");
        }
    }
}
