package org.ftrma.core.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.control.MessageCodec;
import org.junit.jupiter.api.Test;

/** What the coordinator takes from members and answers, and how a job ends. */
class CoordinatorTest extends CoordinatorHarness {
    @Test
    void whatIsContributedToAnExchangeIsToldToWhoAsks() {
        join();
        contribute(0, 0, 10);
        assertTrue(got(0, ControlMessage.Exchanged.class).isEmpty(), "rank 1 has not contributed");
        contribute(1, 0, 11);
        assertEquals(new ControlMessage.Exchanged(1, ControlMessage.Scope.COMPUTING.ordinal(), 0),
            last(0, ControlMessage.Exchanged.class));
        assertEquals(new ControlMessage.Exchanged(1, ControlMessage.Scope.COMPUTING.ordinal(), 0),
            last(1, ControlMessage.Exchanged.class));
        assertTrue(got(2, ControlMessage.Exchanged.class).isEmpty(), "the checksum rank is not in scope");
        assertAnswered(0, 1, 11);
        assertAnswered(1, 0, 10);
        assertAnswered(1, 0, 10, 11);
        assertTrue(got(2, ControlMessage.Answer.class).isEmpty());
    }

    @Test
    void whatNobodyContributedIsNotTold() {
        join();
        contribute(0, 0, 10);
        contribute(1, 0, 11);
        contribute(0, 1, 20);
        int computing = ControlMessage.Scope.COMPUTING.ordinal();
        int[][] wrong = {{computing, 1, 1, 1}, {computing, 2, 0, 1}, {computing, -1, 0, 1},
            {computing, Integer.MAX_VALUE, 0, 1},
            {computing, 0, 2, 1}, {computing, 0, -1, 1}, {computing, 0, Integer.MAX_VALUE, 1}, {computing, 0, 0, 3},
            {computing, 0, 1, 2},
            {computing, 0, 0, 0}, {computing, 0, 0, -1}, {computing, 0, 0, Integer.MIN_VALUE},
            {computing, 0, 1, Integer.MAX_VALUE},
            {computing, 0, Integer.MIN_VALUE, Integer.MIN_VALUE}, {ControlMessage.Scope.ALL.ordinal(), 0, 0, 1},
            {-1, 0, 0, 1}, {99, 0, 0, 1}};
        int before = events.size();
        for (int[] one : wrong) {
            ask(0, one[0], one[1], one[2], one[3]);
        }
        assertEquals(before + wrong.length, events.size());
        assertTrue(events.subList(before, events.size()).stream().allMatch(e -> e instanceof JobEvent.Note));
        say(0, new ControlMessage.Ask(2, computing, 0, 1, 1));
        assertTrue(got(0, ControlMessage.Answer.class).isEmpty(), "refused, or of another view");
        assertAnswered(0, 1, 11);
    }

    @Test
    void whatIsTooLargeToBeToldIsRefused() {
        join();
        say(0, new ControlMessage.Exchange(1, ControlMessage.Scope.COMPUTING.ordinal(), 0, new long[0],
            new byte[(1 << 20) - 100],
            ""));
        contribute(1, 0, 11);
        assertTrue(got(1, ControlMessage.Exchanged.class).isEmpty());
        ask(1, ControlMessage.Scope.COMPUTING.ordinal(), 0, 0, 1);
        assertTrue(got(1, ControlMessage.Answer.class).isEmpty());
    }

    @Test
    void anAnswerHasAsMuchAsFitsAFrame() {
        join();
        for (int process = 0; process < 2; process++) {
            say(process, new ControlMessage.Exchange(1, ControlMessage.Scope.COMPUTING.ordinal(), 0, new long[0],
                new byte[400_000],
                ""));
        }
        ask(1, ControlMessage.Scope.COMPUTING.ordinal(), 0, 0, 2);
        assertEquals(1, last(1, ControlMessage.Answer.class).blobs().length);
        ask(1, ControlMessage.Scope.COMPUTING.ordinal(), 0, 1, 1);
        assertEquals(1, last(1, ControlMessage.Answer.class).member());
    }

    @Test
    void garbageAndWrongDirectionsAreDroppedWithANote() {
        start();
        int before = events.size();
        coordinator.onFrame(0, new byte[] {99}, now);
        coordinator.onFrame(0, new byte[0], now);
        coordinator.onFrame(0, MessageCodec.encode(new ControlMessage.Go(1)), now);
        coordinator.onFrame(3, MessageCodec.encode(new ControlMessage.Finished(1, 3, "")), now);
        say(0, new ControlMessage.Fallback(1, "NO_SUCH_REASON", "text"));
        assertEquals(before + 5, events.size());
        assertTrue(events.subList(before, events.size()).stream().allMatch(e -> e instanceof JobEvent.Note));
        assertNull(outcome);
    }

    /** A member that says what it cannot mean must not end the job of all others. */
    @Test
    void whatDoesNotFitTheStateOfAMemberIsDroppedWithANote() {
        join();
        say(0, new ControlMessage.Finished(1, 3, ""));
        assertEquals(new JobEvent.Note("dropped a Finished of rank 0: it is JOINING"), events.getLast());
        restore(1, 0, 1, 2);
        say(0, new ControlMessage.Restored(1, ""));
        assertEquals(new JobEvent.Note("dropped a Restored of rank 0: it is RUNNING"), events.getLast());
        say(0, new ControlMessage.WentLive(1, 1, 3, new long[0]));
        say(0, new ControlMessage.LostSeen(1, 1));
        say(1, new ControlMessage.Finished(1, 3, ""));
        assertNull(outcome, "rank 0 runs");
    }

    @Test
    void whatNobodyHandlesIsNamedAndWhatIsOfAnotherViewIsStale() {
        start();
        int before = events.size();
        say(0, new ControlMessage.Fallback(2, "LOG_GAP", "of another view"));
        say(0, new ControlMessage.ParityReady(2, 3, 1, 5));
        assertEquals(before, events.size());
        say(0, new ControlMessage.Fallback(1, "LOG_GAP", "nothing is logged"));
        assertEquals(new JobEvent.Note("dropped a Fallback of rank 0: nobody handles it now"), events.getLast());
        say(0, new ControlMessage.ParityReady(1, 3, 1, 5));
        assertEquals(new JobEvent.Note("dropped a ParityReady of rank 0: nobody handles it now"), events.getLast());
        assertNull(outcome);
    }

    @Test
    void theJobSucceedsWhenAllRanksHaveFinishedAndFailsWhenTheResultIsWrong() {
        start();
        say(0, new ControlMessage.Report("verified", "B", "false"));
        say(0, new ControlMessage.Finished(1, 3, ""));
        assertNull(outcome);
        say(1, new ControlMessage.Finished(1, 3, ""));
        assertEquals(JobOutcome.Kind.FAILED, outcome.kind());
        last(2, ControlMessage.End.class);
        last(3, ControlMessage.End.class);
    }
}
