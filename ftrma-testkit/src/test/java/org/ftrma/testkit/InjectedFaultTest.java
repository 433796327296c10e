package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import org.ftrma.checkpoint.Fault;
import org.junit.jupiter.api.Test;

/** The simulator finds bugs: those that tests put into the protocol. */
class InjectedFaultTest {
    private static SimReport enumerate(String program, Set<Fault> faults) {
        return new Simulation().program(program).faults(faults).singles();
    }

    private static void finds(Fault fault, String program, String reason) {
        SimReport report = enumerate(program, Set.of(fault));
        assertFalse(report.clean(), () -> "not found: " + report.summary());
        assertTrue(report.failures().stream().anyMatch(f -> f.reason().contains(reason)), report::toString);
    }

    @Test
    void aMissingSecondBarrierIsFoundByTheProgramThatPutsRightAfterTheBoundary() {
        finds(Fault.SKIP_SECOND_BARRIER, "eager", "wrong result");
    }

    @Test
    void aCommitBeforeTheParityIsReadyIsFound() {
        finds(Fault.COMMIT_EARLY, "halo", "");
    }

    @Test
    void aMissingFlushBeforeTheCutIsFound() {
        finds(Fault.FORGET_FLUSH, "eager", "wrong result");
    }

    @Test
    void aFailureReplaysFromItsSeedAndCrashes() {
        SimReport report = enumerate("eager", Set.of(Fault.SKIP_SECOND_BARRIER));
        SimReport.Failure failure = report.failures().getFirst();
        String command = failure.command();
        String crashes = command.replaceAll(".* --crashes (\\S+).*", "$1");
        String seed = command.replaceAll(".* --seed (\\S+).*", "$1");
        Simulation again = new Simulation().program("eager").faults(Set.of(Fault.SKIP_SECOND_BARRIER)).seed(Long.parseLong(seed))
            .crashes(crashes);
        SimResult first = again.replay();
        assertEquals(failure.reason(), again.judge(first));
        assertEquals(first.trace(), again.replay().trace());
    }
}
