package org.ftrma.testkit.programs;

import static org.ftrma.testkit.programs.Mixer.LONG;
import static org.ftrma.testkit.programs.Mixer.mix;

import org.ftrma.Job;
import org.ftrma.Window;
import org.ftrma.WindowKind;

/**
 * A ring of cells: borders go into a scratch window by put, gsync, new cells are computed; one block goes by strided
 * put.
 */
final class HaloProgram implements SimProgram {
    private final long steps;

    HaloProgram(long steps) {
        this.steps = steps;
    }

    @Override
    public String name() {
        return "halo";
    }

    @Override
    public void run(Job job, Results results) {
        int cells = 6;
        Window state = job.allocateWindow("cells", cells * 8L);
        Window borders = job.allocateWindow("borders", 4 * 8L, WindowKind.SCRATCH);
        int left = (job.rank() + job.ranks() - 1) % job.ranks();
        int right = (job.rank() + 1) % job.ranks();
        job.initialize(() -> {
            for (int i = 0; i < cells; i++) {
                state.memory().setAtIndex(LONG, i, mix(job.rank(), i));
            }
        });
        for (long step : job.steps(steps)) {
            borders.put(state.memory(), 0, left, 8, 8);
            borders.put(state.memory(), (cells - 1) * 8L, right, 0, 8);
            borders.putStrided(state.memory(), 0, 16, right, 16, 8, 8, 2);
            job.gsync();
            long before = borders.memory().getAtIndex(LONG, 0) ^ borders.memory().getAtIndex(LONG, 3);
            for (int i = 0; i < cells; i++) {
                long after = i == cells - 1 ? borders.memory().getAtIndex(LONG, 1)
                    : state.memory().getAtIndex(LONG, i + 1);
                long own = state.memory().getAtIndex(LONG, i);
                state.memory().setAtIndex(LONG, i, mix(before, own, after) + step);
                before = own;
            }
            job.gsync();
        }
        results.store("cells", state.memory());
    }
}
