package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * All members of a node die at once: survived wherever groups are kept apart, a clear end where they are not (design,
 * section 7).
 */
@Tag("long")
class NodeLossTest {
    private static Simulation simulation(String program, String protocol) {
        return new Simulation().program(program).protocol(protocol).ranks(4).checksums(2).spares(1).seed(7);
    }

    @ParameterizedTest
    @CsvSource({"halo,coordinated", "atomics,coordinated", "halo,full", "locks,full"})
    void lossOfANodeAtAnyMomentIsSurvivedUnderAnAwarePlacement(String program, String protocol) {
        SimReport report = simulation(program, protocol).nodes(3, "node").nodeKills(61);
        assertTrue(report.clean(), report::toString);
        assertEquals(0, report.gaveUp(), report::toString);
        assertTrue(report.deaths() > 50, report::summary);
    }

    @ParameterizedTest
    @CsvSource({"halo,coordinated", "halo,full"})
    void lossOfANodeThatHoldsTwoOfAGroupEndsClearly(String program, String protocol) {
        SimReport report = simulation(program, protocol).nodes(3, "none").nodeKills(149);
        assertTrue(report.clean(), report::toString);
        assertTrue(report.gaveUp() > 0, report::toString);
    }
}
