package org.ftrma.launch.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

class SilenceTest {
    private static final long MS = 1_000_000;
    private static final String SILENT = "silent for more than 1000 ms, then killed";

    private final Silence silence = new Silence(1000 * MS, 9000 * MS);

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
        Silence longer = new Silence(10_000 * MS, 90_000 * MS);
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

    @Test
    void theKernelTellsWhoRunsAndWhoIsStopped() throws Exception {
        Process loop = new ProcessBuilder("sh", "-c", "while :; do :; done").start();
        try {
            await("processor time", () -> ProcessVitals.of(loop.pid())
                .processorNanos() >= 5 * ProcessVitals.TICK_NANOS);
            assertTrue(!ProcessVitals.of(loop.pid()).isStopped());
            ProcessSignals.stop(loop);
            await("the stop", () -> ProcessVitals.of(loop.pid()).isStopped());
            long used = ProcessVitals.of(loop.pid()).processorNanos();
            Process other = new ProcessBuilder("sh", "-c", "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done").start();
            assertTrue(other.waitFor(60, TimeUnit.SECONDS));
            assertEquals(used, ProcessVitals.of(loop.pid()).processorNanos());
        } finally {
            loop.destroyForcibly();
        }
        assertTrue(loop.waitFor(20, TimeUnit.SECONDS));
        assertNull(ProcessVitals.of(loop.pid()));
    }

    private static void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() - end < 0, () -> "waited 60 s for " + what);
            Thread.onSpinWait();
        }
    }
}
