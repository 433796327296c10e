package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.ftrma.core.control.FallbackReason;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.core.coordinator.JobOutcome;
import org.ftrma.testkit.programs.Flavour;
import org.ftrma.xor.domains.Topology;
import org.ftrma.xor.domains.TopologyText;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Groups that survive several losses at once (m of 2 and more): the failure matrix again where m matters, with
 * computing ranks and checksum ranks among those lost (design, section 7 and I3). Unless said otherwise there is one
 * group: ranks 0 to 2 and checksum ranks 3 and 4.
 */
@Tag("long")
class SeveralLossesTest {
    private static final int PROGRAMS = EveryPoint.many(60, 30);

    private static Simulation two(String program, String protocol) {
        return new Simulation().program(program).protocol(protocol).ranks(3).losses(2).checksums(2).spares(2);
    }

    private static SimReport check(SimReport report, int deaths) {
        System.out.println(report.summary());
        assertTrue(report.clean(), report::toString);
        assertTrue(report.deaths() >= deaths, report::summary);
        return report;
    }

    @ParameterizedTest
    @CsvSource({"halo,coordinated", "rotating,coordinated", "sparse,full", "atomics,full"})
    void oneCrashAtEveryPointOfEveryMemberLeavesTheResultAsItIs(String program, String protocol) {
        assertEquals(0, check(two(program, protocol).singles(EveryPoint.or(5)), 400 / EveryPoint.or(5)).gaveUp());
    }

    /** Rows 2 and 10: any two at once, also while a checkpoint is taken. */
    @ParameterizedTest
    @CsvSource({"halo,coordinated", "rotating,coordinated", "sparse,coordinated", "halo,full", "locks,full",
        "atomics,full"})
    void anyTwoOfAGroupAtOnceAreRecovered(String program, String protocol) {
        assertEquals(0, check(two(program, protocol).interval("1").groupKills(61, 2), 100).gaveUp());
    }

    /** Row 11. */
    @ParameterizedTest
    @ValueSource(strings = {"coordinated", "full"})
    void anyThreeAtOnceEndTheJobClearly(String protocol) {
        SimReport report = check(two("halo", protocol).groupKills(251, 3), 40);
        assertTrue(report.gaveUp() > 30, report::summary);
        SimResult result = two("halo", protocol).crashes("m0#1100,m4#1100,m2#1100").replay();
        assertEquals(JobOutcome.Kind.CATASTROPHIC, result.outcome().kind(), result::story);
        assertTrue(result.outcome().message()
            .contains("group 0 lost 3 members (rank 0, rank 2, checksum rank 1) and can rebuild 2"), result::story);
        assertTrue(result.outcome().message().contains("it would have been survived with --losses 3 --checksums 3"),
            result::story);
    }

    /** Rows 6, 8 and 9: the second one at any time after the first, often during its recovery. */
    @ParameterizedTest
    @CsvSource({"halo,coordinated", "sparse,coordinated", "halo,full", "locks,full", "atomics,full"})
    void pairsOfCrashesAreAllRecovered(String program, String protocol) {
        SimReport report = check(two(program, protocol).spares(1).seed(7000).pairs(EveryPoint.many(160, 60)), 30);
        assertEquals(0, report.gaveUp(), report::toString);
    }

