package org.ftrma.testkit.programs;

import static org.ftrma.testkit.programs.Mixer.LONG;
import static org.ftrma.testkit.programs.Mixer.mix;

import java.lang.foreign.MemorySegment;
import java.util.random.RandomGenerator;
import org.ftrma.AtomicOp;
import org.ftrma.DoubleCell;
import org.ftrma.Job;
import org.ftrma.LongCell;
import org.ftrma.RecordCell;
import org.ftrma.Window;

/**
 * A loop of which nobody knows ahead how many steps it takes: each rank goes on by a number that it makes of what its
 * neighbour has put, until the sum of what all have drawn is large enough. About so many steps as are asked for. Its
 * state is in protected cells and a generator of random numbers.
 */
public final class ConvergeProgram implements SimProgram {
    private final long steps;

    /** What a rank knows of its last step. */
    private record Last(long seen, boolean isEven, byte count, double share) {
        long hash() {
            return mix(seen, isEven ? 1 : 2, mix(count, Double.doubleToRawLongBits(share)));
        }
    }

    ConvergeProgram(long steps) {
        this.steps = steps;
    }

    @Override
    public String name() {
        return "converge";
    }

    @Override
    public void run(Job job, Results results) {
        Window cells = job.allocateWindow("cells", 16);
        MemorySegment state = job.protect("state", 8);
        LongCell sum = job.protectLong("sum");
        DoubleCell share = job.protectDouble("share");
        RecordCell<Last> last = job.protect("last", Last.class);
        RandomGenerator random = job.random(17);
        job.initialize(() -> state.set(LONG, 0, mix(job.rank(), random.nextLong())));
        int right = (job.rank() + 1) % job.ranks();
        while (job.nextStep()) {
            cells.putLong(mix(state.get(LONG, 0), job.step()), right, 0);
            job.gsync();
            long seen = mix(state.get(LONG, 0), cells.memory().get(LONG, 0));
            state.set(LONG, 0, seen);
            sum.add(1 + random.nextInt(3));
            share.set(share.get() / 2 + random.nextDouble());
            Last before = last.get();
            last.set(new Last(seen, job.step() % 2 == 0, (byte) (before.count() + 1), share.get()));
            if (job.allReduce(AtomicOp.SUM, sum.get()) >= 2 * job.ranks() * steps) {
                break;
            }
        }
        job.gsync();
        state.set(LONG, 0, mix(mix(state.get(LONG, 0), sum.get(), Double.doubleToRawLongBits(share.get())),
            last.get().hash()));
        results.store("state", state);
        results.store("cells", cells.memory());
    }
}
