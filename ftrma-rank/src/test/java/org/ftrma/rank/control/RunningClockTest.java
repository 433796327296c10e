package org.ftrma.rank.control;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** The clock that stands still while its process does, driven by hand. */
class RunningClockTest {
    private static final long SECOND = 1_000_000_000L;
    private long machine = Long.MAX_VALUE - 3 * SECOND; // it passes the end of its numbers
    private long processor;
    private final RunningClock clock = new RunningClock(() -> machine, () -> processor);
    private final long begun = clock.nanoTime();

    private long seconds() {
        return (clock.nanoTime() - begun) / SECOND;
    }

    @Test
    void timeInWhichTheProcessDidNotRunDoesNotCount() {
        for (int second = 1; second <= 5; second++) {
            machine += SECOND;
            assertEquals(second, seconds());
        }
        machine += 75 * SECOND;
        assertEquals(5, seconds());
        machine += SECOND;
        assertEquals(6, seconds());
        machine += 3 * SECOND;
        processor += SECOND / 10;
        assertEquals(6, seconds(), "it hardly ran");
    }

    /** As in a collection of garbage, or where much memory is filled at once: nobody can look then. */
    @Test
    void timeInWhichItComputedCounts() {
        machine += 20 * SECOND;
        processor += 12 * SECOND;
        assertEquals(20, seconds());
    }

    /** Stopped between two instructions, a thread has read one clock and not yet the other one. */
    @Test
    void aGapInTheMiddleOfALookDoesNotCountEither() {
        long[] read = {0};
        RunningClock interrupted = new RunningClock(() -> machine += read[0]++ == 1 ? 20 * SECOND : 0, () -> 0);
        long now = interrupted.nanoTime();
        assertEquals(machine - 20 * SECOND, now);
    }
}
