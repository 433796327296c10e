package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.ftrma.testkit.hosts.NamespacedHosts;
import org.ftrma.testkit.hosts.RunningProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Jobs of real processes on several hosts, of which something fails. */
@Timeout(300)
class ManyHostsTest {
    /** Four ranks and two checksum ranks, two on each host, each group on all of them. */
    private static final String JOB = " --ranks 4 --checksums 2 --protocol coordinated --interval 5 "
        + "--hosts h1:2,h2:2,h3:2 ";
    private static final int STEPS = 40;

    @TempDir
    private static Path directory;
    private static NamespacedHosts hosts;
    private HostsJob job;

    @BeforeEach
    void makeHosts() {
        assumeTrue(NamespacedHosts.whyNot().isEmpty(), NamespacedHosts::whyNot);
        if (hosts == null) {
            hosts = NamespacedHosts.of(3);
        }
    }

    @AfterAll
    static void closeHosts() {
        if (hosts != null) {
            hosts.close();
        }
    }

    @AfterEach
    void endJob() {
        if (job != null) {
            job.close();
        }
    }

    private HostsJob begin(int steps, String more) throws IOException {
        job = new HostsJob(hosts, directory, "fft --class S --warm-up 0 --iterations " + steps + JOB
            + HostsJob.options(hosts, directory) + more);
        return job;
    }

    /** Runs, and has committed a generation. */
    private HostsJob running(String more) throws IOException {
        return begin(STEPS, more).awaitLine("generation 1 (step 5) is committed");
    }

    private void assertNothingLeft() {
        for (int host = 1; host <= hosts.count(); host++) {
            job.awaitNothingOn(host);
        }
    }

    @Test
    void ranksOfThreeHostsComputeTogether() throws IOException {
        Map<String, Object> result = begin(20, "").endsVerified();
        assertEquals("mixed", result.get("path"));
        assertEquals("host", result.get("aware"));
        assertEquals("mapped,network", ((Map<?, ?>) result.get("ucx")).get("path"));
        assertEquals(0, result.get("rollbacks"));
        assertNothingLeft();
    }

    @Test
    void aKilledRankOfAnotherHostIsReplaced() throws IOException {
        running("");
        List<RunningProcess> ranks = job.running(2, "RankMain");
        assertEquals(2, ranks.size(), ranks::toString);
        ProcessHandle.of(ranks.getFirst().machinePid()).orElseThrow().destroyForcibly();
        job.awaitLine("killed by SIGKILL");
        assertEquals(1, job.endsVerified().get("rollbacks"));
        assertNothingLeft();
    }

    @Test
    void aHostWhoseProcessesAllDieAtOnceIsLost() throws IOException {
        running("");
        hosts.kill(3);
        try {
            job.awaitLine("host h3 is lost");
            assertSurvived();
            job.awaitNothingOn(1);
        } finally {
            hosts.restart(3);
        }
    }

    @Test
    void aHostThatLosesItsPowerIsLostAfterTheTimeout() throws IOException {
        running("--host-timeout 3s");
        hosts.powerOff(2);
        try {
            job.awaitLine("host h2 is lost: silent for more than 3s");
            assertSurvived();
            assertTrue(job.tells("members of group"), job::text);
        } finally {
            hosts.restart(2);
        }
    }

    /** Two members are lost, which is one loss. */
    private void assertSurvived() throws IOException {
        Map<String, Object> result = job.endsVerified();
        assertEquals(1, result.get("rollbacks"), job::text);
        assertEquals(2, ((List<?>) result.get("failures")).size(), job::text);
    }

    /** What it runs ends by itself: by its lease, though nobody can reach it. */
    @Test
    void aHostThatFallsSilentIsReplacedAndEndsWhatItRuns() throws IOException {
        running("--host-timeout 3s");
        hosts.mute(1);
        try {
            job.awaitLine("host h1 is lost: silent for more than 3s");
            job.awaitNothingOn(1);
            assertSurvived();
        } finally {
            hosts.unmute(1);
        }
    }

