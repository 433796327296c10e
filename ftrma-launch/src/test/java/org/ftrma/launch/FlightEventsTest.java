package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.ftrma.core.coordinator.JobEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What happens in a job as a flight recording of its launcher has it. */
class FlightEventsTest {
    private static List<RecordedEvent> of(List<RecordedEvent> events, String name) {
        return events.stream().filter(event -> event.getEventType().getName().equals("org.ftrma." + name)).toList();
    }

    @Test
    void aRecordingHasCutsLossesAndRecoveries(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("job.jfr");
        try (Recording recording = new Recording()) {
            for (String name : List.of("Cut", "Loss", "Recovery")) {
                recording.enable("org.ftrma." + name).withoutThreshold();
            }
            recording.start();
            FlightEvents flight = new FlightEvents();
            flight.event(new JobEvent.Committed(3, 40, 5_000_000, 6_000_000), 1);
            flight.event(new JobEvent.MemberLost(1, 2, 0, 41, "killed by SIGKILL"), 2);
            flight.event(new JobEvent.Recovered(2, 1, "replay"), 3);
            flight.event(new JobEvent.Recovered(1, 1, "not one that was lost"), 4);
            recording.stop();
            recording.dump(file);
        }
        List<RecordedEvent> events = RecordingFile.readAllEvents(file);
        RecordedEvent cut = of(events, "Cut").getFirst();
        assertEquals(List.of(3L, 40L, 5L, 6L), List.of(cut.getLong("generation"), cut.getLong("step"),
            cut.getDuration("blockedNanos").toMillis(), cut.getDuration("parityNanos").toMillis()));
        RecordedEvent loss = of(events, "Loss").getFirst();
        assertEquals(List.of(2, 41L, "killed by SIGKILL"), List.of(loss.getInt("member"), loss.getLong("step"),
            loss.getString("cause")));
        assertEquals(1, of(events, "Recovery").size());
        RecordedEvent recovery = of(events, "Recovery").getFirst();
        assertEquals(List.of(2, 1, "replay"), List.of(recovery.getInt("member"), recovery.getInt("incarnation"),
            recovery.getString("how")));
    }
}
