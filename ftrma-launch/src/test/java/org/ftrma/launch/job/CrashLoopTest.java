package org.ftrma.launch.job;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.ftrma.core.coordinator.JobEvent;
import org.junit.jupiter.api.Test;

class CrashLoopTest {
    private static JobEvent lost(int member) {
        return new JobEvent.MemberLost(1, member, 0, 7, "exited with status 1");
    }

    @Test
    void deathsAtOnePlaceEndTheJobWithTheReason() {
        CrashLoop loop = new CrashLoop(3);
        loop.event(new JobEvent.StepBegun(0, 7, 9, 0), 0);
        loop.event(lost(0), 0);
        loop.event(lost(1), 0);
        assertNull(loop.reason());
        loop.event(lost(0), 0);
        assertNotNull(loop.reason());
        assertTrue(loop.reason().contains("step 7") && loop.reason().contains("exited with status 1"), loop.reason());
    }

    @Test
    void progressAndInjectedFaultsDoNotCount() {
        CrashLoop loop = new CrashLoop(3);
        for (int i = 0; i < 20; i++) {
            loop.event(lost(0), 0);
            loop.event(new JobEvent.StepBegun(0, i + 1, 99, 0), 0);
        }
        for (int i = 0; i < 20; i++) {
            loop.expectDeathOf(2);
            loop.event(lost(2), 0);
        }
        assertNull(loop.reason());
    }
}
