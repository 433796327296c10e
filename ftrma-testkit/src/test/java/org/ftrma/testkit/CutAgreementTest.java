package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.ftrma.Job;
import org.ftrma.Window;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.testkit.Script.Story;
import org.junit.jupiter.api.Test;

/**
 * All ranks cut at the same boundaries, whoever was lost before and came back: nobody waits at one for those that do
 * not come there.
 */
class CutAgreementTest {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final int SEEDS = 6;

    /**
     * One rank dies and is recovered alone; the checkpoints that are taken are of these steps, and none is given up.
     */
    private static void cutAfter(Story story, Long... steps) {
        Map<Integer, Map<String, byte[]>> expected = story.run(1, false, Set.of()).contents();
        for (long seed = 1; seed <= SEEDS; seed++) {
            SimResult result = story.run(seed, true, Set.of());
            assertNull(result.fault(expected), result::story);
            assertEquals(1, result.outcome().localRecoveries(), result::story);
            List<JobEvent> events = result.events().stream().map(SimResult.TimedEvent::event).toList();
            assertEquals(List.of(), events.stream().filter(JobEvent.Abandoned.class::isInstance).toList(),
                result::story);
            assertEquals(List.of(steps), events.stream().filter(JobEvent.Committed.class::isInstance)
                .map(event -> ((JobEvent.Committed) event).step()).toList(), result::story);
        }
    }

    /** While a rank is rebuilt no checkpoint is taken. */
    private static void awaitReplay(Job job, Script script, Window window) {
        script.await(job, window, () -> script.hasReplayed() || !script.hasFailures());
    }

    private static boolean isDecided(Script script) {
        return script.committed() == 2 || script.count(JobEvent.Abandoned.class, e -> true) > 0;
    }

    /**
     * Rank 0 dies in step 1 when the others are in step 3; its replacement is back in step 1, at whose end the time for
     * a checkpoint has come.
     */
    @Test
    void aNewRankZeroLetsAllCutAtABoundaryThatNobodyHasPassed() {
        cutAfter(new Story("rank 0 is behind", 3, 1, "10ms", 4, (job, script, window, memory) -> {
            if (job.rank() == 0 && job.step() == 1) {
                script.await(job, window, 2);
                memory.set(LONG, 0, window.getLong(1, 0)); // no log has it: here the replacement is back
                script.settle(job, window);
            } else if (job.rank() == 0 && job.step() == 3) {
                script.reach(3);
            } else if (job.rank() == 1 && job.step() == 3) {
                script.reach(1);
                script.await(job, window, 3);
            } else if (job.rank() == 2 && job.step() == 3) {
                script.await(job, window, 1);
                script.die(job, 2, 0);
                script.await(job, window, 3);
            } else if (job.step() == 4) {
                script.await(job, window, () -> isDecided(script));
            }
        }, Map.of("cut-deadline", "1s")), 0L, 3L);
    }

    /** Rank 1 comes back from an image that it took alone after step 1; all cut after every fourth step. */
    @Test
    void aRankThatComesBackFromItsDemandImageCutsWhereAllDo() {
        cutAfter(new Story("image between two cuts", 3, 1, "4", 5, (job, script, window, memory) -> {
            if (job.rank() == 0 && job.step() == 1) {
                window.putLong(1, 1, 0); // what is logged of it is a reason to ask rank 1
            } else if (job.rank() == 0 && job.step() == 2) {
                script.reach(1);
                script.await(job, window, 2);
                awaitReplay(job, script, window);
            } else if (job.rank() == 1 && job.step() == 1) {
                script.await(job, window, 1);
                script.settle(job, window);
            } else if (job.rank() == 1 && job.step() == 2) {
                script.await(job, window, 2);
                memory.set(LONG, 0, window.getLong(2, 0)); // no log has it: here the replacement is back
            } else if (job.rank() == 2 && job.step() == 2) {
                script.await(job, window, () -> script.demands(1) > 0);
                script.die(job, 2, 1);
                awaitReplay(job, script, window);
            } else if (job.step() == 5) {
                script.await(job, window, () -> isDecided(script));
            }
        }, Map.of("cut-deadline", "1s", "log-low", "0")), 0L, 4L);
    }
}
