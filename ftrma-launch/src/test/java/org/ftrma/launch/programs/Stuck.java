package org.ftrma.launch.programs;

import java.lang.foreign.ValueLayout;
import org.ftrma.Ftrma;
import org.ftrma.Job;
import org.ftrma.Window;

/** In step 7 rank 1 (its first process: {@code once}; {@code all}: all ranks) computes and does not end. */
public final class Stuck {
    private static final int STEPS = 12;
    private static volatile long spun;

    private Stuck() {
    }

    public static void main(String[] args) {
        Ftrma.run(args, job -> {
            Window w = job.allocateWindow("w", Long.BYTES);
            for (long step : job.steps(STEPS)) {
                long next = w.memory().get(ValueLayout.JAVA_LONG, 0) + step;
                job.gsync(); // nobody puts before all have read
                w.putLong(next, (job.rank() + 1) % job.ranks(), 0);
                if (step == 7) {
                    computeWhatNeverEnds(job, args[0].equals("once"));
                }
                job.gsync();
            }
            job.report("verified", w.memory().get(ValueLayout.JAVA_LONG, 0) == STEPS * (STEPS + 1) / 2);
        });
    }

    private static void computeWhatNeverEnds(Job job, boolean isOnce) {
        while (!isOnce || job.rank() == 1 && job.incarnation() == 0) {
            spun++;
        }
    }
}
