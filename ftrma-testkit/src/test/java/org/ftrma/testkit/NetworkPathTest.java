package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Protocol full where all accesses go over a network, within a host too, and are under way for a while: a lost rank is
 * cut off and goes back alone.
 */
@Tag("long")
class NetworkPathTest {
    private static Simulation full(String program) {
        return new Simulation().program(program).protocol("full").path("network");
    }

    private static SimReport check(SimReport report, int deaths) {
        System.out.println(report.summary());
        assertTrue(report.clean(), report::toString);
        assertTrue(report.deaths() >= deaths && report.replays() >= deaths / 3, report::summary);
        return report;
    }

    @ParameterizedTest
    @ValueSource(strings = {"halo", "sparse"})
    void oneCrashAtEveryPointOfEveryMemberTakesThatOneBackAlone(String program) {
        assertEquals(0, check(full(program).seed(1).singles(EveryPoint.or(5)), 80).gaveUp());
    }

    @ParameterizedTest
    @ValueSource(strings = {"halo", "locks", "atomics"})
    void killsAndHangsAtAnyMomentAreRecovered(String program) {
        check(full(program).seed(12).spares(1).kills(97), 60);
    }

    @ParameterizedTest
    @ValueSource(strings = {"halo", "atomics"})
    void pairsOfCrashesAreRecoveredOrEndClearly(String program) {
        check(full(program).seed(3000).spares(1).pairs(200), 100);
        assertEquals(0, check(full(program).losses(2).checksums(2).spares(2).seed(7000).pairs(160), 80).gaveUp());
    }

    @ParameterizedTest
    @ValueSource(strings = {"halo", "locks"})
    void anyTwoOfAGroupAtOnceAreRecovered(String program) {
        assertEquals(0, check(full(program).losses(2).checksums(2).spares(2).interval("1").groupKills(397, 2), 60)
            .gaveUp());
    }
}
