package org.ftrma.launch.job;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.ftrma.core.coordinator.JobEvent;
import org.junit.jupiter.api.Test;

class CrashLoopTest {
    private static final int RANKS = 2;
    private static final int CHECKSUM = 2;

    private final CrashLoop loop = new CrashLoop(RANKS);

    private void lose(int member, boolean byItself) {
        loop.died(member, byItself);
        loop.event(new JobEvent.MemberLost(1, member, 0, 7, byItself ? "exited with status 1" : "killed by SIGKILL"),
            0);
    }

    private void begin(long step) {
        loop.event(new JobEvent.StepBegun(0, step, 99, 0), 0);
    }

    @Test
    void deathsOfTheProgramAtOnePlaceEndTheJobWithTheReason() {
        begin(7);
        for (int i = 1; i < CrashLoop.MOST_CRASHES; i++) {
            lose(i % RANKS, true);
            begin(5); // gone back
            begin(7);
        }
        assertNull(loop.reason());
        lose(0, true);
        assertNotNull(loop.reason());
        assertTrue(loop.reason().startsWith("4 ranks died in a row without the program getting beyond step 7; "
            + "the last one exited with status 1 (member 0)"), loop.reason());
    }

    @Test
    void progressAndInjectedFaultsDoNotCount() {
        for (int i = 0; i < 99; i++) {
            lose(0, true);
            begin(i + 1);
        }
        for (int i = 0; i < 99; i++) {
            loop.expectDeathOf(1);
            lose(1, false);
        }
        for (int i = 0; i < 99; i++) {
            lose(0, true);
            loop.event(new JobEvent.Committed(i + 1, 7, 0, 0), 0);
        }
        assertNull(loop.reason());
    }

    /** Somebody kills ranks while others execute again what was done, and checksum ranks die of whatever it is. */
    @Test
    void lossesThatAreNotTheProgramsDoingMayBeManyAndNotForEver() {
        begin(7);
        for (int i = 1; i < CrashLoop.MOST_LOSSES; i++) {
            lose(i % 2 == 0 ? CHECKSUM : 1, i % 2 == 0);
            begin(6);
        }
        assertNull(loop.reason());
        for (int i = 1; i < CrashLoop.MOST_CRASHES; i++) {
            lose(0, true);
        }
        assertNull(loop.reason(), "they are counted apart");
        lose(1, false);
        assertNotNull(loop.reason());
        assertTrue(loop.reason().startsWith("20 processes were lost in a row without the program getting beyond step "
            + "7; the last one killed by SIGKILL (member 1): somebody ends them, or this machine"), loop.reason());
    }
}
