package org.ftrma.testkit.programs;

import static org.ftrma.testkit.programs.Mixer.LONG;
import static org.ftrma.testkit.programs.Mixer.mix;

import java.lang.foreign.MemorySegment;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.Job;
import org.ftrma.Window;

/**
 * One atomic update by each rank in every second step, which another rank undoes two steps later. In the steps between
 * homes take images: no later update by the same rank has said meanwhile how many there were.
 */
final class UpdatesProgram implements SimProgram {
    private final long steps;

    UpdatesProgram(long steps) {
        this.steps = steps;
    }

    @Override
    public String name() {
        return "updates";
    }

    @Override
    public void run(Job job, Results results) {
        Window cells = job.allocateWindow("cells", 8);
        MemorySegment seen = job.protect("seen", 8);
        int right = (job.rank() + 1) % job.ranks();
        int left = (job.rank() + job.ranks() - 1) % job.ranks();
        for (long step : job.steps(steps)) {
            long old = switch ((int) step % 4) {
                case 1 -> cells.fetchAndOp(AtomicOp.SUM, DataType.INT64, 1, right, 0);
                case 3 -> cells.compareAndSwap(DataType.INT64, 1, 0, left, 0);
                default -> 0;
            };
            seen.set(LONG, 0, mix(seen.get(LONG, 0), old));
            job.gsync();
        }
        results.store("cells", cells.memory());
        results.store("seen", seen);
    }
}
