package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.ftrma.testkit.hosts.RunningProcess;

/** Jobs of real processes on several hosts, of which something fails. */
class ManyHostsTest extends HostsTest {
    /** Four ranks and two checksum ranks, two on each host, each group on all of them. */
    private static final String PAIRS = "--ranks 4 --checksums 2 --hosts h1:2,h2:2,h3:2 ";
    /** Where it does not matter how many are on a host. */
    private static final String SINGLE = "--ranks 2 --checksums 1 --hosts h1:1,h2:1,h3:1 ";
    private static final int STEPS = 40;

    private HostsJob begin(int steps, String options) throws IOException {
        return begin("fft --class S --warm-up 0 --protocol coordinated --interval 5 --iterations " + steps, options);
    }

    /** Runs, and has committed a generation. */
    private HostsJob running(String options) throws IOException {
        return begin(STEPS, options).awaitLine("generation 1 (step 5) is committed");
    }

    /** Two members are lost, which is one loss. */
    private void assertSurvived() throws IOException {
        assertSurvived(1, 0, 2);
    }

    /** Nobody is lost, and no process was started but those of the beginning. */
    private void assertNothingHappened(int processes) throws IOException {
        assertEquals(processes, assertSurvived(0, 0, 0).get("processes"), job::text);
    }

    @SideBySide
    void ranksOfThreeHostsComputeTogether() throws IOException {
        Map<String, Object> result = begin(20, PAIRS).endsVerified();
        assertEquals("mixed", result.get("path"));
        assertEquals("host", result.get("aware"));
        assertEquals("mapped,network", ((Map<?, ?>) result.get("ucx")).get("path"));
        assertEquals(0, result.get("rollbacks"));
        assertNothingLeft();
    }

    @SideBySide
    void aKilledRankOfAnotherHostIsReplaced() throws IOException {
        running(PAIRS);
        List<RunningProcess> ranks = job.running(2, "RankMain");
        assertEquals(2, ranks.size(), ranks::toString);
        ProcessHandle.of(ranks.getFirst().machinePid()).orElseThrow().destroyForcibly();
        job.awaitLine("killed by SIGKILL");
        assertEquals(1, job.endsVerified().get("rollbacks"));
        assertNothingLeft();
    }

    @SideBySide
    void aHostWhoseProcessesAllDieAtOnceIsLost() throws IOException {
        running(PAIRS);
        hosts.kill(3);
        try {
            job.awaitLine("host h3 is lost");
            assertSurvived();
            job.awaitNothingOn(1);
        } finally {
            hosts.restart(3);
        }
    }

    @SideBySide
    void aHostThatLosesItsPowerIsMissedByItsPeersBeforeTheTimeout() throws IOException {
        running(PAIRS + "--host-timeout 1h");
        hosts.powerOff(2);
        try {
            job.awaitLine("host h2 is lost: silent for more than 5s");
            assertSurvived();
            assertTrue(job.tells("members of group"), job::text);
        } finally {
            hosts.restart(2);
        }
    }

    /** What it runs stands still, and ends when it learns that it was given up. */
    @SideBySide
    void aHostThatFallsSilentIsReplacedAndEndsWhatItRuns() throws IOException {
        running(PAIRS + "--host-timeout 3s");
        hosts.mute(1);
        try {
            job.awaitLine("host h1 is lost: silent for more than 3s");
            assertSurvived();
        } finally {
            hosts.unmute(1);
        }
        job.awaitNothingOn(1);
    }

    @SideBySide
    void aHostThatIsSilentForLessThanTheTimeoutIsNotLost() throws IOException {
        running(SINGLE + "--host-timeout 30s --heartbeat-timeout 30s");
        hosts.mute(2);
        try {
            long begun = System.nanoTime();
            job.awaitWhileItRuns("a second is over", () -> System.nanoTime() - begun > 1_000_000_000L);
        } finally {
            hosts.unmute(2);
        }
        assertNothingHappened(3);
    }

    /** Frozen, it cannot know that it was given up; thawed, it learns so and ends what it runs. */
    @SideBySide
    void aHostThatGoesOnAfterItWasReplacedChangesNothing() throws IOException {
        running(PAIRS + "--host-timeout 3s");
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

    @SideBySide
    void theRanksOfAnAgentThatDiesDieWithIt() throws IOException {
        running(PAIRS);
        List<RunningProcess> agents = job.running(2, "Main agent");
        ProcessHandle.of(agents.getLast().machinePid()).orElseThrow().destroyForcibly();
        job.awaitLine("host h2 is lost: its agent has closed the connection");
        HostsJob.awaitOnHosts("the end of its ranks", () -> job.running(2, "RankMain").isEmpty(), job::text);
        assertSurvived();
        assertNothingLeft();
    }

    @SideBySide
    void nothingIsLeftOnAnyHostWhenTheLauncherIsKilled() throws IOException {
        begin(100_000, PAIRS).awaitLine("generation 1 (step 5) is committed");
        job.killLauncher();
        assertNothingLeft();
    }

    @SideBySide
    void whatIsLeftOfNoHostEndsTheJobByName() throws IOException {
        running(PAIRS + "--degrade no");
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

    @SideBySide
    void twoHostsThatCannotReachEachOtherCostOneOfThem() throws IOException {
        running(PAIRS + "--host-timeout 3s");
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

    @SideBySide
    void aLinkThatIsCutInOneDirectionCostsOneHostToo() throws IOException {
        running(PAIRS + "--host-timeout 3s");
        hosts.block(3, 1);
        try {
            job.awaitLine("host h3 is lost: LINK: it and host h1 have not reached each other for more than 3s");
            assertSurvived();
        } finally {
            hosts.unblock(3, 1);
        }
    }

    @SideBySide
    void aSlowLinkCostsNobody() throws IOException {
        running(SINGLE + "--host-timeout 3s");
        hosts.slow(2, 4_000);
        try {
            long begun = System.nanoTime();
            job.awaitWhileItRuns("longer than a host may be silent", () ->
                System.nanoTime() - begun > 6_000_000_000L);
        } finally {
            hosts.slow(2, 0);
        }
        assertNothingHappened(3);
    }
}
