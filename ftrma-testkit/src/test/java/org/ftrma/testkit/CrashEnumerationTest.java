package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.Stream;
import org.ftrma.testkit.programs.Programs;
import org.ftrma.testkit.programs.SimProgram;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every small program, crashed everywhere: the result is the one without failures, or the loss was beyond repair
 * (design, I1, I3, I4).
 */
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CrashEnumerationTest {
    private static final int PAIRS = EveryPoint.many(400, 150);

    static Stream<String> programs() {
        return Programs.all(1).stream().map(SimProgram::name);
    }

    private static void check(SimReport report, int atLeast) {
        System.out.println(report.summary());
        assertTrue(report.clean(), report::toString);
        assertTrue(report.deaths() >= atLeast, () -> "too few crashes took place: " + report.summary());
        assertTrue(report.rollbacks() > 0, report::summary);
    }

    @ParameterizedTest
    @MethodSource("programs")
    void withoutCrashesEverySeedEndsAlike(String program) {
        SimReport report = new Simulation().program(program).interval("1").seed(500).schedules(150);
        System.out.println(report.summary());
        assertTrue(report.clean() && report.rollbacks() == 0 && report.runs() == 150, report::toString);
    }

    @ParameterizedTest
    @MethodSource("programs")
    void oneCrashAtEveryPointOfEveryMemberLeavesTheResultAsItIs(String program) {
        // Each seed is another temper of the network.
        for (long seed = 1; seed <= 3; seed++) {
            int stride = EveryPoint.or(seed == 1 ? 3 : 7);
            SimReport report = new Simulation().program(program).seed(seed).singles(stride);
            check(report, 400 / stride);
            assertTrue(report.gaveUp() == 0, report::toString);
        }
    }

    @ParameterizedTest
    @MethodSource("programs")
    void killsAtAnyMomentAndHangsAtAnyPointLeaveTheResultAsItIs(String program) {
        SimReport report = new Simulation().program(program).seed(11).spares(1).kills(29);
        check(report, 100);
        assertTrue(report.gaveUp() == 0, report::toString);
    }

    @ParameterizedTest
    @MethodSource("programs")
    void pairsOfCrashesInOneGroupAreRecoveredOrEndClearly(String program) {
        SimReport report = new Simulation().program(program).seed(1000).pairs(PAIRS);
        check(report, PAIRS / 2);
        assertTrue(report.gaveUp() > 0 && report.gaveUp() < report.deaths(), report::toString);
    }

    /**
     * Here a slot is used again for the same generation after its checkpoint was abandoned, with unchanged blocks
     * skipped or not.
     */
    @Test
    void pairsOfCrashesWithACheckpointInEveryStepAreRecoveredOrEndClearly() {
        check(new Simulation().program("sparse").seed(77).spares(2).steps(7).interval("1").pairs(5 * PAIRS / 2), PAIRS);
    }

    @ParameterizedTest
    @MethodSource("programs")
    void pairsOfCrashesWithTwoGroupsAreRecoveredOrEndClearly(String program) {
        SimReport report = new Simulation().program(program).ranks(4).checksums(2).spares(1).seed(2000).steps(6)
            .pairs(PAIRS);
        check(report, PAIRS / 2);
        assertTrue(report.gaveUp() < report.deaths() / 2, report::toString);
    }
}