    @Test
    void twoGroupsOfTwoLossesEachAreIndependent() {
        Simulation simulation = new Simulation().program("halo").protocol("full").ranks(4).losses(2).checksums(4)
            .spares(2).steps(6);
        check(simulation.seed(7100).pairs(120), 60);
        SimResult result = simulation.crashes("m0#900,m2#900,m1#900,m6#900").replay();
        assertEquals(JobOutcome.Kind.SUCCESS, result.outcome().kind(), result::story);
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4})
    void threeAndFourLossesAreRecoveredToo(int losses) {
        Simulation simulation = new Simulation().program("halo").ranks(3).losses(losses).checksums(losses)
            .spares(losses);
        assertEquals(0, check(simulation.groupKills(431, losses), 20).gaveUp());
        assertEquals(0, check(simulation.protocol("full").groupKills(431, losses), 20).gaveUp());
    }

    /** Row 8: its parity is made of what is left, and no computing rank goes back but the lost one. */
    @Test
    void aRankAndAChecksumRankAtOnceAreRecoveredWhileTheOthersRunOn() {
        Simulation simulation = two("halo", "full").steps(8).interval("3");
        long steps = simulation.replay().steps();
        int local = 0;
        int runs = 0;
        for (long at = steps / 3; at < steps * 9 / 10; at += steps / 40) {
            for (long later : new long[] {0, 20, 150}) {
                for (String order : List.of("m1#%d,m3#%d", "m4#%d,m1#%d")) {
                    SimResult result = simulation.crashes(String.format(order, at, at + later)).replay();
                    assertEquals(JobOutcome.Kind.SUCCESS, result.outcome().kind(), result::story);
                    assertTrue(result.outcome().rollbacks() == 0 || !result.outcome().fallbacks().isEmpty(),
                        result::story);
                    runs++;
                    local += result.outcome().rollbacks() == 0 && result.outcome().localRecoveries() == 1 ? 1 : 0;
                }
            }
        }
        int recovered = local;
        assertTrue(local > runs * 2 / 3, recovered + " of " + runs + " recovered locally");
    }

    @ParameterizedTest
    @ValueSource(strings = {"coordinated", "full"})
    void bothChecksumRanksAtOnceMakeNobodyGoBack(String protocol) {
        Simulation simulation = two("halo", protocol).steps(8).interval("2");
        SimResult base = simulation.replay();
        for (long at = base.steps() / 4; at < base.steps(); at += base.steps() / 30) {
            SimResult result = simulation.crashes("m3#" + at + ",m4#" + (at + 1)).replay();
            assertEquals(JobOutcome.Kind.SUCCESS, result.outcome().kind(), result::story);
            boolean running = result.events().stream().takeWhile(e -> !(e.event() instanceof JobEvent.MemberLost))
                .anyMatch(e -> e.event() instanceof JobEvent.Running);
            assertTrue(!running || result.outcome().rollbacks() == 0, result::story);
        }
    }

    @Test
    void twoRanksAtOnceAreAFallbackWithItsReason() {
        Simulation simulation = two("halo", "full").steps(8).interval("2");
        SimResult base = simulation.replay();
        long at = base.steps() * 2 / 3;
        SimResult result = simulation.crashes("m0#" + at + ",m1#" + at).replay();
        assertEquals(JobOutcome.Kind.SUCCESS, result.outcome().kind(), result::story);
        assertTrue(result.outcome().fallbacks().containsKey(FallbackReason.SECOND_FAILURE.name()), result::story);
    }

    /**
     * Both parities get the demand checkpoints; one of those that change them, the rank itself, or another one dies in
     * the middle.
     */
    @ParameterizedTest
    @CsvSource({"halo,bulk", "atomics,bulk", "halo,streaming", "locks,streaming"})
    void demandCheckpointsGoIntoAllParities(String program, String demand) {
        Simulation simulation = two(program, "full").logLow(0).demand(demand).interval("none").steps(4).seed(5);
        SimResult clean = simulation.replay();
        assertTrue(clean.outcome().demands().committed() >= 1, clean::story);
        assertEquals(0, check(simulation.groupKills(53, 2), 50).gaveUp());
        assertEquals(0, check(simulation.interval("3").seed(7300).pairs(120), 60).gaveUp());
    }

    /** Row 3 for m of 2: a checksum rank at every point at which parities are changed in place. */
    @Test
    void aChecksumRankThatDiesWhileParitiesAreChangedInPlaceIsReplacedAfterwards() {
        assertEquals(0, check(two("halo", "full").ranks(2).logLow(0).demand("streaming").interval("none").steps(4)
            .singles(EveryPoint.or(5)), 400 / EveryPoint.or(5)).gaveUp());
    }

    @ParameterizedTest
    @EnumSource
    void crashesLeaveTheResultsOfRandomProgramsAsTheyAre(Flavour flavour) {
        for (String protocol : List.of("coordinated", "full")) {
            RandomReport report = new RandomRuns().losses(2).shaped(simulation -> simulation.protocol(protocol))
                .flavour(flavour).seeds(30_000, PROGRAMS)
                .run();
            System.out.println(report);
            assertTrue(report.clean(), report::toString);
            assertTrue(report.crashed() > 2 * PROGRAMS, report::toString);
        }
    }

    @Test
    void aGenerationThatCountsBeforeAllItsParitiesAreThereIsFound() {
        SimReport report = two("halo", "coordinated").interval("1").faults(Set.of("COMMIT_EARLY")).until(1)
            .groupKills(31, 2);
        assertTrue(report.failed() > 0, report::summary);
    }

    /** Row 12: a node holds two members of the group, and more would not be survived. */
    @ParameterizedTest
    @CsvSource({"halo,coordinated", "locks,full"})
    void lossOfANodeWithTwoMembersOfAGroupIsSurvived(String program, String protocol) {
        Simulation simulation = new Simulation().program(program).protocol(protocol).ranks(4).losses(2).checksums(2)
            .spares(2).seed(7);
        assertEquals(0, check(simulation.nodes(3, "node").nodeKills(97), 20).gaveUp());
        assertTrue(check(simulation.nodes(2, "none").nodeKills(397), 5).gaveUp() > 0);
        Topology racks = Topology.regular("racks", List.of("node", "rack"), new int[] {6, 3}, 2);
        assertEquals(0, check(simulation.nodes(0, "rack").topology(TopologyText.of(racks)).nodeKills(197), 10)
            .gaveUp());
    }
}
