package org.ftrma.testkit.programs;

import static org.ftrma.testkit.programs.Mixer.LONG;
import static org.ftrma.testkit.programs.Mixer.mix;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.ftrma.Job;
import org.ftrma.LockType;
import org.ftrma.Window;

/**
 * Counters at all ranks, read, changed and written under exclusive locks, and read under shared ones; no gsync inside
 * of the loop.
 */
final class LockProgram implements SimProgram {
    private final long steps;

    LockProgram(long steps) {
        this.steps = steps;
    }

    @Override
    public String name() {
        return "locks";
    }

    @Override
    public void run(Job job, Results results) {
        Window counters = job.allocateWindow("counters", 4 * 8L);
        MemorySegment seen = job.protect("seen", 8);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(8, 8);
            job.initialize(() -> {
                counters.putLong(1000, job.rank(), 24);
                job.gsync();
            });
            for (long step : job.steps(steps)) {
                for (int i = 0; i < 2; i++) {
                    int target = (int) ((job.rank() + i + step) % job.ranks());
                    counters.lock(LockType.EXCLUSIVE, target);
                    counters.get(buffer, 0, target, 8L * i, 8);
                    counters.flush(target);
                    buffer.set(LONG, 0, buffer.get(LONG, 0) + mix(job.rank(), step, i));
                    counters.put(buffer, 0, target, 8L * i, 8);
                    counters.unlock(target);
                }
                int target = (int) ((job.rank() + step) % job.ranks());
                counters.lock(LockType.SHARED, target);
                seen.set(LONG, 0, seen.get(LONG, 0) + counters.getLong(target, 24) + step);
                counters.unlock(target);
            }
        }
        job.gsync();
        results.store("counters", counters.memory());
        results.store("seen", seen);
    }
}
