package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Protocol full on several hosts: accesses between them are under way for a while, and a lost rank goes back alone all
 * the same. Who runs on cuts it off, and settles what was under way to it.
 */
class HostRecoveryTest {
    private static Simulation full(String program) {
        return new Simulation().program(program).protocol("full").checksums(2).hosts(3);
    }

    private static SimReport check(SimReport report, int replays) {
        System.out.println(report.summary());
        assertTrue(report.clean(), report::toString);
        assertEquals(0, report.gaveUp(), report::toString);
        assertTrue(report.replays() >= replays, report::summary);
        return report;
    }

    @ParameterizedTest
    @ValueSource(strings = {"halo", "collectives", "locks"})
    void oneCrashAtEveryPointOfEveryMemberTakesThatOneBackAlone(String program) {
        SimReport report = check(full(program).singles(), 1000);
        assertTrue(report.replays() > 3 * report.rollbacks(), report::summary);
    }

    @ParameterizedTest
    @ValueSource(strings = {"halo", "locks", "atomics", "sparse"})
    void killsAndHangsAtAnyMomentAreRecovered(String program) {
        check(full(program).seed(3).kills(97), 50);
    }

    @ParameterizedTest
    @ValueSource(strings = {"halo", "locks"})
    void whateverBefallsAHostAtAnyMomentIsRecovered(String program) {
        check(full(program).seed(5).hostFaults(151), 10);
    }

    /** That a generation counts is heard of when the next one is copied, which is given up at a loss. */
    @Test
    void logsAreTrimmedToTheGenerationThatCountsThoughTheNextOneWasCopied() {
        check(full("halo").interval("1").kills(97), 50);
    }

    @Test
    void randomProgramsAreRecovered() {
        RandomReport report = new RandomRuns().seeds(1, 60).shaped(simulation -> simulation.hosts(3).protocol("full"))
            .run();
        System.out.println(report);
        assertTrue(report.clean(), report::toString);
    }

    /** What a lost process had sent lands in what its replacement, and those after it, have made. */
    @ParameterizedTest
    @EnumSource(names = {"REVOKE_ONE_WAY", "ACK_BEFORE_REVOKE", "OLD_INCARNATION_ACCEPTED"})
    void aLostProcessThatIsNotKeptOutIsFound(ProtocolBug bug) {
        boolean isFound = false;
        for (long seed = 4; seed <= 9 && !isFound; seed++) {
            isFound = !full("sparse").seed(seed).faults(Set.of(bug)).hostFaults(101).clean();
        }
        assertTrue(isFound, bug + " was not found");
    }
}
