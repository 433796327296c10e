package org.ftrma.testkit;

import org.ftrma.LongCell;
import org.junit.jupiter.api.Test;

/** A protected number is read where it is there: not by a process that has not restored it yet. */
class EarlyReadsTest {
    @Test
    void aReadBeforeTheFirstStepIsRefused() {
        MisuseInJobsTest.refused(job -> {
            LongCell cell = job.protectLong("sum");
            long sum = cell.get();
            for (long step : job.steps(2)) {
                cell.set(sum + step);
            }
        }, "protectLong sum: is read before the first step, outside of initialize");
        MisuseInJobsTest.refused(job -> {
            LongCell cell = job.protectLong("sum");
            job.initialize(() -> cell.set(1));
            cell.add(1);
            while (job.nextStep()) {
                break;
            }
        }, "protectLong sum: is read before the first step, outside of initialize");
    }

    @Test
    void inInitializeInTheLoopAndAfterItIsRead() {
        MisuseInJobsTest.accepted(job -> {
            LongCell cell = job.protectLong("sum");
            job.initialize(() -> cell.add(1));
            for (long step : job.steps(2)) {
                cell.add(step);
            }
            if (cell.get() != 4) {
                throw new IllegalStateException("sum=" + cell);
            }
        });
    }
}
