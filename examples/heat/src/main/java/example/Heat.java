package example;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ftrma.AtomicOp;
import org.ftrma.Ftrma;
import org.ftrma.Job;
import org.ftrma.Window;

/** Heat in a ring of cells, of which each rank has so many. */
public final class Heat {
    private static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE;
    private static final double HEAT = 1000;

    private Heat() {
    }

    public static void main(String[] args) {
        int cells = Integer.parseInt(args[0]);
        long steps = Long.parseLong(args[1]);
        Ftrma.run(args, job -> run(job, cells, steps));
    }

    private static void run(Job job, int cells, long steps) {
        Window window = job.allocateWindow("u", 8L * (cells + 2));
        MemorySegment u = window.memory();
        double[] next = new double[cells + 2];
        int left = (job.rank() + job.ranks() - 1) % job.ranks();
        int right = (job.rank() + 1) % job.ranks();
        job.initialize(() -> {
            if (job.rank() == 0) {
                u.setAtIndex(DOUBLE, 1, HEAT);
            }
        });
        for (long step : job.steps(steps)) {
            window.putDouble(u.getAtIndex(DOUBLE, 1), left, 8L * (cells + 1));
            window.putDouble(u.getAtIndex(DOUBLE, cells), right, 0);
            job.gsync();
            for (int i = 1; i <= cells; i++) {
                double here = u.getAtIndex(DOUBLE, i);
                next[i] = here + 0.25 * (u.getAtIndex(DOUBLE, i - 1) - 2 * here + u.getAtIndex(DOUBLE, i + 1));
            }
            MemorySegment.copy(next, 1, u, DOUBLE, 8, cells);
            job.gsync();
        }
        double sum = 0;
        for (int i = 1; i <= cells; i++) {
            sum += u.getAtIndex(DOUBLE, i);
        }
        double total = job.allReduce(AtomicOp.SUM, sum);
        job.report("total", total);
        job.report("verified", Math.abs(total - HEAT) < 1e-9 * HEAT);
    }
}
