package org.ftrma.testkit;

import static org.ftrma.testkit.BadExecutionsTest.LOCAL;
import static org.ftrma.testkit.BadExecutionsTest.recovered;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.ftrma.LockType;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.testkit.Script.Story;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What reaches over a step boundary at which a checkpoint is due: locks that are held there, and gets that are under
 * way.
 */
class AcrossBoundariesTest {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final int SEEDS = 6;

    private static <E extends JobEvent> List<E> events(SimResult result, Class<E> type) {
        return result.events().stream().map(SimResult.TimedEvent::event).filter(type::isInstance).map(type::cast)
            .toList();
    }

    private static SimResult succeeded(Story story, long seed) {
        SimResult result = story.run(seed, false, Set.of());
        assertTrue(result.succeeded(), result::story);
        return result;
    }

    /** Rank 0 takes the lock in step 2, after which a checkpoint is due, and gives it back in step 3. */
    @ParameterizedTest
    @CsvSource({"EXCLUSIVE,coordinated,3", "SHARED,coordinated,2", "EXCLUSIVE,full,3", "SHARED,full,2"})
    void anExclusiveLockPutsTheCheckpointOffToTheNextBoundaryAndASharedOneDoesNot(LockType type, String protocol,
        long cutAfter) {
        int before = protocol.equals("full") ? 1 : 0; // with logs the first one is taken before the first step
        Story story = new Story(type + " lock over a boundary", 3, 1, "2", 4, (job, script, window, memory) -> {
            if (job.step() == 2 && job.rank() == 0) {
                window.lock(type, 1);
            } else if (job.step() == 3 && job.rank() == 0) {
                window.unlock(1);
            } else if (job.step() == 4) {
                script.await(job, window, () -> script.committed() > before);
            }
        }, Map.of("protocol", protocol));
        for (long seed = 1; seed <= SEEDS; seed++) {
            SimResult result = succeeded(story, seed);
            assertEquals(cutAfter, events(result, JobEvent.Committed.class).get(before).step(), result::story);
            assertEquals(type == LockType.EXCLUSIVE
                ? List.of("rank 0: an exclusive lock of window w is held at the step boundary") : List.of(),
                events(result, JobEvent.Abandoned.class).stream().map(JobEvent.Abandoned::reason).toList(),
                result::story);
        }
    }

    /** Rank 1 is asked for a demand checkpoint in step 1, and has a lock from there on to the middle of step 2. */
    @Test
    void aDemandCheckpointIsTakenAtABoundaryWhereNoExclusiveLockIsHeld() {
        long[] taken = new long[2];
        Story story = new Story("lock over a demand checkpoint", 3, 1, "none", 3, (job, script, window, memory) -> {
            if (job.rank() == 0 && job.step() == 1) {
                window.putLong(1, 1, 0); // what is logged of it is a reason to ask rank 1
            } else if (job.rank() == 0 && job.step() == 2) {
                script.reach(1);
                script.await(job, window, 2);
            } else if (job.rank() == 1 && job.step() == 1) {
                window.lock(LockType.EXCLUSIVE, 2);
                script.await(job, window, 1);
                script.settle(job, window);
            } else if (job.rank() == 1 && job.step() == 2) {
                script.settle(job, window);
                taken[0] = script.demands(1);
                window.unlock(2);
            } else if (job.rank() == 1) {
                script.await(job, window, () -> script.demands(1) > 0);
                taken[1] = script.demands(1);
                script.reach(2);
            } else if (job.step() == 1) {
                script.await(job, window, 2);
            }
        }, Map.of("log-low", "0"));
        for (long seed = 1; seed <= SEEDS; seed++) {
            SimResult result = succeeded(story, seed);
            assertEquals(0, taken[0], result::story);
            assertEquals(1, taken[1], result::story);
        }
    }

    /** The data is here when all cut; the program completes the get afterwards, and then its rank dies. */
    @Test
    void theResultOfAGetThatIsUnderWayWhenAllCutIsBeforeTheImageInTheLog() {
        recovered(new Story("get over a cut", 3, 1, "2", 3, (job, script, window, memory) -> {
            if (job.step() == 1) {
                window.memory().set(LONG, 0, 5 + job.rank());
                job.gsync();
            } else if (job.step() == 2 && job.rank() == 0) {
                window.get(memory, 0, 1, 0, 8);
            } else if (job.step() == 3 && job.rank() == 0) {
                window.flush(1);
                memory.set(LONG, 8, memory.get(LONG, 0) * 10 + window.getLong(1, 0));
                script.reach(1);
                script.await(job, window, 2);
            } else if (job.step() == 3 && job.rank() == 2) {
                script.await(job, window, () -> script.isAt(1) && script.committed() == 2);
                script.die(job, 2, 0);
            }
        }), LOCAL);
    }

    /**
     * The data is here, and logged, when all cut; the checkpoint is given up, since the rank dies before its parity is
     * made.
     */
    @Test
    void theResultOfAGetThatArrivedForACheckpointThatWasGivenUpComesBeforeWhatWasReadNext() {
        recovered(new Story("get over a cut that is given up", 3, 1, "2", 3, (job, script, window, memory) -> {
            if (job.step() == 1) {
                window.memory().set(LONG, 0, 5 + job.rank());
                job.gsync();
            } else if (job.step() == 2 && job.rank() == 0) {
                script.hold(10, 3, "getLong", () -> script.reach(1),
                    () -> script.count(JobEvent.MemberLost.class, e -> e.member() == 0) > 0);
                window.get(memory, 0, 1, 0, 8);
            } else if (job.step() == 3 && job.rank() == 0) {
                script.await(job, window, () -> script.isAt(1) || script.hasRolledBack() || !script.hasFailures());
                memory.set(LONG, 8, window.getLong(1, 0));
                window.flush(1);
                script.reach(2);
                script.await(job, window, 3);
            } else if (job.step() == 3 && job.rank() == 2) {
                script.await(job, window, 2);
                script.die(job, 3, 0);
            }
        }), LOCAL);
    }
}
