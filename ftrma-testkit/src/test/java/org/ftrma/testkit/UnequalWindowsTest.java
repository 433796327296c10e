package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.function.ToLongFunction;
import org.ftrma.Job;
import org.ftrma.WindowKind;
import org.ftrma.testkit.programs.SimProgram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Windows with parts of different sizes: in groups whose members differ, from parity, by replay. */
class UnequalWindowsTest {
    private static Simulation unequal(int ranks, String protocol) {
        return new Simulation().program("unequal").ranks(ranks).steps(4).interval("1").protocol(protocol).spares(2);
    }

    private static void check(SimReport report, int least) {
        System.out.println(report.summary());
        assertTrue(report.clean(), report::toString);
        assertEquals(0, report.gaveUp(), report::toString);
        assertTrue(report.deaths() >= least, () -> "too few crashes took place: " + report.summary());
    }

    @ParameterizedTest
    @CsvSource({"none, 2", "none, 5", "coordinated, 4", "full, 4", "ml, 4"})
    void resultsDoNotDependOnTheSchedule(String protocol, int ranks) {
        for (String path : List.of("auto", "network")) {
            SimReport report = unequal(ranks, protocol).checksums(protocol.equals("none") ? 0 : 1).path(path)
                .schedules(3);
            assertTrue(report.clean() && report.rollbacks() == 0, report::toString);
        }
    }

    /** Each rank is lost in turn: the one with no bytes, and the one with most. */
    @ParameterizedTest
    @CsvSource({"coordinated, auto, 83", "full, auto, 131", "full, network, 151"})
    void oneCrashLeavesTheResultAsItIs(String protocol, String path, int stride) {
        check(unequal(4, protocol).path(path).singles(EveryPoint.or(stride)), 20);
    }

    /** By Reed-Solomon codes; two groups, of members of other sizes. */
    @Test
    void twoCrashesLeaveTheResultAsItIs() {
        for (Simulation simulation : List.of(unequal(4, "coordinated").losses(2), unequal(5, "full"))) {
            SimReport report = simulation.checksums(2).pairs(14);
            System.out.println(report.summary());
            assertTrue(report.clean() && report.deaths() >= 14, report::toString);
        }
    }

    private static String failure(ToLongFunction<Job> bytes) {
        SimProgram program = new SimProgram() {
            @Override
            public String name() {
                return "refused";
            }

            @Override
            public void run(Job job, Results results) {
                job.allocateUnequal("parts", bytes.applyAsLong(job), WindowKind.PROTECTED);
                for (long step : job.steps(1)) {
                    job.gsync();
                }
            }
        };
        return new Simulation().program(program).protocol("coordinated").run(1, List.of(), new SimMemory()).outcome()
            .message();
    }

    @Test
    void negativeSizesAndNothingAnywhereAreRefused() {
        assertTrue(failure(job -> -1L).contains("window parts bytes=-1: must be 0 or more"));
        assertTrue(failure(job -> 0L).contains("window parts bytes=0: on all ranks"));
    }
}
