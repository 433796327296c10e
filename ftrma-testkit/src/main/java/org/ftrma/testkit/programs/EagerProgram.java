package org.ftrma.testkit.programs;

import static org.ftrma.testkit.programs.Mixer.LONG;
import static org.ftrma.testkit.programs.Mixer.mix;

import java.lang.foreign.MemorySegment;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.Job;
import org.ftrma.Window;

/**
 * Changes its neighbours at once after every step boundary, and leaves accesses unflushed at the end of every step
 * (design 6.2).
 */
final class EagerProgram implements SimProgram {
    private final long steps;

    EagerProgram(long steps) {
        this.steps = steps;
    }

    @Override
    public String name() {
        return "eager";
    }

    @Override
    public void run(Job job, Results results) {
        Window sums = job.allocateWindow("sums", 4 * 8L);
        Window notes = job.allocateWindow("notes", steps * 8L);
        MemorySegment operand = job.protect("operand", 24);
        int right = (job.rank() + 1) % job.ranks();
        int left = (job.rank() + job.ranks() - 1) % job.ranks();
        for (long step : job.steps(steps)) {
            operand.set(LONG, 0, mix(job.rank(), step));
            sums.accumulate(AtomicOp.SUM, DataType.INT64, operand, 0, right, 0, 1);
            sums.accumulate(AtomicOp.SUM, DataType.INT64, operand, 0, left, 8, 1);
            job.gsync();
            operand.set(LONG, 8, mix(sums.memory().get(LONG, 0), sums.memory().get(LONG, 8)));
            job.gsync();
            // Nothing completes these before the boundary: the cut has to.
            sums.accumulate(AtomicOp.SUM, DataType.INT64, operand, 8, right, 16, 1);
            notes.put(operand, 8, left, (step - 1) * 8, 8);
            operand.set(LONG, 16, step);
            sums.flushLocal(right);
            notes.flushLocal(left);
        }
        job.gsync();
        results.store("sums", sums.memory());
        results.store("notes", notes.memory());
    }
}
