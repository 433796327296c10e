package org.ftrma.launch.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.ftrma.launch.agent.HostAgent;
import org.ftrma.launch.agent.HostAgent.Death;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RankHandleTest {
    private final RecordingAgent agent = new RecordingAgent();

    @Test
    void theCauseIsTheHostsUnlessItWasKilledByUs() {
        RankHandle handle = new RankHandle(0, agent, 0);
        handle.died(new Death(0, 7, "exited with status 7", null, false), 5);
        assertEquals("exited with status 7", handle.cause());
        handle.fence("silent, then killed");
        handle.fence("something later");
        assertEquals("silent, then killed", handle.cause());
        assertEquals(7, handle.status());
    }

    @ParameterizedTest
    @CsvSource({"0, true", "1, true", "9, true", "134, true", "139, true", "129, false", "130, false", "137, false",
        "143, false", "-1, false"})
    void aStatusTellsWhetherAProcessHasEndedByItself(int status, boolean byItself) {
        RankHandle handle = new RankHandle(0, agent, 0);
        handle.died(new Death(0, status, "of something", null, false), 5);
        assertEquals(byItself, handle.endedByItself());
        handle.hit = true;
        assertFalse(handle.endedByItself(), "we did it");
        handle.hit = false;
        handle.fence("silent, then killed");
        assertFalse(handle.endedByItself(), "we had it killed");
    }

    @Test
    void aProcessIsKilledOnceHoweverOftenItIsFenced() {
        RankHandle handle = new RankHandle(2, agent, 0);
        assertFalse(handle.isFenced());
        handle.fence("silent, then killed");
        handle.fence("did not join");
        assertTrue(handle.isFenced());
        assertEquals(List.of(HostAgent.Signal.KILL + " 2"), agent.requests);
    }
}
