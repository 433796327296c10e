package org.ftrma.testkit.programs;

import static org.ftrma.testkit.programs.Mixer.LONG;
import static org.ftrma.testkit.programs.Mixer.mix;

import java.lang.foreign.MemorySegment;
import org.ftrma.Job;
import org.ftrma.LockType;
import org.ftrma.Window;
import org.ftrma.WindowKind;

/**
 * Ranks read the parts of others in place, where that can be: all of the neighbour's, of which each rank has another
 * size, a piece of the own one, and under a lock a piece of a third rank's, which is changed under that lock only.
 */
final class ViewsProgram implements SimProgram {
    private static final int LEAST = 6;
    private static final long COUNTER = 8;
    private final long steps;

    ViewsProgram(long steps) {
        this.steps = steps;
    }

    @Override
    public String name() {
        return "views";
    }

    private static long longs(int rank) {
        return LEAST + 3L * rank;
    }

    @Override
    public void run(Job job, Results results) {
        int me = job.rank();
        int right = (me + 1) % job.ranks();
        int next = (me + 2) % job.ranks();
        Window parts = job.allocateUnequal("parts", longs(me) * Long.BYTES, WindowKind.PROTECTED);
        Window counters = job.allocateWindow("counters", 64);
        MemorySegment seen = job.protect("seen", 8);
        for (long step : job.steps(steps)) {
            for (long i = 0; i < longs(me); i++) {
                parts.memory().setAtIndex(LONG, i, mix(step, mix(me, i)) + seen.get(LONG, 0));
            }
            job.gsync();
            long sum = fold(seen.get(LONG, 0), parts.shared(right));
            MemorySegment two = parts.shared(next, 16, 24);
            MemorySegment again = parts.shared(next, 8, 24);
            sum = fold(fold(fold(sum, two), again), parts.shared(me, 8, 16));
            requireSame(parts.getLong(next, 24), two.getAtIndex(LONG, 1), again.getAtIndex(LONG, 2));
            job.gsync();
            counters.lock(LockType.EXCLUSIVE, right);
            MemorySegment counter = counters.shared(right, COUNTER, 8);
            long value = counter.get(LONG, 0) + step;
            counters.putLong(value, right, COUNTER);
            counters.unlock(right);
            seen.set(LONG, 0, mix(sum, value));
        }
        job.gsync();
        results.store("seen", seen);
        results.store("counters", counters.memory());
    }

    /** Two views, and a get of what they overlap in. */
    private static void requireSame(long got, long first, long second) {
        if (first != got || second != got) {
            throw new IllegalStateException("views show " + first + " and " + second + ", a get " + got);
        }
    }

    private static long fold(long sum, MemorySegment view) {
        long folded = mix(sum, view.byteSize());
        for (long i = 0; i < view.byteSize() / Long.BYTES; i++) {
            folded = mix(folded, view.getAtIndex(LONG, i));
        }
        return folded;
    }
}
