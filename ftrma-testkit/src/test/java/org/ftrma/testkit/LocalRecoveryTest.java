package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.ftrma.core.control.FallbackReason;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.options.JobOptions;
import org.ftrma.testkit.programs.Flavour;
import org.ftrma.testkit.programs.Programs;
import org.ftrma.testkit.programs.SimProgram;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Protocol full: only the lost rank goes back, or all with a reason that is told; the result is that of a run without
 * failures in either case (design, I1, I2, I6).
 */
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LocalRecoveryTest {
    private static final int PROGRAMS = EveryPoint.many(700, 250);

    static Stream<String> programs() {
        return Programs.all(1).stream().map(SimProgram::name);
    }

    private static Simulation full(String program) {
        return new Simulation().program(program).protocol("full");
    }

    private static void check(SimReport report, int deaths, int replays) {
        System.out.println(report.summary());
        assertTrue(report.clean(), report::toString);
        assertTrue(report.deaths() >= deaths && report.replays() >= replays, report::summary);
    }

    @ParameterizedTest
    @MethodSource("programs")
    void oneCrashAtEveryPointOfEveryMemberLeavesTheResultAsItIs(String program) {
        int stride = EveryPoint.or(3);
        SimReport report = full(program).singles(stride);
        check(report, 390 / stride, 150 / stride);
        assertTrue(report.gaveUp() == 0, report::toString);
    }

    @ParameterizedTest
    @MethodSource("programs")
    void killsAtAnyMomentAndHangsAtAnyPointLeaveTheResultAsItIs(String program) {
        check(full(program).seed(12).spares(1).kills(EveryPoint.many(11, 29)), 30, 4);
    }

    @ParameterizedTest
    @MethodSource("programs")
    void pairsOfCrashesAreRecoveredOrEndClearly(String program) {
        int pairs = EveryPoint.many(200, 80);
        check(full(program).seed(3000).spares(1).pairs(pairs), pairs / 2, pairs / 10);
        check(full(program).ranks(4).checksums(2).spares(1).seed(4000).steps(6).pairs(pairs), pairs / 2, pairs / 10);
    }

    /**
     * The checksum rank reads the images of the rank's new process: no parity is given up, and it is not taken for one
     * that is stuck.
     */
    @Test
    void checkpointsGoOnAfterARankWasReplacedWhileTheOthersRanOn() {
        JobOptions options = JobOptions.of(Map.of("ranks", "3", "checksums", "1", "spares", "2", "interval", "2",
            "protocol", "full",
            "log-budget", "1MiB", "cut-deadline", "1s"));
        for (long seed = 1; seed <= 20; seed++) {
            SimResult result = new SimCluster(options, Programs.byName("halo", 30), seed)
                .when(JobEvent.Committed.class, e -> e.generation() == 1, c -> c.kill(1)).run();
            assertTrue(result.succeeded(), result::story);
            assertEquals(1, result.outcome().localRecoveries(), result::story);
            assertEquals(1, count(result, JobEvent.MemberLost.class), result::story);
            assertEquals(0, count(result, JobEvent.Abandoned.class), result::story);
            assertTrue(count(result, JobEvent.Committed.class) > 5, result::story);
        }
    }

    private static long count(SimResult result, Class<? extends JobEvent> type) {
        return result.events().stream().filter(e -> type.isInstance(e.event())).count();
    }

    @ParameterizedTest
    @EnumSource
    void crashesLeaveTheResultsOfRandomProgramsAsTheyAre(Flavour flavour) {
        RandomReport report = new RandomRuns().shaped(simulation -> simulation.protocol("full")).flavour(flavour)
            .seeds(10_000, PROGRAMS).run();
        System.out.println(report);
        assertTrue(report.clean(), report::toString);
        assertTrue(report.ends().get(RandomReport.End.LOCAL) > report.crashed() / 5, report::toString);
        // These programs are deterministic.
        assertFalse(report.fallbacks().containsKey(FallbackReason.DETERMINANT_MISMATCH.name()), report::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = {"EPOCH_NOT_COUNTED", "RECORD_DROPPED", "LATE_DATA_FORGOTTEN", "N_NEVER_SET", "REPLAY_TWICE",
        "TRIM_TOO_LATE"})
    void bugsAreFoundByRandomPrograms(String fault) {
        Flavour flavour = fault.equals("N_NEVER_SET") ? Flavour.ATOMICS : Flavour.GSYNC;
        RandomReport report = new RandomRuns().shaped(simulation -> simulation.protocol("full")).flavour(flavour)
            .faults(Set.of(fault)).seeds(1, 100).until(1).run();
        assertTrue(report.failed() > 0, () -> fault + " was not found: " + report.summary());
    }

    @Test
    void aReplayThatIgnoresGncIsFound() {
        SimReport report = full("halo").steps(6).interval("3").faults(Set.of("GNC_IGNORED")).until(1)
            .singles();
        assertTrue(report.failed() > 0, () -> "not found: " + report.summary());
    }

    @Test
    void pagesOfLogsComeAheadOnceForEachProcessThatRunsSteps() {
        Simulation simulation = full("halo");
        SimResult base = simulation.run(3, List.of(), new SimMemory());
        assertEquals(3, base.traffic().prefaults(), base::story);
        int replays = 0;
        int rollbacks = 0;
        for (long point = 1; point <= base.memberPoints()[1]; point += 7) {
            SimResult result = simulation.run(3, List.of(new Crash(true, 1, point, Crash.How.AFTER)), new SimMemory());
            assertTrue(result.succeeded(), result::story);
            replays += result.outcome().localRecoveries();
            rollbacks += result.outcome().rollbacks();
            if (result.events().stream().anyMatch(timed -> timed.event() instanceof JobEvent.MemberLost lost
                && lost.step() > 0)) {
                assertEquals(4, result.traffic().prefaults(), result::story);
            }
        }
        assertTrue(replays > 10 && rollbacks < replays, replays + " replays, " + rollbacks + " rollbacks");
    }
}
