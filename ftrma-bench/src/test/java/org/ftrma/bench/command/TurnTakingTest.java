package org.ftrma.bench.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("long")
class TurnTakingTest {
    private static final long TURN_NANOS = 50_000_000;
    private static final long TIMEOUT_SECONDS = 120;

    private static List<String> fft(String protocol, String more) {
        return List.of(("fft --class S --ranks 2 --checksums 1 --warm-up 0 --iterations 300 --verbose "
            + "--heartbeat-timeout 5m --protocol " + protocol
            + more).split(" "));
    }

    @Test
    void bothJobsStandStillWhileTheOtherOneRuns() throws Exception {
        long begun = System.nanoTime();
        List<TurnTaking.Outcome> both = TurnTaking.run(fft("none", ""), fft("full", ""), TURN_NANOS, TIMEOUT_SECONDS);
        double all = 1e-9 * (System.nanoTime() - begun);
        double paused = 0;
        for (TurnTaking.Outcome one : both) {
            Map<?, ?> reports = (Map<?, ?>) one.json().get("reports");
            long end = ((Number) reports.get("endNanos")).longValue();
            double still = one.pausedSecondsUntil(end);
            assertTrue(end - begun > 0 && end - begun < 1e9 * all, reports::toString);
            assertTrue(one.pauses().size() > 1 && still > 1e-9 * TURN_NANOS, one.pauses()::toString);
            assertTrue(((Number) one.json().get("seconds")).doubleValue() > still, one.pauses()::toString);
            paused += one.pausedSecondsUntil(Long.MAX_VALUE);
        }
        assertTrue(paused < all, "they never stand still both");
        assertEquals(List.of("none", "full"), both.stream().map(one -> one.json().get("protocol")).toList());
        assertNothingLeft();
    }

    /** The shell ends when its input does. */
    private static void assertNothingLeft() {
        assertEquals(0, ProcessHandle.current().children()
            .filter(child -> child.info().command().orElse("").endsWith("java")).count());
    }

    @Test
    void aJobThatFailsEndsTheOtherOneThatStandsStill() {
        IOException failure = assertThrows(IOException.class,
            () -> TurnTaking.run(fft("none", ""), fft("none", " --kill 1@2"), TURN_NANOS, TIMEOUT_SECONDS));
        assertTrue(failure.getMessage().contains("--kill 1@2 ended with status"), failure::getMessage);
        assertNothingLeft();
    }
}
