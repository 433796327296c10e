package org.ftrma.testkit.programs;

import static org.ftrma.testkit.programs.Mixer.LONG;
import static org.ftrma.testkit.programs.Mixer.mix;

import java.lang.foreign.MemorySegment;
import org.ftrma.Job;
import org.ftrma.RotatingSegment;
import org.ftrma.Window;

/**
 * State of several blocks of which a step changes few, others at each rank: what is skipped as unchanged must be
 * unchanged everywhere.
 */
final class SparseProgram implements SimProgram {
    private static final long BLOCK = 4096;
    private static final int BLOCKS = 6;

    private final long steps;

    SparseProgram(long steps) {
        this.steps = steps;
    }

    @Override
    public String name() {
        return "sparse";
    }

    @Override
    public void run(Job job, Results results) {
        Window wide = job.allocateWindow("wide", BLOCKS * BLOCK);
        MemorySegment local = job.protect("local", 3 * BLOCK);
        RotatingSegment rare = job.protectRotating("rare", 2 * BLOCK);
        job.initialize(() -> {
            wide.memory().set(LONG, 5 * BLOCK, mix(job.rank(), 7));
            local.set(LONG, BLOCK, job.rank());
            job.gsync();
        });
        for (long step : job.steps(steps)) {
            int right = (job.rank() + 1) % job.ranks();
            long block = Math.floorMod(mix(job.rank(), step), BLOCKS);
            wide.putLong(mix(job.rank(), step, block), right, block * BLOCK + step % 16 * 8);
            job.gsync();
            if (step % 2 == job.rank() % 2) {
                local.set(LONG, step % 3 * BLOCK + 16, mix(local.get(LONG, step % 3 * BLOCK + 16), step));
            }
            if (step == 2 || step == 5) {
                rare.next().copyFrom(rare.current());
                rare.next().set(LONG, BLOCK + 8, mix(job.rank(), step));
                rare.advance();
            }
            job.gsync();
        }
        results.store("wide", wide.memory());
        results.store("local", local);
        results.store("rare", rare.current());
    }
}
