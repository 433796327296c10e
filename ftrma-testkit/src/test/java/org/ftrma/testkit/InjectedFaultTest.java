package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import org.ftrma.testkit.programs.Flavour;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The simulator finds bugs: those that tests put into the protocol. */
@Tag("long")
class InjectedFaultTest {
    /** Seeds differ in temper, and not every temper brings every bug to light: the first few together must. */
    private static final int SEEDS = 12;
    /** As many as a report keeps. */
    private static final int FAILURES = 5;

    private static SimReport.Failure find(String fault, String program, String reason) {
        StringBuilder searched = new StringBuilder();
        for (long seed = 1; seed <= SEEDS; seed++) {
            SimReport report = new Simulation().program(program).faults(Set.of(fault)).seed(seed)
                .until(FAILURES).singles();
            searched.append(report.summary()).append('\n');
            for (SimReport.Failure failure : report.failures()) {
                if (failure.reason().contains(reason)) {
                    return failure;
                }
            }
        }
        throw new AssertionError(fault + " was not found:\n" + searched);
    }

    @Test
    void aMissingSecondBarrierIsFoundByTheProgramThatPutsRightAfterTheBoundary() {
        assertNotNull(find("SKIP_SECOND_BARRIER", "eager", "wrong result"));
    }

    @Test
    void aCommitBeforeTheParityIsReadyIsFound() {
        assertNotNull(find("COMMIT_EARLY", "halo", ""));
    }

    @Test
    void aMissingFlushBeforeTheCutIsFound() {
        RandomReport report = new RandomRuns().flavour(Flavour.GSYNC).seeds(1, 200)
            .faults(Set.of("FORGET_FLUSH")).until(FAILURES).run();
        assertTrue(report.failures().stream().anyMatch(failure -> failure.reason().contains("wrong result")),
            report::toString);
    }

    @Test
    void aFailureReplaysFromItsSeedAndCrashes() {
        SimReport.Failure failure = find("SKIP_SECOND_BARRIER", "eager", "wrong result");
        String command = failure.command();
        String crashes = command.replaceAll(".* --crashes (\\S+).*", "$1");
        String seed = command.replaceAll(".* --seed (\\S+).*", "$1");
        Simulation again = new Simulation().program("eager").faults(Set.of("SKIP_SECOND_BARRIER"))
            .seed(Long.parseLong(seed))
            .crashes(crashes);
        SimResult first = again.replay();
        assertEquals(failure.reason(), again.judge(first));
        assertEquals(first.trace(), again.replay().trace());
    }
}
