package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.ftrma.core.control.FallbackReason;
import org.ftrma.testkit.programs.Programs;
import org.ftrma.testkit.programs.SimProgram;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a rank did to its own window is in its memory, in program order, whatever its replacement does next; and what
 * locks order stays in order, whichever window and rank they belong to. Each kind of program is crashed everywhere.
 */
@Tag("long")
class OwnWindowTest {
    private static final long STEPS = 4;

    static Stream<String> programs() {
        return Programs.ownWindow(1).stream().map(SimProgram::name);
    }

    /**
     * An interval of "none": the first checkpoint only, so that replay is long. Spares: those who wait for a lock take
     * many steps.
     */
    private static Simulation full(String program, String interval) {
        return new Simulation().program(program).protocol("full").steps(STEPS).interval(interval).spares(2);
    }

    private static void check(SimReport report) {
        System.out.println(report.summary());
        assertTrue(report.clean(), report::toString);
        assertEquals(0, report.gaveUp(), report::toString);
        assertTrue(report.replays() > 0, report::summary);
    }

    @ParameterizedTest
    @MethodSource("programs")
    void resultsDoNotDependOnTheSchedule(String program) {
        SimReport report = new Simulation().program(program).steps(STEPS).schedules(40);
        assertTrue(report.clean() && report.rollbacks() == 0, report::toString);
    }

    @ParameterizedTest
    @MethodSource("programs")
    void oneCrashAtEveryPointOfEveryMemberLeavesTheResultAsItIs(String program) {
        check(full(program, "none").singles(EveryPoint.or(5)));
    }

    @ParameterizedTest
    @MethodSource("programs")
    void killsAtAnyMomentLeaveTheResultAsItIs(String program) {
        check(full(program, "2").seed(7).kills(59));
    }

    /**
     * One loss, at points of every rank, fewer where there are several checkpoints: only that rank goes back, or the
     * reason is another one.
     */
    @ParameterizedTest
    @CsvSource({"unrelatedlock, UNORDERED_CONFLICT", "countedlock, LOG_GAP", "carriedget, DETERMINANT_MISMATCH",
        "scratchreplace, LOG_GAP",
        "slices, UNORDERED_CONFLICT", "slices, LOG_GAP", "latelock, UNORDERED_CONFLICT", "claim, ATOMIC_IN_FLIGHT",
        "mailbox, LOG_GAP"})
    void orderedAccessesAreRecoveredWithoutThatReason(String program, FallbackReason reason) {
        for (String interval : List.of("none", "2")) {
            int stride = EveryPoint.or(interval.equals("2") ? 7 : 3);
            Simulation simulation = full(program, interval);
            Map<String, Integer> reasons = new TreeMap<>();
            SimMemory memory = new SimMemory();
            SimResult base = simulation.run(1, List.of(), memory);
            assertTrue(base.succeeded(), base::story);
            int local = 0;
            String story = "";
            for (int rank = 0; rank < simulation.ranks(); rank++) {
                for (long point = 1 + rank % stride; point <= base.memberPoints()[rank]; point += stride) {
                    SimResult result = simulation.run(1, List.of(new Crash(true, rank, point, Crash.How.AFTER)),
                        memory);
                    assertNull(result.fault(base.contents()), result::story);
                    local += result.outcome().rollbacks() == 0 ? result.outcome().localRecoveries() : 0;
                    result.outcome().fallbacks().keySet().forEach(one -> reasons.merge(one, 1, Integer::sum));
                    if (result.outcome().fallbacks().containsKey(reason.name())) {
                        story = simulation.command(1, result.crashes()) + "\n" + result.story();
                    }
                }
            }
            assertEquals(0, reasons.getOrDefault(reason.name(), 0),
                program + ": " + local + " local recoveries, " + reasons + "\n" + story);
            assertTrue(local > 20, program + ": " + local + " local recoveries, " + reasons);
        }
    }

    @Test
    void programsAreFoundByTheirNames() {
        assertEquals(List.of("reset", "directlock", "ownsource", "guard", "elsewhere", "emptylock", "lockchain",
            "unrelatedlock", "countedlock",
            "carriedget", "scratchreplace", "slices", "latelock", "claim", "mailbox"), programs().toList());
        programs().forEach(name -> assertEquals(name, Programs.byName(name, 3).name()));
    }
}
