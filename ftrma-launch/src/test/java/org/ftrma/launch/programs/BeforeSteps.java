package org.ftrma.launch.programs;

import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.Ftrma;
import org.ftrma.LockType;
import org.ftrma.Window;

/**
 * Makes an access, a lock or a collective between the allocation and the loop, outside of initialize. Argument: put,
 * counter, lock, reduce or gsync; or initialize: a put and a gsync inside of it.
 */
public final class BeforeSteps {
    private BeforeSteps() {
    }

    public static void main(String[] args) {
        Ftrma.run(args, job -> {
            Window w = job.allocateWindow("w", 64);
            switch (args[0]) {
                case "put" -> {
                    if (job.rank() == 1) {
                        w.putLong(1000, 0, 0);
                        w.flush(0);
                    }
                }
                case "counter" -> w.fetchAndOp(AtomicOp.SUM, DataType.INT64, 500, 0, 0);
                case "lock" -> w.lock(LockType.SHARED, 0);
                case "reduce" -> job.allReduce(AtomicOp.SUM, 1L);
                case "gsync" -> job.gsync();
                default -> job.initialize(() -> {
                    if (job.rank() == 1) {
                        w.putLong(1000, 0, 0);
                    }
                    job.gsync();
                });
            }
            for (long step : job.steps(20)) {
                if (job.rank() == 1) {
                    w.fetchAndOp(AtomicOp.SUM, DataType.INT64, 1, 0, 0);
                }
                job.gsync();
            }
            job.report("value", w.getLong(0, 0));
        });
    }
}
