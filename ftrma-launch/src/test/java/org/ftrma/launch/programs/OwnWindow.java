package org.ftrma.launch.programs;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.Ftrma;
import org.ftrma.Job;
import org.ftrma.LockType;
import org.ftrma.Window;
import org.ftrma.WindowKind;

/**
 * Three ranks that use their own windows in every way, without races, under locks of other windows and of other ranks.
 * What each of them sees must not depend on a kill. Argument: the number of steps.
 */
public final class OwnWindow {
    private static final int RESET = 0;
    private static final int COUNTED = 8;
    private static final int FLAG = 16;
    private static final int GUARDED = 24;
    private static final int SHARED = 32;
    private static final int ADDITIONS = 200;

    private final Job job;
    private final int me;
    private final int right;
    private final Window w;
    private final Window v;
    private final Window scratch;
    private final MemorySegment seen;
    private final MemorySegment got;

    private OwnWindow(Job job) {
        this.job = job;
        this.me = job.rank();
        this.right = (me + 1) % job.ranks();
        this.w = job.allocateWindow("w", 64);
        this.v = job.allocateWindow("v", 64);
        this.scratch = job.allocateWindow("scratch", 16, WindowKind.SCRATCH);
        this.seen = job.protect("seen", 8);
        this.got = job.protect("got", 8);
    }

    public static void main(String[] args) {
        Ftrma.run(args, job -> new OwnWindow(job).run(Long.parseLong(args[0])));
    }

    private void run(long steps) {
        for (long step : job.steps(steps)) {
            if (step > 1) {
                v.flush(right); // the get of the step before
                see(got.get(JAVA_LONG, 0));
            }
            reset();
            directly(step);
            guarded(step, w, v, 0, 0);
            guarded(step, w, w, 2, 0);
            counted(step);
            replaced(step);
            job.gsync();
            v.get(got, 0, right, COUNTED, 8); // nobody else changes it
        }
        v.flush(right);
        job.gsync();
        job.report("seen." + me, seen.get(JAVA_LONG, 0));
        for (Window window : new Window[] {w, v}) {
            for (int cell = 0; cell < 5; cell++) {
                job.report(window.name() + "." + me + "." + cell, window.memory().getAtIndex(JAVA_LONG, cell));
            }
        }
    }

    private void see(long value) {
        seen.set(JAVA_LONG, 0, seen.get(JAVA_LONG, 0) * 31 + value);
    }

    /** A cell that nobody else uses: 0, 1, 0. */
    private void reset() {
        w.putLong(0, me, RESET);
        w.flush(me);
        see(w.fetchAndOp(AtomicOp.SUM, DataType.INT64, 1, me, RESET));
        w.flush(me);
        w.putLong(0, me, RESET);
        w.flush(me);
    }

    /** An atomic update that is read directly, and put on to the neighbour from there. */
    private void directly(long step) {
        w.lock(LockType.EXCLUSIVE, me);
        w.fetchAndOp(AtomicOp.SUM, DataType.INT64, step, me, COUNTED);
        w.flush(me);
        see(w.memory().get(JAVA_LONG, COUNTED));
        v.put(w.memory(), COUNTED, right, COUNTED, 8);
        v.flush(right);
        w.unlock(me);
    }

    /**
     * Rank 1 changes bytes of {@code reader} under the lock of another window, or at another rank; the reader reads
     * them directly.
     */
    private void guarded(long step, Window lock, Window data, int home, int reader) {
        int flag = FLAG + 8 * (home == reader ? 0 : 4);
        if (me == 1) {
            lock.lock(LockType.EXCLUSIVE, home);
            data.fetchAndOp(AtomicOp.SUM, DataType.INT64, step * 7, reader, GUARDED);
            lock.putLong(step, reader, flag);
            lock.flush(reader);
            lock.unlock(home);
        }
        for (boolean there = me != reader; !there; Thread.yield()) {
            lock.lock(LockType.EXCLUSIVE, home);
            there = lock.memory().get(JAVA_LONG, flag) == step;
            if (there) {
                see(data.memory().get(JAVA_LONG, GUARDED));
            }
            lock.unlock(home);
        }
    }

    /** All add to one counter, while its home takes a lock that has nothing to do with it. */
    private void counted(long step) {
        for (int i = 0; i < ADDITIONS; i++) {
            v.fetchAndOp(AtomicOp.SUM, DataType.INT64, step + me, 0, SHARED);
            if (i % 50 == 0) {
                v.lock(LockType.EXCLUSIVE, me);
                v.unlock(me);
            }
        }
    }

    /** A cell that was not defined in this step before. */
    private void replaced(long step) {
        scratch.fetchAndOp(AtomicOp.REPLACE, DataType.INT64, step % 3, right, 0);
        scratch.flush(right);
        scratch.fetchAndOp(AtomicOp.SUM, DataType.INT64, me, right, 0);
        job.gsync();
        see(scratch.memory().get(JAVA_LONG, 0));
    }
}
