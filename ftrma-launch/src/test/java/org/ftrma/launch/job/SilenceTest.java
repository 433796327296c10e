package org.ftrma.launch.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.function.LongFunction;
import org.ftrma.launch.agent.ProcessVitals;
import org.junit.jupiter.api.Test;

class SilenceTest {
    private static final long MS = 1_000_000;
    private static final String SILENT = "silent for more than 1000 ms, then killed";

    private final HeartbeatMonitor silence = new HeartbeatMonitor(1000 * MS, 9000 * MS);

    /**
     * Looks every 50 ms from 400 ms after the process was heard; returns at which one it is given up, or -1 after 20 s.
     */
    private long givenUpAt(LongFunction<ProcessVitals> vitals, String why) {
        for (long millis = silence.noticeableNanos() / MS; millis < 20_000; millis += 50) {
            long at = millis;
            String verdict = silence.verdict(3, 0, millis * MS, () -> vitals.apply(at));
            if (verdict != null) {
                assertEquals(why, verdict);
                return millis;
            }
        }
        return -1;
    }

    private static ProcessVitals asleep(long processorMillis) {
        return new ProcessVitals('S', processorMillis * MS);
    }

    @Test
    void aProcessThatUsesNoProcessorTimeIsHungAfterTheTimeout() {
        assertEquals(1000, givenUpAt(millis -> asleep(5), SILENT));
    }

    @Test
    void aStoppedProcessIsHungAfterTheTimeout() {
        assertEquals(1000, givenUpAt(millis -> new ProcessVitals('T', 70),
            "silent for more than 1000 ms (it was stopped), then killed"));
    }

    @Test
    void aProcessOfWhichNothingIsKnownIsHungAfterTheTimeout() {
        assertEquals(1000, givenUpAt(millis -> null, SILENT));
    }

    /** Such as one all of whose threads wait for one bulk operation. */
    @Test
    void aProcessThatComputesIsNotHungBeforeItsLimit() {
        assertEquals(9000, givenUpAt(millis -> asleep(millis / 2 / 10 * 10),
            "silent for more than 9000 ms although it used the processor (--stall-timeout), then killed"));
    }

    @Test
    void theTimeoutCountsFromTheLastProcessorTime() {
        assertEquals(4000, givenUpAt(millis -> asleep(Math.min(millis, 3000)), SILENT));
    }

    /** The virtual machine's own threads wake up now and then. */
    @Test
    void theLittleThatAnIdleProcessUsesDoesNotKeepItAlive() {
        HeartbeatMonitor longer = new HeartbeatMonitor(10_000 * MS, 90_000 * MS);
        for (long millis = 4000; millis < 10_000; millis += 50) {
            long used = millis / 4000 * 10;
            assertNull(longer.verdict(1, 0, millis * MS, () -> asleep(used)));
        }
        assertEquals("silent for more than 10000 ms, then killed", longer.verdict(1, 0, 10_000 * MS, () -> asleep(20)));
    }

    @Test
    void whoWasHeardAgainBeginsAnew() {
        assertNull(silence.verdict(3, 0, 400 * MS, () -> asleep(0)));
        assertNull(silence.verdict(3, 0, 950 * MS, () -> asleep(0)));
        assertNull(silence.verdict(3, 960 * MS, 1400 * MS, () -> asleep(0)));
        assertNull(silence.verdict(3, 960 * MS, 1950 * MS, () -> asleep(0)));
        assertEquals(SILENT, silence.verdict(3, 960 * MS, 1960 * MS, () -> asleep(0)));
    }
}
