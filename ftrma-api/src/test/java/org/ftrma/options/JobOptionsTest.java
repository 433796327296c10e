package org.ftrma.options;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.ftrma.MisuseException;
import org.junit.jupiter.api.Test;

class JobOptionsTest {
    private static String refusal(String key, String value) {
        return assertThrows(MisuseException.class, () -> JobOptions.of(Map.of(key, value))).getMessage();
    }

    @Test
    void everyDefaultIsValid() {
        JobOptions options = JobOptions.of(Map.of());
        assertEquals(2, options.ranks());
        assertFalse(options.isProtected());
        assertEquals(new Interval.Daly(), options.interval());
        assertEquals(options.asMap(), JobOptions.of(options.asMap()).asMap());
    }

    @Test
    void valuesAreParsedWithTheirUnits() {
        JobOptions options = JobOptions.of(Map.of("mtbf", "1.5h", "interval", "2.7s", "heartbeat-timeout", "250ms",
            "checksums", "1"));
        assertEquals(5_400_000_000_000L, options.mtbfNanos());
        assertEquals(new Interval.EveryTime(2_700_000_000L), options.interval());
        assertEquals(250_000_000L, options.heartbeatTimeoutNanos());
        assertTrue(options.isProtected());
        assertEquals(new Interval.EverySteps(12), JobOptions.of(Map.of("interval", "12")).interval());
    }

    @Test
    void protocolNoneMeansNoChecksumRanks() {
        assertEquals(0, JobOptions.of(Map.of("checksums", "1", "protocol", "none")).checksums());
        assertEquals(0, JobOptions.of(Map.of("protocol", "none")).checksums());
    }

    @Test
    void aProtocolThatProtectsHasOneGroupUnlessItIsToldOtherwise() {
        assertEquals(0, JobOptions.of(Map.of()).checksums());
        assertEquals(1, JobOptions.of(Map.of("protocol", "full")).checksums());
        assertEquals(2, JobOptions.of(Map.of("protocol", "coordinated", "losses", "2")).checksums());
        assertEquals(0, JobOptions.of(Map.of("protocol", "full", "checksums", "0")).checksums());
        assertEquals(3, JobOptions.of(Map.of("protocol", "full", "checksums", "3", "ranks", "8")).checksums());
    }

    @Test
    void refusalsNameTheOptionTheValueAndWhatIsAllowed() {
        assertTrue(refusal("ranks", "0").contains("--ranks=0: must be 1 to 1024"));
        assertTrue(refusal("losses", "9").contains("--losses=9"));
        assertTrue(refusal("ranks", "many").contains("not a whole number"));
        assertTrue(refusal("mtbf", "5").contains("a time with a unit"));
        assertTrue(refusal("mtbf", "0s").contains("more than zero"));
        assertTrue(refusal("interval", "0").contains("must be 1 to"));
        assertTrue(refusal("interval", "-3").contains("a time with a unit"));
        assertTrue(refusal("protocol", "hope").contains("none, coordinated"));
        assertTrue(refusal("path", "warp").contains("auto, network"));
        assertTrue(refusal("checksums", "3").contains("at most one per computing rank"));
        assertTrue(refusal("colour", "red").contains("no such job option"));
        assertTrue(refusal("heartbeat-timeout", "1ms").contains("at least 100ms and at most 365d"));
        // A deadline is added to the time that it is.
        assertTrue(refusal("deadline", "106751d").contains("at most 365d"));
        assertTrue(refusal("mtbf", "99999999d").contains("106751d, which are 292 years"));
        assertTrue(refusal("log-budget", "99999999999GiB").contains("less than 8589934592GiB"));
    }

    @Test
    void timesArePrintedForPeople() {
        assertEquals("1ns", Units.time(1));
        assertEquals("1500us", Units.time(1_500_000));
        assertEquals("90s", Units.time(90_000_000_000L));
        assertEquals("2d", Units.time(172_800_000_000_000L));
    }

    @Test
    void sizesArePrintedForPeople() {
        assertEquals("512 B", Units.bytes(512));
        assertEquals("64.0 MiB", Units.bytes(64L << 20));
        assertEquals(64L << 20, Units.sizeBytes("log-budget", "64MiB"));
    }
}
