package org.ftrma.core.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.ftrma.core.control.Message;
import org.ftrma.core.control.MessageCodec;
import org.junit.jupiter.api.Test;

/** What the coordinator takes from members and answers, and how a job ends. */
class CoordinatorTest extends CoordinatorHarness {
    @Test
    void whatIsContributedToAnExchangeIsToldToWhoAsks() {
        join();
        contribute(0, 0, 10);
        assertTrue(got(0, Message.Exchanged.class).isEmpty(), "rank 1 has not contributed");
        contribute(1, 0, 11);
        assertEquals(new Message.Exchanged(1, Message.Scope.COMPUTING.ordinal(), 0), last(0, Message.Exchanged.class));
        assertEquals(new Message.Exchanged(1, Message.Scope.COMPUTING.ordinal(), 0), last(1, Message.Exchanged.class));
        assertTrue(got(2, Message.Exchanged.class).isEmpty(), "the checksum rank is not in scope");
        assertAnswered(0, 1, 11);
        assertAnswered(1, 0, 10);
        assertAnswered(1, 0, 10, 11);
        assertTrue(got(2, Message.Answer.class).isEmpty());
    }

    @Test
    void whatNobodyContributedIsNotTold() {
        join();
        contribute(0, 0, 10);
        contribute(1, 0, 11);
        contribute(0, 1, 20);
        int computing = Message.Scope.COMPUTING.ordinal();
        int[][] wrong = {{computing, 1, 1, 1}, {computing, 2, 0, 1}, {computing, -1, 0, 1},
            {computing, Integer.MAX_VALUE, 0, 1},
            {computing, 0, 2, 1}, {computing, 0, -1, 1}, {computing, 0, Integer.MAX_VALUE, 1}, {computing, 0, 0, 3},
            {computing, 0, 1, 2},
            {computing, 0, 0, 0}, {computing, 0, 0, -1}, {computing, 0, 0, Integer.MIN_VALUE},
            {computing, 0, 1, Integer.MAX_VALUE},
            {computing, 0, Integer.MIN_VALUE, Integer.MIN_VALUE}, {Message.Scope.ALL.ordinal(), 0, 0, 1},
            {-1, 0, 0, 1}, {99, 0, 0, 1}};
        int before = events.size();
        for (int[] one : wrong) {
            ask(0, one[0], one[1], one[2], one[3]);
        }
        assertEquals(before + wrong.length, events.size());
        assertTrue(events.subList(before, events.size()).stream().allMatch(e -> e instanceof JobEvent.Note));
        say(0, new Message.Ask(2, computing, 0, 1, 1));
        assertTrue(got(0, Message.Answer.class).isEmpty(), "refused, or of another view");
        assertAnswered(0, 1, 11);
    }

    @Test
    void whatIsTooLargeToBeToldIsRefused() {
        join();
        say(0, new Message.Exchange(1, Message.Scope.COMPUTING.ordinal(), 0, new byte[(1 << 20) - 100], ""));
        contribute(1, 0, 11);
        assertTrue(got(1, Message.Exchanged.class).isEmpty());
        ask(1, Message.Scope.COMPUTING.ordinal(), 0, 0, 1);
        assertTrue(got(1, Message.Answer.class).isEmpty());
    }

    @Test
    void anAnswerHasAsMuchAsFitsAFrame() {
        join();
        for (int process = 0; process < 2; process++) {
            say(process, new Message.Exchange(1, Message.Scope.COMPUTING.ordinal(), 0, new byte[400_000], ""));
        }
        ask(1, Message.Scope.COMPUTING.ordinal(), 0, 0, 2);
        assertEquals(1, last(1, Message.Answer.class).blobs().length);
        ask(1, Message.Scope.COMPUTING.ordinal(), 0, 1, 1);
        assertEquals(1, last(1, Message.Answer.class).member());
    }

    @Test
    void garbageAndWrongDirectionsAreDroppedWithANote() {
        start();
        int before = events.size();
        coordinator.onFrame(0, new byte[] {99}, now);
        coordinator.onFrame(0, new byte[0], now);
        coordinator.onFrame(0, MessageCodec.encode(new Message.Go(1)), now);
        coordinator.onFrame(3, MessageCodec.encode(new Message.Finished(1, 3)), now);
        say(0, new Message.Fallback(1, "NO_SUCH_REASON", "text"));
        assertEquals(before + 5, events.size());
        assertTrue(events.subList(before, events.size()).stream().allMatch(e -> e instanceof JobEvent.Note));
        assertNull(outcome);
    }

    /** A member that says what it cannot mean must not end the job of all others. */
    @Test
    void whatDoesNotFitTheStateOfAMemberIsDroppedWithANote() {
        join();
        say(0, new Message.Finished(1, 3));
        assertEquals(new JobEvent.Note("dropped a Finished of rank 0: it is JOINING"), events.getLast());
        restore(1, 0, 1, 2);
        say(0, new Message.Restored(1, ""));
        assertEquals(new JobEvent.Note("dropped a Restored of rank 0: it is RUNNING"), events.getLast());
        say(0, new Message.Opened(1, 1, 3, new long[0]));
        say(0, new Message.LostSeen(1, 1));
        say(1, new Message.Finished(1, 3));
        assertNull(outcome, "rank 0 runs");
    }

    @Test
    void theJobSucceedsWhenAllRanksHaveFinishedAndFailsWhenTheResultIsWrong() {
        start();
        say(0, new Message.Report("verified", "B", "false"));
        say(0, new Message.Finished(1, 3));
        assertNull(outcome);
        say(1, new Message.Finished(1, 3));
        assertEquals(JobOutcome.Kind.FAILED, outcome.kind());
        last(2, Message.End.class);
        last(3, Message.End.class);
    }
}
