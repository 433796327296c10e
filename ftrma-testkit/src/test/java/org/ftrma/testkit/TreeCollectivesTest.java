package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.ftrma.options.JobOption;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reductions and gathers whose data moves along trees, and processes that die in the middle of them. */
@Tag("long")
class TreeCollectivesTest {
    private static Simulation reductions(int ranks) {
        return new Simulation().program("reductions").ranks(ranks).steps(3).interval("2")
            .set(JobOption.DIRECT_COLLECTIVES, "1");
    }

    private static void check(SimReport report, int least) {
        System.out.println(report.summary());
        assertTrue(report.clean(), report::toString);
        assertTrue(report.deaths() >= least, () -> "too few crashes took place: " + report.summary());
    }

    @ParameterizedTest
    @CsvSource({"coordinated, auto, 61", "full, auto, 17", "full, network, 31"})
    void oneCrashLeavesTheResultAsItIs(String protocol, String path, int stride) {
        check(reductions(5).protocol(protocol).path(path).singles(EveryPoint.or(stride)), 35);
    }

    @Test
    void twoCrashesLeaveTheResultAsItIs() {
        check(reductions(6).losses(2).checksums(2).protocol("full").steps(2).interval("1").pairs(60), 60);
    }

    /** No two of these numbers have the same tree. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 6, 7, 9})
    void oneCrashLeavesTheResultAsItIsWhateverTheNumberOfRanks(int ranks) {
        check(reductions(ranks).protocol("full").steps(2).interval("1").singles(EveryPoint.or(ranks * 15 | 1)), 15);
    }

    /** Of integers, which may be added in any order. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5, 8, 11})
    void resultsAreThoseOfReadingFromEveryRank(int ranks) {
        Simulation trees = new Simulation().program("collectives").ranks(ranks).steps(3)
            .set(JobOption.DIRECT_COLLECTIVES, "1");
        Simulation direct = new Simulation().program("collectives").ranks(ranks).steps(3)
            .set(JobOption.DIRECT_COLLECTIVES, "64");
        assertNull(direct.judge(trees.replay()));
    }
}
