package org.ftrma.launch.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.ftrma.launch.agent.HostAgent;
import org.ftrma.launch.agent.HostAgent.Death;
import org.junit.jupiter.api.Test;

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
