package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.ftrma.testkit.hosts.NamespacedHosts;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Jobs on several hosts whose accesses are logged: who is lost alone goes back alone, though the others reach it over a
 * network, and whatever its old process still sends.
 */
@Timeout(300)
class RecoveryOverHostsTest {
    /** A member on each host, and room for one more on the last. */
    private static final String APART = " --ranks 2 --checksums 1 --hosts h1:1,h2:1,h3:2 ";
    /** Two members on each host: a rank has one beside it, whose memory it has mapped. */
    private static final String TOGETHER = " --ranks 4 --checksums 2 --hosts h1:2,h2:2,h3:2 ";

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

    private void begin(String where, String more) throws IOException {
        job = new HostsJob(hosts, directory, "fft --class S --warm-up 0 --iterations 40 --protocol full --interval 5"
            + where + HostsJob.options(hosts, directory) + more);
    }

    private void running(String more) throws IOException {
        begin(APART, more);
        job.awaitLine("(step 5) is committed");
    }

    private void assertRecoveredAlone(int recoveries) throws IOException {
        Map<String, Object> result = job.endsVerified();
        assertEquals(0, result.get("rollbacks"), job::text);
        assertEquals(recoveries, result.get("localRecoveries"), job::text);
        assertEquals(recoveries, ((List<?>) result.get("failures")).size(), job::text);
        assertEquals(Map.of(), result.get("fallbacks"), job::text);
    }

    @Test
    void aRankOfAnyHostGoesBackAlone() throws IOException {
        begin(APART, "--kill 0@8 --kill 1@23");
        assertRecoveredAlone(2);
    }

    @Test
    void aRankWithAnotherOneBesideItGoesBackAlone() throws IOException {
        begin(TOGETHER, "--kill 3@8 --kill 0@22");
        assertRecoveredAlone(2);
    }

    /** Its replacement, which is on another host, is reached anew by all. */
    @Test
    void theRankOfAHostThatLosesItsPowerGoesBackAlone() throws IOException {
        running("--host-timeout 3s");
        hosts.powerOff(2);
        try {
            job.awaitLine("host h2 is lost: silent for more than 3s");
            assertRecoveredAlone(1);
        } finally {
            hosts.restart(2);
        }
    }

    /** Ranks 2 and 3 are on one host, and in two rows of three they have no border in common. */
    @Test
    void theRanksOfAHostThatLosesItsPowerGoBackAloneWhereTheyDidNotAccessEachOther() throws IOException {
        job = new HostsJob(hosts, directory, "sample stencil --grid 2x3 --steps 600 --size 96x96 --protocol full"
            + " --interval 5 --ranks 6 --checksums 3 --hosts h1:5,h2:3,h3:5" + HostsJob.options(hosts, directory)
            + "--host-timeout 3s");
        job.awaitLine("(step 5) is committed");
        hosts.powerOff(2);
        try {
            job.awaitLine("host h2 is lost: silent for more than 3s");
            Map<String, Object> result = job.endsVerified();
            assertEquals(0, result.get("rollbacks"), job::text);
            assertEquals(2, result.get("localRecoveries"), job::text);
            assertEquals(3, ((List<?>) result.get("failures")).size(), job::text);
        } finally {
            hosts.restart(2);
        }
    }

    /** What it had sent, and what its kernel sends again when it is reached, lands nowhere. */
    @Test
    void whatAHostSendsThatWasSilentLandsNowhere() throws IOException {
        running("--host-timeout 3s");
        hosts.mute(1);
        try {
            job.awaitLine("host h1 is lost: silent for more than 3s");
            job.awaitLine("is back (replay)");
        } finally {
            hosts.unmute(1);
        }
        job.awaitNothingOn(1);
        assertRecoveredAlone(1);
    }

    /** Its process goes on where it was, in the middle of an access perhaps. */
    @Test
    void aHostThatGoesOnAfterItsRankWasReplacedChangesNothing() throws IOException {
        running("--host-timeout 3s");
        hosts.freeze(2);
        try {
            job.awaitLine("host h2 is lost: silent for more than 3s");
            job.awaitLine("is back (replay)");
        } finally {
            hosts.thaw(2);
        }
        job.awaitNothingOn(2);
        assertRecoveredAlone(1);
        assertFalse(job.tells("is back (rollback)"), job::text);
    }
}
