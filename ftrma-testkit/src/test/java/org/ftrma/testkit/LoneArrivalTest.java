package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.testkit.Script.Story;
import org.junit.jupiter.api.Test;

/** A checkpoint that only the lost rank 0 knew of. */
class LoneArrivalTest {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

    /**
     * Rank 0 decides on a checkpoint, and dies when it alone has come to it: no word tells the others of it. The next
     * one is taken.
     */
    @Test
    void aCutThatOnlyTheLostRankZeroKnewOfKeepsNoOtherFromBeingTaken() {
        Story story = new Story("rank 0 alone at a cut", 3, 1, "10ms", 4, (job, script, window, memory) -> {
            if (job.rank() == 0 && job.step() == 1) {
                memory.set(LONG, 0, window.getLong(1, 0));
                script.settle(job, window);
                script.reach(1);
            } else if (job.rank() == 0 && job.step() == 2) {
                memory.set(LONG, 0, window.getLong(1, 8)); // no log has it: here the replacement is back
                script.settle(job, window);
                script.reach(3);
            } else if (job.rank() == 1 && job.step() == 1) {
                script.await(job, window, 1);
                script.settle(job, window);
                script.die(job, 2, 0);
                script.await(job, window, () -> script.hasReplayed() || !script.hasFailures());
            } else if (job.rank() == 2 && job.step() == 1) {
                script.await(job, window, 2);
                script.await(job, window, () -> script.hasReplayed() || !script.hasFailures());
            } else if (job.step() == 2) {
                script.await(job, window, 3);
            } else if (job.step() == 3) {
                script.reach(job.rank() == 0 ? 4 : 0);
                script.await(job, window, 4);
            } else if (job.step() == 4) {
                script.await(job, window, () -> script.committed() >= 2
                    || script.count(JobEvent.Abandoned.class, e -> true) > 0);
            }
        }, Map.of("cut-deadline", "1s"));
        Map<Integer, Map<String, byte[]>> expected = story.run(1, false, Set.of()).contents();
        for (long seed = 1; seed <= 6; seed++) {
            SimResult result = story.run(seed, true, Set.of());
            assertNull(result.fault(expected), result::story);
            assertEquals(1, result.outcome().localRecoveries(), result::story);
            assertEquals(List.of(), result.events().stream().map(SimResult.TimedEvent::event)
                .filter(JobEvent.Abandoned.class::isInstance).toList(),
                result::story);
        }
    }
}
