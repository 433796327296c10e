package org.ftrma.apps.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.ftrma.MisuseException;
import org.ftrma.options.JobOptions;
import org.ftrma.testkit.SimCluster;
import org.ftrma.testkit.SimReport;
import org.ftrma.testkit.SimResult;
import org.ftrma.testkit.Simulation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The samples on simulated ranks: their results, alone and with crashes. */
class SamplesTest {
    private static final String SMALL_STENCIL = "stencil --steps 4 --size 5x7 --residual-every 2";
    private static final String SMALL_LOCKS = "locks --steps 4 --accounts 2 --transfers 2";
    private static final String SMALL_CG = "cg --size 6 --tolerance 6";
    private static final String SMALL_TASKS = "tasks --roots 5 --depth 4 --batch 3 --capacity 64";
    private static final String SMALL_BFS = "bfs --vertices 40 --degree 2";
    private static final String SMALL_ATOMICS = "atomics --steps 4 --slots 4 --operations 2";

    private static Map<String, Object> reports(String line, int ranks, long seed) {
        JobOptions options = JobOptions.of(Map.of("ranks", "" + ranks, "checksums", "1", "interval", "2"));
        SimResult result = new SimCluster(options, new SimulatedSample(line), seed).run();
        assertTrue(result.succeeded(), result::story);
        return result.outcome().reports();
    }

    @ParameterizedTest
    @ValueSource(strings = {SMALL_STENCIL, SMALL_LOCKS, SMALL_ATOMICS, SMALL_CG, SMALL_TASKS, SMALL_BFS})
    void resultIsVerifiedAndDoesNotDependOnTheSchedule(String line) {
        for (int ranks = 1; ranks <= 4; ranks++) {
            Map<String, Object> first = reports(line, ranks, 1);
            for (long seed = 1; seed <= 10; seed++) {
                Map<String, Object> reports = reports(line, ranks, seed);
                assertEquals(true, reports.get("verified"), line + " on " + ranks + ", seed " + seed + ": " + reports);
                assertEquals(first.get("checksumDigest"), reports.get("checksumDigest"),
                    line + " on " + ranks + ", seed " + seed);
            }
        }
    }

    @Tag("long")
    @ParameterizedTest
    @ValueSource(strings = {SMALL_STENCIL, SMALL_LOCKS, SMALL_ATOMICS})
    void oneCrashAtEveryPointOfEveryMemberLeavesTheResultAsItIs(String line) {
        for (int ranks = 2; ranks <= 3; ranks++) {
            SimReport report = new Simulation().program(new SimulatedSample(line)).ranks(ranks).seed(ranks).singles();
            System.out.println(report.summary());
            assertTrue(report.clean() && report.gaveUp() == 0, report::toString);
            assertTrue(report.deaths() > 400 && report.rollbacks() > 100, report::summary);
        }
    }

    @Tag("long")
    @ParameterizedTest
    @ValueSource(strings = {SMALL_STENCIL, SMALL_LOCKS, SMALL_ATOMICS})
    void pairsOfCrashesOnFourRanksAreRecoveredOrEndClearly(String line) {
        SimReport report = new Simulation().program(new SimulatedSample(line)).ranks(4).checksums(2).spares(1).seed(50)
            .pairs(200);
        System.out.println(report.summary());
        assertTrue(report.clean() && report.deaths() > 100 && report.rollbacks() > 50, report::toString);
    }

    /** They find out how many steps they take. */
    @ParameterizedTest
    @CsvSource({SMALL_CG + ", coordinated, 101", SMALL_CG + ", full, 171", SMALL_TASKS + ", coordinated, 31",
        SMALL_TASKS + ", full, 41", SMALL_BFS + ", coordinated, 9", SMALL_BFS + ", full, 17"})
    void oneCrashLeavesTheResultOfLoopsWithoutANumberOfStepsAsItIs(String line, String protocol, int stride) {
        SimReport report = new Simulation().program(new SimulatedSample(line)).protocol(protocol).interval("2").ranks(3)
            .seed(3).singles(stride);
        System.out.println(report.summary());
        assertTrue(report.clean() && report.gaveUp() == 0, report::toString);
        assertTrue(report.deaths() > 25 && report.rollbacks() + report.replays() > 15, report::summary);
    }

    /** Cuts in both directions and in one, uneven blocks, blocks of one row, one cell. */
    @ParameterizedTest
    @CsvSource({"1, 9x4, 1x1", "2, 9x4, 1x2", "2, 9x4, 2x1", "4, 9x5, 2x2", "4, 9x5, 1x4", "4, 9x5, 4x1", "4, 2x2, 2x2",
        "3, 3x1, 3x1", "6, 7x7, 2x3"})
    void stencilIsTheSerialIterationHoweverTheFieldIsCut(int ranks, String size, String grid) {
        Map<String, Object> reports = reports("stencil --steps 7 --residual-every 3 --size " + size + " --grid " + grid,
            ranks, 3);
        assertEquals(true, reports.get("verified"));
        assertEquals(grid, reports.get("grid"));
        assertTrue((double) reports.get("residual") > 0);
    }

    @Test
    void stencilMayLeaveOutTheSerialRun() {
        Map<String, Object> reports = reports("stencil --verify no --steps 3", 2, 1);
        assertTrue(!reports.containsKey("verified") && reports.containsKey("checksumDigest"), reports.toString());
    }

    @Test
    void digestsTellDifferentResultsApart() {
        assertTrue(!reports(SMALL_LOCKS, 2, 1).get("checksumDigest")
            .equals(reports("locks --steps 5 --accounts 2", 2, 1).get("checksumDigest")));
        assertTrue(!reports(SMALL_ATOMICS, 2, 1).get("checksumDigest")
            .equals(reports("atomics --steps 5 --slots 4", 2, 1).get("checksumDigest")));
        assertTrue(!reports(SMALL_STENCIL, 2, 1).get("checksumDigest").equals(
            reports("stencil --steps 5 --size 5x7", 2, 1).get("checksumDigest")));
    }

    /** What verification is there for: one wrong bit anywhere is found. */
    @ParameterizedTest
    @CsvSource({"accounts, locks --steps 3 --accounts 2", "table, atomics --steps 3 --slots 4",
        "counters, atomics --steps 3 --slots 4"})
    void oneWrongBitIsFound(String window, String line) {
        JobOptions options = JobOptions.of(Map.of("ranks", "2"));
        SimResult result = new SimCluster(options, new SimulatedSample(line).spoiling(window), 5).run();
        assertEquals(false, result.outcome().reports().get("verified"), result::story);
        assertEquals(1, result.outcome().kind().exitCode());
    }

    @Test
    void wrongArgumentsAreRefusedWithTheReason() {
        for (String[] one : new String[][] {
            {"stencil --stops 3", "--stops"}, {"stencil --steps 0", "--steps=0"}, {"stencil --steps", "missing"},
                {"stencil --size 4", "--size=4"},
            {"stencil --size 4x0", "--size=4x0"}, {"stencil --grid 3x1", "--grid=3x1"},
            {"stencil --size 1x1", "--size=1x1"},
            {"stencil --verify maybe", "--verify=maybe"}, {"locks --accounts none", "--accounts=none"},
            {"atomics --slots 1", "--slots=1"},
            {"dance", "stencil, locks, atomics"},
        }) {
            List<String> words = List.of(one[0].split(" "));
            MisuseException refused = assertThrows(MisuseException.class,
                () -> Samples.check(words.getFirst(), words.subList(1, words.size()).toArray(String[]::new), 4),
                one[0]);
            assertTrue(refused.getMessage().contains(one[1]), refused.getMessage());
        }
    }
}
