package org.ftrma.testkit;

import static org.ftrma.testkit.BadExecutionsTest.LOCAL;
import static org.ftrma.testkit.BadExecutionsTest.SEEDS;
import static org.ftrma.testkit.BadExecutionsTest.recovered;
import static org.ftrma.testkit.BadExecutionsTest.wrong;
import static org.ftrma.testkit.BadLossExecutionsTest.dieAfterReplay;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import org.ftrma.LockType;
import org.ftrma.core.control.FallbackReason;
import org.ftrma.testkit.Script.Story;
import org.junit.jupiter.api.Test;

/** As {@link BadExecutionsTest}, about window locks (design 6.7). */
class BadLockExecutionsTest {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

    private static Story story(String name, int ranks, int checksums, Script.Part part) {
        return new Story(name, ranks, checksums, "none", 1, part);
    }

    /**
     * 6.7: rank 1 copies a cell under a lock of its own window, between two others that put there: it saw the first put
     * and not the second.
     */
    @Test
    void e10ARankThatLocksItsOwnWindowSawWhatWasPutUnderEarlierAcquisitionsOnly() {
        Story story = story("self-lock", 3, 1, (job, script, window, memory) -> {
            if (job.rank() != 1) {
                script.await(job, window, job.rank() == 0 ? 0 : 2);
                window.lock(LockType.EXCLUSIVE, 1);
                window.putLong(1 + job.rank(), 1, 0);
                window.unlock(1);
                script.reach(1 + job.rank());
            } else {
                script.await(job, window, 1);
                window.lock(LockType.EXCLUSIVE, 1);
                window.memory().set(LONG, 8, window.memory().get(LONG, 0));
                window.unlock(1);
                script.reach(2);
                script.await(job, window, 3);
                script.die(job, 4, 1);
            }
            job.gsync();
        });
        recovered(story, LOCAL);
        assertEquals(SEEDS, wrong(story, "SC_IGNORED"));
    }

    /** 6.7: the lock word dies with its home while rank 0 holds the lock: nobody else may come in. */
    @Test
    void e11ALockSurvivesTheLossOfItsHome() {
        Story story = story("lock word lost", 3, 1, (job, script, window, memory) -> {
            if (job.rank() == 0) {
                window.lock(LockType.EXCLUSIVE, 1);
                long value = window.getLong(1, 0);
                script.reach(1);
                script.await(job, window, () -> script.hasReplayed() || !script.hasFailures());
                for (int i = 0; i < 200; i++) {
                    window.getLong(1, 8);
                }
                window.putLong(value + 1, 1, 0);
                window.unlock(1);
            } else if (job.rank() == 1) {
                script.await(job, window, 1);
                script.die(job, 2, 1);
            } else {
                script.await(job, window, 2);
                window.lock(LockType.EXCLUSIVE, 1);
                window.putLong(window.getLong(1, 0) + 1, 1, 0);
                window.unlock(1);
            }
            job.gsync();
        });
        recovered(story, LOCAL);
        assertTrue(wrong(story, "LOCK_NOT_REBUILT") > SEEDS / 2);
    }

    /** 6.7: a lock's holder and its home are lost together: the one knew of the lock, the other had it. */
    @Test
    void e12ALockIsFreeAgainAfterHolderAndHomeWereLost() {
        Story story = story("holder and home lost", 4, 2, (job, script, window, memory) -> {
            if (job.rank() == 0) {
                window.lock(LockType.EXCLUSIVE, 1);
                long value = window.getLong(1, 0);
                script.reach(1);
                script.await(job, window, 2);
                window.putLong(value + 1, 1, 0);
                window.unlock(1);
            } else if (job.rank() == 2) {
                script.await(job, window, 1);
                script.die(job, 2, 0, 1);
            }
            if (job.rank() > 1) {
                window.lock(LockType.EXCLUSIVE, 1);
                window.putLong(window.getLong(1, 0) + 1, 1, 0);
                window.unlock(1);
            }
            job.gsync();
        });
        recovered(story, FallbackReason.SECOND_FAILURE.name());
    }

    /** 6.1: as before, but under an exclusive lock, whose home is lost with what was put there. */
    @Test
    void e19WhatWasPutUnderALockIsNotSentAgain() {
        Story story = story("lost with its target and lock", 3, 1, (job, script, window, memory) -> {
            if (job.rank() == 0) {
                window.lock(LockType.EXCLUSIVE, 1);
            }
            job.gsync();
            if (job.rank() == 0) {
                dieAfterReplay(job, script, window);
                window.putLong(7, 1, 0);
                window.flush(1);
                script.reach(1);
                script.await(job, window, 2);
                window.unlock(1);
            } else if (job.rank() == 2) {
                script.await(job, window, 1);
                script.die(job, 2, 0);
            }
            job.gsync();
        });
        recovered(story, FallbackReason.UNORDERED_CONFLICT.name());
    }

    /**
     * 6.7: rank 0 had released the lock and died; its replacement does so once more, and must not release it from rank
     * 2, which has it now.
     */
    @Test
    void e20AReplacementDoesNotReleaseALockThatAnotherRankHasNow() {
        Story story = story("released twice", 3, 1, (job, script, window, memory) -> {
            if (job.rank() == 0) {
                window.lock(LockType.EXCLUSIVE, 1);
            }
            job.gsync();
            if (job.rank() == 0) {
                window.unlock(1);
                script.reach(1);
                script.await(job, window, 2);
                script.reach(3);
            } else if (job.rank() == 2) {
                script.await(job, window, 1);
                window.lock(LockType.EXCLUSIVE, 1);
                long value = window.getLong(1, 0);
                script.die(job, 2, 0);
                int[] turns = new int[1];
                script.await(job, window, () -> script.isAt(3) && turns[0]++ > 20);
                window.putLong(value + 1, 1, 0);
                window.unlock(1);
            } else {
                script.await(job, window, 3);
                window.lock(LockType.EXCLUSIVE, 1);
                window.putLong(window.getLong(1, 0) + 1, 1, 0);
                window.unlock(1);
            }
            job.gsync();
        });
        recovered(story, LOCAL);
        assertTrue(wrong(story, "LOCK_RELEASED_BLINDLY") > SEEDS / 2);
    }

    /**
     * 6.7: rank 0 had released the lock of its own window, and rank 2 put there under it; the replacement of rank 0
     * would put again after that.
     */
    @Test
    void e21ARankThatGaveItsOwnLockBackPassesTheBarrierBeforeThat() {
        Story story = story("own lock passed on", 3, 1, (job, script, window, memory) -> {
            if (job.rank() == 0) {
                window.lock(LockType.EXCLUSIVE, 0);
            }
            job.gsync();
            if (job.rank() == 0) {
                window.putLong(7, 0, 0);
                window.unlock(0);
                script.reach(1);
                script.await(job, window, 2);
            } else if (job.rank() == 2) {
                script.await(job, window, 1);
                window.lock(LockType.EXCLUSIVE, 0);
                window.putLong(9, 0, 0);
                window.unlock(0);
                script.die(job, 2, 0);
            }
            job.gsync();
        });
        recovered(story, LOCAL);
    }
}
