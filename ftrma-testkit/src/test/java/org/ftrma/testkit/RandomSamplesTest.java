package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.UnaryOperator;
import org.ftrma.testkit.programs.Flavour;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A few random programs of each flavour under each way to protect them: what is quick to run when something was
 * changed, and finds most of what thousands of programs find. Those are in {@link LocalRecoveryTest},
 * {@link DemandCheckpointTest} and others.
 */
@Tag("long")
class RandomSamplesTest {
    private static final int PROGRAMS = EveryPoint.many(110, 60);

    private static void check(Flavour flavour, int losses, long first, UnaryOperator<Simulation> shape) {
        RandomReport report = new RandomRuns().losses(losses).shaped(shape).flavour(flavour).seeds(first, PROGRAMS)
            .run();
        System.out.println(report);
        assertTrue(report.clean(), report::toString);
        assertTrue(report.crashed() > PROGRAMS, report::toString);
    }

    @ParameterizedTest
    @EnumSource
    void lossesUnderCoordinatedCheckpointsLeaveTheResultsAsTheyAre(Flavour flavour) {
        check(flavour, 1, 40_000, simulation -> simulation);
    }

    @ParameterizedTest
    @EnumSource
    void lossesWithLogsLeaveTheResultsAsTheyAre(Flavour flavour) {
        check(flavour, 1, 41_000, simulation -> simulation.protocol("full"));
    }

    @ParameterizedTest
    @EnumSource
    void lossesWithDemandCheckpointsLeaveTheResultsAsTheyAre(Flavour flavour) {
        check(flavour, 1, 42_000, simulation -> simulation.protocol("full").logLow(0).interval("none"));
    }

    @ParameterizedTest
    @EnumSource
    void twoLossesOfAGroupLeaveTheResultsAsTheyAre(Flavour flavour) {
        check(flavour, 2, 43_000, simulation -> simulation.protocol("full"));
    }
}
