package org.ftrma.core.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.control.FallbackReason;
import org.ftrma.options.JobOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of a job in which a rank waits for another one in vain. */
class StandstillTest extends CoordinatorHarness {
    private static final String EXCEPTION = "org.ftrma.DeadlineException: waited 10000 ms for a barrier of rank 1";
    private static final long LONG_NANOS = 9_900_000_000L;

    private void start(String protocol) {
        coordinator = new Coordinator(JobOptions.of(Map.of("ranks", "2", "checksums", "1", "spares", "1", "deadline",
            "10s", "protocol", protocol)), this);
        start();
        cut(1, 5, 1);
        say(2, new ControlMessage.ParityReady(1, 5, 1, 7));
    }

    private void doing(int process, int view, long idleNanos) {
        say(process, new ControlMessage.Doing(view, 7, idleNanos, new long[4], "the message of rank 0",
            "java.base/java.lang.Thread.sleep(Thread.java:1)\nmy.Program.computeWhatNeverEnds(Program.java:12)\n"));
    }

    private void expire(int view, int stuckProcess, long idleNanos) {
        say(0, new ControlMessage.Expired(view, EXCEPTION));
        assertEquals(view, last(stuckProcess, ControlMessage.AskDoing.class).view());
        doing(0, view, 0);
        coordinator.onTick(now);
        assertNull(outcome, "rank 1 has not answered");
        doing(stuckProcess, view, idleNanos);
        coordinator.onTick(now);
    }

    private long rollbacks() {
        return events.stream().filter(event -> event instanceof JobEvent.RecoveryBegun begun && begun.rolledBack())
            .count();
    }

    @ParameterizedTest
    @ValueSource(strings = {"coordinated", "full"})
    void aRankThatDoesNotCallTheLibraryWhileOthersWaitIsReplacedOnceInAStep(String protocol) {
        start(protocol);
        expire(1, 1, LONG_NANOS);
        assertNull(outcome);
        assertEquals(1, fenced.size());
        assertTrue(fenced.getFirst().contains("has not called the library for 9900 ms, at "
            + "my.Program.computeWhatNeverEnds(Program.java:12)"), fenced::toString);
        say(0, new ControlMessage.Expired(1, EXCEPTION));
        coordinator.onTick(now);
        assertEquals(1, fenced.size(), "it is dying");
        coordinator.onExit(1, "killed", now);
        assertEquals(1, rollbacks(), "rank 0 has left its program");
        assertEquals(protocol.equals("full"), events.stream().anyMatch(event -> event instanceof JobEvent.FellBack back
            && back.member() == 1 && back.reason() == FallbackReason.STUCK));
        enter(2, 0, 3, 2);
        restore(2, 0, 3, 2);
        assertTrue(events.getLast() instanceof JobEvent.Recovered, events::toString);

        expire(2, 3, LONG_NANOS);
        assertEquals(1, fenced.size());
        assertEquals(JobOutcome.Kind.FAILED, outcome.kind());
        assertTrue(outcome.message().startsWith("rank 1, in step 7, has not called the library for 9900 ms, at "
            + "my.Program.computeWhatNeverEnds(Program.java:12); so it was before it was replaced: rank 0 failed: "
            + EXCEPTION), outcome::message);
        assertTrue(outcome.message().contains("\n    at my.Program.computeWhatNeverEnds(Program.java:12)"),
            outcome::message);
    }

    @Test
    void whereAllCallTheLibraryTheJobEndsWithWhatTheyDo() {
        start("full");
        expire(1, 1, 1_000_000_000L);
        assertEquals(List.of(), fenced);
        assertTrue(outcome.message().startsWith("rank 0 failed: " + EXCEPTION + "\nwhat the ranks do:\n  rank 1: in "
            + "step 7, it waits, or waited last, for the message of rank 0\n    at "), outcome::message);
    }

    @Test
    void aRankThatDoesNotAnswerIsNotWaitedFor() {
        start("full");
        say(0, new ControlMessage.Expired(1, EXCEPTION));
        tick(3);
        assertTrue(outcome.message().contains("\n  rank 1: did not answer"), outcome::message);
    }

    @Test
    void whenTheTimeIsOverRanksAreAskedWhatTheyDo() {
        start("full");
        assertNull(coordinator.whatRanksDo(now));
        doing(0, 1, LONG_NANOS + 2_000_000_000L); // only how long it has been idle differs
        assertNull(coordinator.whatRanksDo(now));
        doing(1, 1, LONG_NANOS);
        assertNotNull(coordinator.whatRanksDo(now));
        assertTrue(coordinator.whatRanksDo(now).startsWith("what the ranks do:\n  ranks 0, 1: in step 7, its program "
            + "has not called the library for 9 s\n    at java.base/"), coordinator.whatRanksDo(now));
        coordinator.onTick(now);
        assertNull(outcome, "nobody has waited in vain");
    }
}
