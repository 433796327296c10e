package org.ftrma.testkit.programs;

import static org.ftrma.testkit.programs.Mixer.LONG;
import static org.ftrma.testkit.programs.Mixer.mix;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.ftrma.Job;
import org.ftrma.Request;
import org.ftrma.RotatingSegment;
import org.ftrma.Window;
import org.ftrma.WindowKind;

/** State that is double-buffered by the program, advanced in some steps only, and fed by gets from a neighbour. */
final class RotatingProgram implements SimProgram {
    private final long steps;

    RotatingProgram(long steps) {
        this.steps = steps;
    }

    @Override
    public String name() {
        return "rotating";
    }

    @Override
    public void run(Job job, Results results) {
        int cells = 4;
        RotatingSegment state = job.protectRotating("state", cells * 8L);
        RotatingSegment rare = job.protectRotating("rare", 8);
        Window shown = job.allocateWindow("shown", cells * 8L, WindowKind.SCRATCH);
        int right = (job.rank() + 1) % job.ranks();
        job.initialize(() -> {
            for (int i = 0; i < cells; i++) {
                state.next().setAtIndex(LONG, i, mix(job.rank(), i, 3));
            }
            state.advance();
        });
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment got = arena.allocate(cells * 8L, 8);
            for (long step : job.steps(steps)) {
                shown.memory().copyFrom(state.current());
                job.gsync();
                Request request = shown.rget(got, 0, right, 0, cells * 8L);
                request.await();
                job.gsync();
                for (int i = 0; i < cells; i++) {
                    state.next().setAtIndex(LONG, i, mix(state.current().getAtIndex(LONG, i), got.getAtIndex(LONG, i),
                        step));
                }
                state.advance();
                if (step % 3 == 0) {
                    rare.next().set(LONG, 0, mix(rare.current().get(LONG, 0), step));
                    rare.advance();
                }
            }
        }
        results.store("state", state.current());
        results.store("rare", rare.current());
    }
}
