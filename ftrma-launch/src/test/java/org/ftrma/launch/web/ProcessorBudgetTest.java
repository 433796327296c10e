package org.ftrma.launch.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import org.ftrma.MisuseException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How much processor time there is for a page, by a clock that the test moves. */
@Timeout(60)
class ProcessorBudgetTest {
    private static final int PART = 100;
    private static final long MILLI = 1_000_000;
    private static final long BURST = 200 * MILLI;

    private final MovedTime time = new MovedTime();
    private final ProcessorBudget budget = new ProcessorBudget(PART, BURST, time);

    /** Passes while somebody waits, and while the thread of the test is said to work. */
    private static final class MovedTime implements ProcessorBudget.Time {
        private long now = -77; // the system's may begin anywhere, too
        private long used;

        void work(long nanos) {
            now += nanos;
            used += nanos;
        }

        @Override
        public long now() {
            return now;
        }

        @Override
        public long used() {
            return used;
        }

        @Override
        public void await(Condition condition, long nanos) {
            assertTrue(nanos > 0);
            now += nanos;
        }
    }

    private long waitToBegin() throws InterruptedException {
        long before = time.now;
        budget.begin();
        return time.now - before;
    }

    @Test
    void whatWasKeptIsUsedAtOnceAndThenItComesEvenly() throws InterruptedException {
        long begun = time.now;
        int atOnce = 0;
        while (waitToBegin() == 0) {
            atOnce++;
            time.work(MILLI);
            budget.end();
        }
        // Something comes in these 200 ms of work, too.
        assertEquals(BURST / MILLI + 2, atOnce, 1);
        time.work(MILLI);
        budget.end();
        for (int i = atOnce + 1; i < 1000; i++) {
            assertEquals((PART - 1) * MILLI, waitToBegin(), "work " + i);
            time.work(MILLI);
            assertEquals(MILLI, budget.end());
        }
        assertEquals(1000 * MILLI, budget.usedNanos());
        assertEquals(PART * (1000 * MILLI - BURST), time.now - begun, PART * MILLI);
        assertEquals(time.now - begun - 1000 * MILLI, budget.waitedNanos());
    }

    @Test
    void whatIsNotUsedIsKeptUpToItsBound() throws InterruptedException {
        for (int round = 0; round < 3; round++) {
            assertEquals(0, waitToBegin());
            time.work(BURST + MILLI);
            budget.end();
            time.now += TimeUnit.HOURS.toNanos(1);
        }
        assertEquals(0, waitToBegin());
        time.work(BURST + 5 * MILLI);
        budget.end();
        assertEquals(PART * 5 * MILLI, waitToBegin());
    }

    @Test
    void nobodyWaitsLongerThanTheBoundHoweverMuchIsOwed() throws InterruptedException {
        budget.begin();
        time.work(TimeUnit.MINUTES.toNanos(1));
        budget.end();
        for (int i = 0; i < 5; i++) {
            assertEquals(ProcessorBudget.LONGEST_WAIT_NANOS, waitToBegin());
            budget.end();
        }
    }

    /** It is not known yet what each of them uses. */
    @Test
    void manyWhoBeginAtATimeDoNotAllFindTheSame() throws InterruptedException {
        int atOnce = 0;
        while (waitToBegin() == 0) {
            atOnce++;
        }
        assertEquals(BURST / ProcessorBudget.AHEAD_NANOS + 1, atOnce); // with the one who takes the last of it
        for (int i = 0; i <= atOnce; i++) {
            assertEquals(0, budget.end());
        }
        assertEquals(0, budget.usedNanos());
        assertEquals(0, waitToBegin());
    }

    @Test
    void whoDoesNotWaitIsChargedToo() throws InterruptedException {
        time.work(BURST + 3 * MILLI);
        budget.charge();
        assertEquals(PART * 3 * MILLI, waitToBegin());
        assertEquals(BURST + 3 * MILLI, budget.usedNanos());
    }

    /** What one does for all takes a quarter of what comes where others wait for it. */
    @Test
    void readingIsRarerWhereProcessorTimeIsScarce() throws InterruptedException {
        assertEquals(PART * MILLI, budget.periodNanos(MILLI));
        budget.begin();
        time.work(BURST * 2 / 3);
        budget.end();
        assertEquals(4 * PART * MILLI, budget.periodNanos(MILLI));
    }

    @Test
    void whoWaitsGoesOnWhenThePageIsClosed() throws InterruptedException {
        CountDownLatch waits = new CountDownLatch(1);
        ProcessorBudget other = new ProcessorBudget(PART, MILLI, new ProcessorBudget.Time() {
            @Override
            public long now() {
                return 0;
            }

            @Override
            public long used() {
                return 5 * MILLI;
            }

            @Override
            public void await(Condition condition, long nanos) throws InterruptedException {
                waits.countDown();
                condition.await();
            }
        });
        Thread waiter = Thread.ofPlatform().daemon().start(() -> {
            try {
                other.begin();
                other.end();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        assertTrue(waits.await(20, TimeUnit.SECONDS), "nobody has waited in 20 s");
        assertTrue(waiter.isAlive());
        other.close();
        waiter.join(TimeUnit.SECONDS.toMillis(20));
        assertFalse(waiter.isAlive(), "it still waits after 20 s");
    }

    @Test
    void anotherPartIsAPropertyWithBounds() {
        for (String wrong : List.of("0", "-1", "many", "1000001", "")) {
            assertEquals("-Dftrma.page.part=" + wrong + ": the page has one of so many parts of a core; name a number "
                + "from 1 to 1000000", assertThrows(MisuseException.class, () -> ProcessorBudget.part(wrong))
                .getMessage());
        }
        assertEquals(List.of(PART, 20, 1_000_000), List.of(ProcessorBudget.part(null), ProcessorBudget.part("20"),
            ProcessorBudget.part("1000000")));
    }
}
