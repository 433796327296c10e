package org.ftrma.launch.programs;

import org.ftrma.Ftrma;

/** Rank 1 allocates a window more than the others, or with the argument "less" one less. */
public final class OneMore {
    private OneMore() {
    }

    public static void main(String[] args) {
        boolean less = args.length > 0;
        Ftrma.run(args, job -> {
            job.allocateWindow("a", 64);
            if (job.rank() == 1 != less) {
                job.allocateWindow("b", 64);
            }
            for (long step : job.steps(3)) {
                job.gsync();
            }
        });
    }
}
