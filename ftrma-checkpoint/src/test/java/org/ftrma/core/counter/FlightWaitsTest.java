package org.ftrma.core.counter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Waits of a member as a flight recording has them. */
class FlightWaitsTest {
    private static final long LONG_NANOS = 20_000_000;

    @Test
    void aRecordingHasEachWaitWithItsLength(@TempDir Path directory) throws IOException {
        FlightWaits waits = new FlightWaits();
        waits.waits("before", 0, true);
        Path file = directory.resolve("waits.jfr");
        try (Recording recording = new Recording()) {
            recording.enable("org.ftrma.Wait").withThreshold(Duration.ZERO);
            recording.start();
            waits.waits("rain", 2, true);
            long end = System.nanoTime() + LONG_NANOS;
            while (System.nanoTime() - end < 0) {
                LockSupport.parkNanos(1_000_000);
            }
            waits.waits("rain", 2, false);
            waits.waits("sun", -1, true);
            waits.over();
            waits.over();
            recording.stop();
            recording.dump(file);
        }
        List<RecordedEvent> events = RecordingFile.readAllEvents(file).stream()
            .filter(event -> event.getEventType().getName().equals("org.ftrma.Wait")).toList();
        assertEquals(List.of("rain", "sun"), events.stream().map(event -> event.getString("what")).toList());
        assertEquals(List.of(2, -1), events.stream().map(event -> event.getInt("peer")).toList());
        assertTrue(events.getFirst().getDuration().toNanos() >= LONG_NANOS, events::toString);
        assertTrue(events.getLast().getDuration().toNanos() < LONG_NANOS, events::toString);
    }
}
