package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Set;
import org.ftrma.LockType;
import org.ftrma.Window;
import org.ftrma.testkit.Script.Story;
import org.junit.jupiter.api.Test;

/** A rank that dies in the middle of taking a lock, or of giving one back. */
class HalfDoneLocksTest {
    private static void countUnderALock(Window window) {
        window.lock(LockType.EXCLUSIVE, 1);
        window.putLong(window.getLong(1, 0) + 1, 1, 0);
        window.unlock(1);
    }

    private static void recoveredAfterEachPoint(Story story) {
        SimResult clean = story.run(1, true, Set.of());
        int local = 0;
        for (long point = 1; point <= clean.memberPoints()[0]; point++) {
            SimResult result = story.run(1, true, Set.of(), List.of(new Crash(true, 0, point, Crash.How.AFTER)));
            assertNull(result.fault(clean.contents()), result::story);
            local += result.outcome().rollbacks() == 0 ? result.outcome().localRecoveries() : 0;
        }
        assertTrue(local > 20, local + " local recoveries");
    }

    /**
     * Rank 0 gives a shared lock back, for which rank 2 waits: that has it before anybody finds out whether rank 0 gave
     * it back.
     */
    @Test
    void aSharedLockThatWasTakenByAnotherRankSinceIsNotGivenBackTwice() {
        Story story = new Story("shared lock", 3, 1, "none", 1, (job, script, window, memory) -> {
            if (job.rank() == 0) {
                window.lock(LockType.SHARED, 1);
                window.putLong(7, 1, 8);
                script.reach(1);
                window.unlock(1);
            } else if (job.rank() == 2) {
                script.await(job, window, 1);
                countUnderALock(window);
            }
            job.gsync();
            countUnderALock(window);
            job.gsync();
        });
        recoveredAfterEachPoint(story);
    }

    /**
     * Rank 0 had taken a lock again when it died, and rank 2 waits for it: the release of the first time is not one of
     * the second.
     */
    @Test
    void aLockThatTheLostRankHasAgainIsNotGivenBackByItsFirstRelease() {
        BadExecutionsTest.recovered(new Story("lock taken again", 3, 1, "none", 1, (job, script, window, memory) -> {
            if (job.rank() == 0) {
                countUnderALock(window);
                window.lock(LockType.EXCLUSIVE, 1);
                script.reach(1);
                long count = window.getLong(1, 0);
                script.die(job, 2, 0);
                int[] turns = new int[1];
                script.await(job, window, () -> turns[0]++ > 50);
                window.putLong(count + 1, 1, 0);
                window.unlock(1);
            } else if (job.rank() == 2) {
                script.await(job, window, 1);
                countUnderALock(window);
            }
            job.gsync();
        }), BadExecutionsTest.LOCAL);
    }

    /**
     * Rank 0 reads its own window under a lock of rank 1, and gives that back; then rank 2 has it, and puts there. The
     * replacement of rank 0 is not back before it has read again what the first process read.
     */
    @Test
    void aLockThatTheLostRankGaveBackIsNotHeldWhenItsReplacementIsBack() {
        BadExecutionsTest.recovered(new Story("read under a lock that was given back", 3, 1, "none", 1,
            (job, script, window, memory) -> {
                if (job.rank() == 0) {
                    window.lock(LockType.EXCLUSIVE, 1);
                }
                job.gsync();
                if (job.rank() == 0) {
                    memory.set(ValueLayout.JAVA_LONG, 0, 1 + window.memory().get(ValueLayout.JAVA_LONG, 0));
                    window.unlock(1);
                    script.reach(1);
                    script.await(job, window, 2);
                } else if (job.rank() == 2) {
                    script.await(job, window, 1);
                    window.lock(LockType.EXCLUSIVE, 1);
                    window.putLong(9, 0, 0);
                    window.flush(0);
                    window.unlock(1);
                    script.die(job, 2, 0);
                }
                job.gsync();
            }), BadExecutionsTest.LOCAL);
    }
}