    @Test
    void aHostThatIsSilentForLessThanTheTimeoutIsNotLost() throws IOException {
        running("--host-timeout 30s --heartbeat-timeout 30s");
        hosts.mute(2);
        try {
            long begun = System.nanoTime();
            HostsJob.await("a while", () -> System.nanoTime() - begun > 1_000_000_000L, () -> "");
        } finally {
            hosts.unmute(2);
        }
        Map<String, Object> result = job.endsVerified();
        assertEquals(0, result.get("rollbacks"), job::text);
        assertEquals(6, result.get("processes"), job::text);
    }

    /** Frozen, it cannot know that it was given up; thawed, it learns so and ends what it runs. */
    @Test
    void aHostThatGoesOnAfterItWasReplacedChangesNothing() throws IOException {
        running("--host-timeout 3s");
        hosts.freeze(3);
        try {
            job.awaitLine("host h3 is lost: silent for more than 3s");
            job.awaitLine("is back (rollback)");
        } finally {
            hosts.thaw(3);
        }
        job.awaitNothingOn(3);
        assertSurvived();
    }

    @Test
    void theRanksOfAnAgentThatDiesDieWithIt() throws IOException {
        running("");
        List<RunningProcess> agents = job.running(2, "Main agent");
        ProcessHandle.of(agents.getLast().machinePid()).orElseThrow().destroyForcibly();
        job.awaitLine("host h2 is lost: its agent has closed the connection");
        HostsJob.await("the end of its ranks", () -> job.running(2, "RankMain").isEmpty(), job::text);
        assertSurvived();
        assertNothingLeft();
    }

    @Test
    void nothingIsLeftOnAnyHostWhenTheLauncherIsKilled() throws IOException {
        begin(100_000, "").awaitLine("generation 1 (step 5) is committed");
        job.killLauncher();
        assertNothingLeft();
    }

    @Test
    void whatIsLeftOfNoHostEndsTheJobByName() throws IOException {
        running("--degrade no");
        hosts.kill(2);
        try {
            Map<String, Object> result = job.ends(3);
            String message = (String) result.get("message");
            assertTrue(message.startsWith("no host is left for "), message);
            assertTrue(message.contains("h1 (2 slots, all taken") && message.contains("h2 (lost: "), message);
        } finally {
            hosts.restart(2);
        }
    }

    @Test
    void twoHostsThatCannotReachEachOtherCostOneOfThem() throws IOException {
        running("--host-timeout 3s");
        hosts.block(1, 2);
        hosts.block(2, 1);
        try {
            job.awaitLine("host h2 is lost: LINK: it and host h1 have not reached each other for more than 3s");
            assertSurvived();
            assertFalse(job.tells("host h1 is lost"), job::text);
            assertTrue(job.tells("hosts h1 and h2 have not reached each other for "), job::text);
        } finally {
            hosts.unblock(1, 2);
            hosts.unblock(2, 1);
        }
        assertNothingLeft();
    }

    @Test
    void aLinkThatIsCutInOneDirectionCostsOneHostToo() throws IOException {
        running("--host-timeout 3s");
        hosts.block(3, 1);
        try {
            job.awaitLine("host h3 is lost: LINK: it and host h1 have not reached each other for more than 3s");
            assertSurvived();
        } finally {
            hosts.unblock(3, 1);
        }
    }

    @Test
    void aSlowLinkCostsNobody() throws IOException {
        running("--host-timeout 3s");
        hosts.slow(2, 4_000);
        try {
            long begun = System.nanoTime();
            HostsJob.await("longer than a host may be silent", () -> System.nanoTime() - begun > 6_000_000_000L, () ->
                "");
        } finally {
            hosts.slow(2, 0);
        }
        Map<String, Object> result = job.endsVerified();
        assertEquals(0, result.get("rollbacks"), job::text);
        assertEquals(6, result.get("processes"), job::text);
    }
}
