package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.ftrma.AtomicOp;
import org.ftrma.Comparison;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.testkit.Script.Story;
import org.junit.jupiter.api.Test;

/** A rank waits in each step for what another one does in the next: no cut between them comes about. */
class StepsAheadTest {
    private static final int STEPS = 40;
    private static final int SEEDS = 4;
    private static final double DEADLINE_SECONDS = 1;

    /** Rank 1 waits in step k for what rank 0 signals in step k + 1; all meet in the last step. */
    private static final Story AHEAD = new Story("a step ahead", 2, 1, "2", STEPS, (job, script, window, memory) -> {
        long step = job.step();
        if (job.rank() == 0 && step > 1) {
            window.signal(AtomicOp.REPLACE, step - 1, 1, 0);
            window.waitUntil(0, Comparison.GE, step - 1);
        } else if (job.rank() == 1 && step < STEPS) {
            window.waitUntil(0, Comparison.GE, step);
            window.signal(AtomicOp.REPLACE, step, 0, 0);
        }
    }, Map.of("cut-deadline", "1s"));

    @Test
    void aCutThatNeverComesAboutIsGivenUpEarlyAndTriedEverMoreRarely() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            SimResult result = AHEAD.run(seed, false, Set.of());
            assertTrue(result.succeeded(), result::story);
            List<JobEvent.Abandoned> given = result.events().stream().map(SimResult.TimedEvent::event)
                .filter(JobEvent.Abandoned.class::isInstance).map(JobEvent.Abandoned.class::cast).toList();
            // after the steps 2, 4, 8, 16 and 32, and not after each second one
            assertEquals(5, given.size(), result::story);
            for (JobEvent.Abandoned one : given) {
                assertTrue(one.waitedNanos() > 0 && one.waitedNanos() < 0.5e9 * DEADLINE_SECONDS, result::story);
                assertTrue(one.reason().contains("rank 1 is in step ")
                    && one.reason().contains("where it waits for "), result::story);
            }
        }
    }
}
