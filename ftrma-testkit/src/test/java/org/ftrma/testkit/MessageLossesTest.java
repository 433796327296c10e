package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.ftrma.testkit.programs.Programs;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Ranks that send messages are lost at any moment, and all go back to the newest checkpoint, of which messages are part
 * that were sent and not received.
 */
@Tag("long")
class MessageLossesTest {
    private static Simulation simulation(String path) {
        return new Simulation().program(Programs.messages(4)).ranks(3).checksums(1).protocol("coordinated")
            .interval("1").path(path);
    }

    private static void holds(SimReport report) {
        assertEquals(0, report.failed(), report::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "network"})
    void underManySchedules(String path) {
        holds(simulation(path).schedules(20));
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "network"})
    void aProcessIsKilledAtAnyMoment(String path) {
        holds(simulation(path).kills(13));
    }

    @ParameterizedTest
    @ValueSource(ints = 211)
    void anythingBefallsAHost(int stride) {
        holds(simulation("auto").checksums(2).hosts(3).hostFaults(stride));
    }
}
