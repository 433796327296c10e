package org.ftrma.rma.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.ftrma.rma.log.SeenSignals;
import org.junit.jupiter.api.Test;

/** What came before what, as far as locks say: by rank, what it did after fewer lock events than that. */
class LockOrderTest {
    private static final int WINDOW = 0;
    private static final int RANKS = 4;

    private final LockOrder order = new LockOrder(RANKS);

    private void exclusive(int rank, int home, long number, long event) {
        order.take(rank, WINDOW, home, number, false, event);
        order.release(rank, WINDOW, home, number, false, event + 1);
    }

    private void shared(int rank, int home, long number, long event) {
        order.take(rank, WINDOW, home, number, true, event);
        order.release(rank, WINDOW, home, number, true, event + 1);
    }

    private void assertBefore(int rank, long events, long... by) {
        long[] before = order.before(rank, events);
        for (int other = 0; other < RANKS; other++) {
            assertEquals(by[other], order.of(before, other),
                "of rank " + other + " before event " + events + " of rank " + rank);
        }
    }

    @Test
    void whatAHolderDidBeforeItGaveTheLockBackComesBeforeTheNextOne() {
        exclusive(1, 0, 1, 1);
        exclusive(2, 0, 2, 1);
        assertBefore(1, 1, 0, 0, 0, 0);
        assertBefore(2, 0, 0, 0, 0, 0);
        assertBefore(2, 1, 0, 2, 0, 0);
        assertBefore(2, 2, 0, 2, 0, 0);
    }

    @Test
    void whatAHolderSawByOtherLocksComesBeforeTheNextOneToo() {
        exclusive(1, 0, 1, 1);
        exclusive(2, 0, 2, 1);
        exclusive(2, 3, 1, 3);
        exclusive(3, 3, 2, 1);
        assertBefore(3, 1, 0, 2, 4, 0);
    }

    private void sees(int rank, long event, long... ranksAndSignals) {
        SeenSignals seen = new SeenSignals();
        seen.add(77);
        for (long word : ranksAndSignals) {
            seen.add(word);
        }
        order.see(rank, seen, event);
    }

    @Test
    void whatWasDoneBeforeASignalComesBeforeWhatFollowsItsWait() {
        sees(2, 4, 1, 3);
        assertBefore(2, 3, 0, 0, 0, 0);
        assertBefore(2, 4, 0, 3, 0, 0);
        sees(2, 5);
        assertBefore(2, 5, 0, 3, 0, 0);
    }

    @Test
    void whatSendersSawBySignalsAndLocksComesBeforeTheWaitToo() {
        exclusive(0, 3, 1, 1);
        exclusive(1, 3, 2, 1);
        sees(2, 1, 1, 3);
        exclusive(2, 0, 1, 2);
        exclusive(3, 0, 2, 1);
        sees(1, 7, 3, 3);
        assertBefore(2, 1, 2, 3, 0, 0);
        assertBefore(3, 1, 2, 3, 3, 0);
        assertBefore(1, 7, 2, 3, 3, 3);
    }

    @Test
    void aSignalMayBeSeenByWhoseEventsAreGone() {
        order.signal(1, 5);
        assertTrue(order.mayComeBefore(1, 4));
        assertFalse(order.mayComeBefore(1, 5));
    }

    @Test
    void locksOfDifferentRanksOrWindowsAreDifferentLocks() {
        exclusive(1, 0, 1, 1);
        exclusive(2, 3, 2, 1);
        order.take(3, WINDOW + 1, 0, 2, false, 1);
        assertBefore(2, 1, 0, 0, 0, 0);
        assertBefore(3, 1, 0, 0, 0, 0);
    }

    @Test
    void sharedHoldersComeAfterTheExclusiveOneBeforeThemAndAllBeforeTheNext() {
        exclusive(1, 0, 1, 1);
        shared(2, 0, 2, 1);
        shared(3, 0, 3, 1);
        exclusive(0, 0, 4, 1);
        assertBefore(2, 1, 0, 2, 0, 0);
        assertBefore(3, 1, 0, 2, 0, 0);
        assertBefore(0, 1, 0, 2, 2, 2);
    }

    @Test
    void aHolderThatNeverGaveTheLockBackLacksEvents() {
        order.take(1, WINDOW, 0, 1, false, 1);
        exclusive(2, 0, 2, 1);
        assertBefore(2, 1, 0, 0, 0, 0);
        assertTrue(order.isIncomplete());
    }

    @Test
    void aBarrierEndsTheOrder() {
        exclusive(1, 0, 1, 1);
        assertFalse(order.isEmpty());
        order.endPhase();
        assertTrue(order.isEmpty());
        exclusive(2, 0, 2, 1);
        assertBefore(2, 1, 0, 0, 0, 0);
        assertFalse(order.isIncomplete());
    }

    @Test
    void aLockMayPassFromRankToRankAsOftenAsARunIsLong() {
        int times = 100_000;
        for (int i = 0; i < times; i++) {
            exclusive(i % 2 + 1, 0, i + 1, i / 2 * 2 + 1);
        }
        assertBefore(2, times - 1, 0, times, times - 2, 0);
    }
}
