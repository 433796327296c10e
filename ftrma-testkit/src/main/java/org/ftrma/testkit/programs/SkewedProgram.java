package org.ftrma.testkit.programs;

import static org.ftrma.testkit.programs.Mixer.LONG;
import static org.ftrma.testkit.programs.Mixer.mix;

import java.lang.foreign.MemorySegment;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.Job;
import org.ftrma.Window;

/** Ranks of very different speed that meet only now and then, so that they are steps apart. */
final class SkewedProgram implements SimProgram {
    private final long steps;

    SkewedProgram(long steps) {
        this.steps = steps;
    }

    @Override
    public String name() {
        return "skewed";
    }

    @Override
    public void run(Job job, Results results) {
        Window sums = job.allocateWindow("sums", 2 * 8L);
        MemorySegment work = job.protect("work", 8);
        for (long step : job.steps(steps)) {
            long value = work.get(LONG, 0);
            for (int i = 0; i < job.rank() * 4; i++) {
                value = mix(value, sums.getLong(job.rank(), 8), i);
            }
            work.set(LONG, 0, mix(value, step));
            sums.fetchAndOp(AtomicOp.SUM, DataType.INT64, mix(value, step, 4),
                (int) ((job.rank() + step) % job.ranks()), 0);
            if (step % 3 == 0) {
                job.barrier();
            }
        }
        job.gsync();
        results.store("sums", sums.memory());
        results.store("work", work);
    }
}
