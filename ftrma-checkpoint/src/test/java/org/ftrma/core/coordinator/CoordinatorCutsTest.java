package org.ftrma.core.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.ftrma.core.control.ControlMessage;
import org.junit.jupiter.api.Test;

/** Coordinated checkpoints as the coordinator lets them come about, or gives them up. */
class CoordinatorCutsTest extends CoordinatorHarness {
    @Test
    void aGenerationIsCommittedOnlyWhenItsParityIsComplete() {
        start();
        cut(1, 5, 1);
        assertTrue(got(0, ControlMessage.Committed.class).isEmpty());
        assertEquals(1, last(2, ControlMessage.Encode.class).generation());
        say(2, new ControlMessage.ParityReady(1, 5, 1, 7));
        assertEquals(1, last(0, ControlMessage.Committed.class).generation());
        assertEquals(1, last(2, ControlMessage.Committed.class).generation());
    }

    @Test
    void parityIsMadeWhenAllRanksGoOn() {
        start();
        cutUntilCopied(1, 5, 1);
        say(0, new ControlMessage.CutCost(1, 1, 1));
        say(0, new ControlMessage.CutCost(1, 1, 1));
        assertTrue(got(2, ControlMessage.Encode.class).isEmpty(), "rank 1 may be stopped still");
        say(1, new ControlMessage.CutCost(1, 1, 1));
        assertEquals(5, last(2, ControlMessage.Encode.class).step());
        say(2, new ControlMessage.ParityReady(1, 5, 1, 7));

        cutUntilCopied(1, 10, 2);
        say(1, new ControlMessage.CutCost(1, 1, 1));
        say(0, new ControlMessage.CutCost(1, 2, 1));
        assertEquals(1, got(2, ControlMessage.Encode.class).size(), "rank 1 spoke of the generation before");
        tick(1);
        assertEquals(10, last(2, ControlMessage.Encode.class).step(), "parity does not wait for ever");
        say(1, new ControlMessage.CutCost(1, 2, 1));
        assertEquals(2, got(2, ControlMessage.Encode.class).size());
        say(2, new ControlMessage.ParityReady(1, 10, 2, 7));
        assertEquals(2, last(0, ControlMessage.Committed.class).generation());
    }

    @Test
    void noParityIsMadeOfWhatWasGivenUpBeforeAllWentOn() {
        start();
        cutUntilCopied(1, 5, 1);
        say(0, new ControlMessage.CutCost(1, 1, 1));
        coordinator.onExit(2, "killed", now);
        assertEquals(5, last(0, ControlMessage.CutAbandon.class).step());
        say(1, new ControlMessage.CutCost(1, 1, 1));
        tick(1);
        assertTrue(got(3, ControlMessage.Encode.class).isEmpty());
    }

    /** It sends heartbeats, so nobody else would find it; and the ranks do not wait for it. */
    @Test
    void aChecksumRankThatDoesNotMakeItsParityInTimeIsReplacedTheSecondTime() {
        start();
        cut(1, 5, 1);
        tick(1);
        assertTrue(got(0, ControlMessage.CutAbandon.class).isEmpty());
        tick(1);
        assertEquals(5, last(0, ControlMessage.CutAbandon.class).step());
        assertEquals(5, last(2, ControlMessage.CutAbandon.class).step());
        say(2, new ControlMessage.ParityReady(1, 5, 1, 7));
        assertTrue(got(0, ControlMessage.Committed.class).isEmpty(), "given up is given up");
        assertEquals(List.of(), fenced);
        cut(1, 10, 1);
        tick(2);
        assertEquals(List.of(), fenced, "now it has twice the time");
        tick(1);
        assertEquals(1, fenced.size());
        assertTrue(fenced.getFirst().startsWith(
            "2: the parity of step 10 is not complete at checksum ranks {0} after 2000 ms (--cut-deadline"),
            fenced::toString);
        coordinator.onExit(2, "killed", now);
        restore(1, 3);
        cut(1, 15, 1);
        say(3, new ControlMessage.ParityReady(1, 15, 1, 7));
        assertEquals(1, last(0, ControlMessage.Committed.class).generation());
        assertNull(outcome);
        assertEquals(2, events.stream().filter(event -> event instanceof JobEvent.Abandoned given
            && given.generation() == 1).count());
    }

