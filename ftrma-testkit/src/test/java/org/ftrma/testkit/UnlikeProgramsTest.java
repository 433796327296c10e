package org.ftrma.testkit;

import static org.ftrma.testkit.MisuseInJobsTest.accepted;
import static org.ftrma.testkit.MisuseInJobsTest.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.ftrma.AtomicOp;
import org.ftrma.Window;
import org.ftrma.WindowKind;
import org.junit.jupiter.api.Test;

/** As {@link MisuseInJobsTest}, about ranks whose programs differ in allocations or steps, or end early. */
class UnlikeProgramsTest {
    @Test
    void allocationsThatDifferBetweenRanksAreFoundByNameAndSize() {
        refused(3, job -> job.allocateWindow("w", job.rank() == 2 ? 128 : 64), "window w bytes=128 kind=PROTECTED",
            "window w bytes=64 kind=PROTECTED",
            "rank 2", "all ranks must allocate the same in the same order");
        refused(job -> job.allocateWindow(job.rank() == 0 ? "u" : "v", 64), "window u bytes=64", "window v bytes=64",
            "rank 0", "rank 1");
        refused(job -> job.allocateWindow("w", 64, job.rank() == 0 ? WindowKind.PROTECTED : WindowKind.SCRATCH),
            "kind=PROTECTED", "kind=SCRATCH");
        refused(job -> {
            job.protect("p", job.rank() == 0 ? 64 : 72);
            job.allocateWindow("w", 64);
        }, "protected segment p bytes=64", "protected segment p bytes=72", "1 of the program");
        refused(job -> {
            job.protect(job.rank() == 0 ? "p" : "q", 64);
            for (long step : job.steps(2)) {
                job.gsync();
            }
        }, "protected segment p bytes=64", "protected segment q bytes=64");
        refused(job -> {
            if (job.rank() == 0) {
                job.protect("p", 64);
                job.protectRotating("r", 64);
            } else {
                job.protectRotating("r", 64);
                job.protect("p", 64);
            }
        }, "protected segment p bytes=64", "rotating segment r bytes=64");
    }

    @Test
    void oneWindowMoreAtOneRankIsFoundAtOnce() {
        refused(3, job -> {
            job.allocateWindow("w", 64);
            if (job.rank() == 1) {
                job.allocateWindow("more", 64);
            }
            for (long step : job.steps(5)) {
                job.gsync();
            }
        }, "window more bytes=64", "the loop over 5 steps", "2 of the program");
    }

    @Test
    void tooManyAllocationsToTellOneByOneAreComparedToo() {
        refused(job -> {
            for (int i = 0; i < 2000; i++) {
                job.protect("segment with a long name " + (i == 1999 && job.rank() == 1 ? "x" : i), 8);
            }
        }, " more, of digest ");
    }

    @Test
    void differentNumbersOfStepsAreFoundWhenTheyBegin() {
        refused(job -> {
            for (long step : job.steps(job.rank() == 0 ? 5 : 6)) {
                job.gsync();
            }
        }, "the loop over 5 steps", "the loop over 6 steps", "same number of steps");
        refused(job -> {
            if (job.rank() == 0) {
                for (long step : job.steps(5)) {
                    job.gsync();
                }
            }
        }, "the loop over 5 steps", "the end, without a loop over steps");
    }

    @Test
    void aRankThatReturnedWhileOthersWaitForItIsNamed() {
        refused(3, job -> {
            for (long step : job.steps(5)) {
                if (step == 4 && job.rank() == 1) {
                    break;
                }
                job.gsync();
            }
        }, "rank 1 has finished: its program returned after step 4", "waits for it in gsync, collective ",
            "all ranks must call the same collectives, in the same number of steps");
        refused(job -> {
            for (long step : job.steps(2)) {
                job.gsync();
            }
            if (job.rank() == 0) {
                job.allReduce(AtomicOp.SUM, 1L);
            }
        }, "rank 1 has finished: its program returned after step 2",
            "rank 0 waits for it in allReduce SUM INT64 of 8 bytes");
    }

    /** A rank may return long before the others, as long as none needs it: its memory stays. */
    @Test
    void aRankThatReturnedIsStillAccessed() {
        accepted(job -> {
            Window w = job.allocateWindow("w", 64);
            for (long step : job.steps(2)) {
                job.gsync();
            }
            if (job.rank() == 0) {
                long until = 3000;
                for (long i = 1; i <= until; i++) {
                    w.putLong(i, 1, 0);
                    w.flush(1);
                    assertEquals(i, w.getLong(1, 0));
                }
            }
        });
    }
}
