package org.ftrma.testkit.programs;

import static org.ftrma.testkit.programs.Mixer.LONG;
import static org.ftrma.testkit.programs.Mixer.mix;

import java.lang.foreign.MemorySegment;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.Job;
import org.ftrma.LockType;
import org.ftrma.Window;

/** Atomics and flush under a shared lock of all ranks that is held over all steps. */
final class AtomicsProgram implements SimProgram {
    private final long steps;

    AtomicsProgram(long steps) {
        this.steps = steps;
    }

    @Override
    public String name() {
        return "atomics";
    }

    @Override
    public void run(Job job, Results results) {
        Window cells = job.allocateWindow("cells", 8 * 8L + 3);
        MemorySegment one = job.protect("operand", 16);
        job.initialize(cells::lockAll);
        for (long step : job.steps(steps)) {
            int right = (job.rank() + 1) % job.ranks();
            cells.fetchAndOp(AtomicOp.SUM, DataType.INT64, mix(job.rank(), step), right, 0);
            cells.fetchAndOp(AtomicOp.SUM, DataType.INT32, step, right, 12);
            one.set(LONG, 0, Double.doubleToRawLongBits(job.rank() + 0.5));
            one.set(LONG, 8, Double.doubleToRawLongBits(step));
            cells.accumulate(AtomicOp.SUM, DataType.FLOAT64, one, 0, (int) (step % job.ranks()), 16, 2);
            cells.flush((int) (step % job.ranks()));
            long wanted = mix(job.rank(), step, 1) >>> 1;
            long old = cells.getLong(0, 32);
            while (old < wanted) {
                long found = cells.compareAndSwap(DataType.INT64, old, wanted, 0, 32);
                if (found == old) {
                    break;
                }
                old = found;
            }
            one.set(LONG, 0, mix(step, job.rank(), 2));
            cells.accumulate(AtomicOp.BXOR, DataType.INT64, one, 0, right, 40, 1);
            // its left neighbour's alone: the order counts
            cells.fetchAndOp(AtomicOp.SUM, DataType.FLOAT32, Float.floatToRawIntBits(step + 0.1f), right, 48);
            cells.fetchAndOp(AtomicOp.PROD, DataType.FLOAT32, Float.floatToRawIntBits(0.75f), right, 48);
            cells.accumulate(AtomicOp.LXOR, DataType.INT32, step & 1, right, 52);
            // three elements of one word, and one whose word ends behind the window
            cells.fetchAndOp(AtomicOp.SUM, DataType.INT8, mix(job.rank(), step, 3), right, 57);
            cells.fetchAndOp(AtomicOp.BXOR, DataType.INT8, mix(job.rank(), step, 4), (int) (step % job.ranks()), 56);
            cells.accumulate(AtomicOp.SUM, DataType.INT16, mix(job.rank(), step, 5), 0, 58);
            cells.accumulate(AtomicOp.PROD, DataType.INT8, 2 * step + 1, right, 66);
        }
        cells.unlockAll();
        job.gsync();
        // Only an intact lock word lets everybody in, one after the other.
        int next = (job.rank() + 1) % job.ranks();
        cells.lock(LockType.EXCLUSIVE, next);
        cells.putLong(cells.getLong(next, 0) + job.rank(), next, 0);
        cells.unlock(next);
        job.gsync();
        results.store("cells", cells.memory());
    }
}
