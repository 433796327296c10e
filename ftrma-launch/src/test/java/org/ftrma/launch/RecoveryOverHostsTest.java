package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.util.Map;

/**
 * Jobs on several hosts whose accesses are logged: who is lost alone goes back alone, though the others reach it over a
 * network, and whatever its old process still sends.
 */
class RecoveryOverHostsTest extends HostsTest {
    /** A member on each host, and room for one more on the last. */
    private static final String APART = " --ranks 2 --checksums 1 --hosts h1:1,h2:1,h3:2 ";
    /** Two members on each host: a rank has one beside it, whose memory it has mapped. */
    private static final String TOGETHER = " --ranks 4 --checksums 2 --hosts h1:2,h2:2,h3:2 ";

    private void beginOn(String where, String more) throws IOException {
        begin("fft --class S --warm-up 0 --iterations 40 --protocol full --interval 5", where + more);
    }

    private void running(String more) throws IOException {
        beginOn(APART, more);
        job.awaitLine("(step 5) is committed");
    }

    private void assertRecoveredAlone(int recoveries) throws IOException {
        assertEquals(Map.of(), assertSurvived(0, recoveries, recoveries).get("fallbacks"), job::text);
    }

    @SideBySide
    void aRankOfAnyHostGoesBackAlone() throws IOException {
        beginOn(APART, "--kill 0@8 --kill 1@23");
        assertRecoveredAlone(2);
    }

    @SideBySide
    void aRankWithAnotherOneBesideItGoesBackAlone() throws IOException {
        beginOn(TOGETHER, "--kill 3@8 --kill 0@22");
        assertRecoveredAlone(2);
    }

    /** Its replacement, which is on another host, is reached anew by all. */
    @SideBySide
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
    @SideBySide
    void theRanksOfAHostThatLosesItsPowerGoBackAloneWhereTheyDidNotAccessEachOther() throws IOException {
        begin("sample stencil --grid 2x3 --steps 600 --size 96x96 --protocol full --interval 5",
            " --ranks 6 --checksums 3 --hosts h1:5,h2:3,h3:5 --host-timeout 3s");
        job.awaitLine("(step 5) is committed");
        hosts.powerOff(2);
        try {
            job.awaitLine("host h2 is lost: silent for more than 3s");
            assertEquals(Map.of(), assertSurvived(0, 2, 3).get("fallbacks"), job::text);
        } finally {
            hosts.restart(2);
        }
    }

    /** What it had sent, and what its kernel sends again when it is reached, lands nowhere. */
    @SideBySide
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
    @SideBySide
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