    @Test
    void largeImagesHaveMoreTime() {
        start();
        say(0, new ControlMessage.Regions(new long[] {8}, new long[4], 5 * CheckpointDeadlines.BYTES_PER_SECOND,
            new long[4]));
        cut(1, 5, 1);
        tick(1 + 2 * 5);
        assertTrue(got(0, ControlMessage.CutAbandon.class).isEmpty());
        tick(1);
        assertEquals(5, last(0, ControlMessage.CutAbandon.class).step());
    }

    @Test
    void aRankThatCopiesForTooLongEndsTheCheckpointAndNotTheJob() {
        start();
        say(0, new ControlMessage.CutArrived(1, 5, ""));
        say(1, new ControlMessage.CutArrived(1, 5, ""));
        say(0, new ControlMessage.ImageReady(1, 5, 1));
        tick(1);
        assertTrue(got(0, ControlMessage.CutAbandon.class).isEmpty());
        tick(1);
        assertEquals(5, last(0, ControlMessage.CutAbandon.class).step());
        assertEquals(5, last(1, ControlMessage.CutAbandon.class).step());
        assertTrue(last(0, ControlMessage.CutAbandon.class).reason().contains("ranks {1} have not copied"),
            last(0, ControlMessage.CutAbandon.class).reason());
        say(1, new ControlMessage.ImageReady(1, 5, 1));
        assertTrue(got(2, ControlMessage.Encode.class).isEmpty());
        cut(1, 10, 1);
        assertNull(outcome);
    }

    /**
     * A rank far behind the others gets their answers where these are remembered, and comes to all boundaries before.
     */
    @Test
    void refusalsAreForgottenWithoutHarm() {
        start();
        for (long step = 1; step <= 1000; step++) {
            say(0, new ControlMessage.CutArrived(1, step, step == 1000 ? "" : "an exclusive lock is held"));
        }
        tick(2);
        long refusals = 0;
        for (long step = 1; step <= 1000; step++) {
            say(1, new ControlMessage.CutArrived(1, step, ""));
            ControlMessage.CutAbandon abandon = last(1, ControlMessage.CutAbandon.class);
            assertEquals(step, abandon.step());
            assertEquals(step < 1000, abandon.retryNext());
            refusals += abandon.reason().contains("long ago") ? 1 : 0;
        }
        assertEquals(1000 - 256, refusals);
        cut(1, 1001, 1);
    }

    @Test
    void aCutThatNotAllReachIsAbandonedAtTheDeadlineForAllAlike() {
        start();
        say(0, new ControlMessage.CutArrived(1, 5, ""));
        now += 2_000_000_000L;
        coordinator.onTick(now);
        assertFalse(last(0, ControlMessage.CutAbandon.class).retryNext());
        say(1, new ControlMessage.CutArrived(1, 5, ""));
        assertEquals(5, last(1, ControlMessage.CutAbandon.class).step());
        assertTrue(got(1, ControlMessage.CutGo.class).isEmpty());
        cut(1, 10, 1);
    }

    @Test
    void aRankThatHoldsALockMakesAllTryAgainAtTheNextBoundary() {
        start();
        say(0, new ControlMessage.CutArrived(1, 5, "an exclusive lock is held"));
        assertTrue(last(0, ControlMessage.CutAbandon.class).retryNext());
        say(0, new ControlMessage.CutArrived(1, 6, ""));
        say(1, new ControlMessage.CutArrived(1, 5, ""));
        assertTrue(last(1, ControlMessage.CutAbandon.class).retryNext());
        say(1, new ControlMessage.CutArrived(1, 6, ""));
        assertEquals(6, last(0, ControlMessage.CutGo.class).step());
    }
}
