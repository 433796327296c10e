package org.ftrma.junit;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ftrma.Ftrma;
import org.ftrma.Job;
import org.ftrma.LongCell;
import org.ftrma.Window;

/**
 * A program that keeps a sum where it is asked to: each rank puts it into the next rank's window, and adds what it got.
 */
public final class Ring {
    /** Where the sum is between two steps. */
    enum Memory { PROTECTED, LOCAL_VARIABLE, STATIC_VARIABLE }

    private static final int STEPS = 6;
    private static long staticSum;

    private Ring() {
    }

    public static void main(String[] args) {
        Memory memory = Memory.valueOf(args[0]);
        Ftrma.run(args, job -> run(job, memory));
    }

    static void run(Job job, Memory memory) {
        Window window = job.allocateWindow("from-before", Long.BYTES);
        LongCell cell = job.protectLong("sum");
        long local = 0;
        int next = (job.rank() + 1) % job.ranks();
        for (long step : job.steps(STEPS)) {
            long sum = switch (memory) {
                case PROTECTED -> cell.get();
                case LOCAL_VARIABLE -> local;
                case STATIC_VARIABLE -> staticSum;
            };
            window.putLong(31 * sum + job.rank() + step, next, 0);
            job.gsync();
            sum += window.memory().get(ValueLayout.JAVA_LONG, 0);
            job.gsync();
            switch (memory) {
                case PROTECTED -> cell.set(sum);
                case LOCAL_VARIABLE -> local = sum;
                case STATIC_VARIABLE -> staticSum = sum;
            }
        }
    }

    /** A race: the rank that comes last wins. */
    static void race(Job job) {
        Window window = job.allocateWindow("last", Long.BYTES);
        MemorySegment mine = job.protect("mine", Long.BYTES);
        for (long step : job.steps(STEPS)) {
            mine.set(ValueLayout.JAVA_LONG, 0, job.rank() + 10 * step);
            window.put(mine, 0, 0);
            job.gsync();
        }
    }

    /** Keeps what the clock said in step 2. */
    static void clock(Job job) {
        LongCell now = job.protectLong("now");
        for (long step : job.steps(STEPS)) {
            now.set(step < 2 ? 0 : step == 2 && job.rank() == 0 ? System.nanoTime() : now.get());
            job.gsync();
        }
    }
}
