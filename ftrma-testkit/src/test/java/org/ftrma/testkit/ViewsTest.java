package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Parts of others that are read in place ({@link org.ftrma.Window#shared}), or as copies where loads must be seen. */
class ViewsTest {
    private static Simulation views(int ranks, String protocol) {
        return new Simulation().program("views").ranks(ranks).steps(4).interval("2").protocol(protocol).spares(2);
    }

    @ParameterizedTest
    @CsvSource({"none, 2", "none, 5", "coordinated, 4", "full, 4", "ml, 4"})
    void resultsDoNotDependOnTheSchedule(String protocol, int ranks) {
        for (String path : List.of("auto", "network")) {
            SimReport report = views(ranks, protocol).checksums(protocol.equals("none") ? 0 : 1).path(path)
                .schedules(3);
            assertTrue(report.clean() && report.rollbacks() == 0, report::toString);
        }
    }

    @ParameterizedTest
    @CsvSource({"coordinated, auto, 61, 20", "full, auto, 151, 20", "full, network, 181, 20", "ml, auto, 173, 20"})
    void oneCrashLeavesTheResultAsItIs(String protocol, String path, int stride, int least) {
        SimReport report = views(4, protocol).path(path).singles(EveryPoint.or(stride));
        System.out.println(report.summary());
        assertTrue(report.clean(), report::toString);
        assertEquals(0, report.gaveUp(), report::toString);
        assertTrue(report.deaths() >= least, () -> "too few crashes took place: " + report.summary());
    }
}
