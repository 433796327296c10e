package org.ftrma.launch.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.launch.agent.Surroundings;
import org.ftrma.rank.control.MachineClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The event log line by line, while it is written, when its writer was killed, and when it is long or damaged. */
class EventLogTest {
    private static final long NOON = 1_700_000_000_000_000L;
    /** The clock of the host was set meanwhile. */
    private static final long WALL = NOON + 3_600_000_000L;

    @TempDir
    private Path folder;

    private static long[] numbers(EventKind kind, long first) {
        return LongStream.range(first, first + kind.numbers().size()).toArray();
    }

    private Path segment(int number) {
        return folder.resolve(EventWriter.file(number));
    }

    @Test
    void eventsOfAllKindsAreReadAsTheyWereWritten() throws IOException {
        try (EventWriter writer = new EventWriter(folder, () -> WALL)) {
            for (EventKind kind : EventKind.values()) {
                writer.write(kind, NOON + kind.ordinal(), "text of " + kind + ", größer", numbers(kind, -1));
            }
        }
        EventReader reader = new EventReader(folder);
        List<LoggedEvent> events = reader.poll();
        assertEquals(EventKind.values().length, events.size());
        for (EventKind kind : EventKind.values()) {
            assertEquals(new LoggedEvent(kind.ordinal(), NOON + kind.ordinal(), WALL, kind,
                LongStream.of(numbers(kind, -1)).boxed().toList(), "text of " + kind + ", größer"),
                events.get(kind.ordinal()));
        }
        assertEquals(NOON + EventKind.values().length - 1, reader.aliveMicros());
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(segment(1))));
    }

    /** As jq reads it: `events --json` prints the same lines. */
    @Test
    void anEventIsALineOfJson() throws IOException {
        try (EventWriter writer = new EventWriter(folder, () -> WALL)) {
            writer.write(EventKind.DEMAND, NOON, "two\nlines \"of\" größe", 7, 8, 9, Long.MIN_VALUE);
            writer.alive(NOON + 5);
        }
        assertEquals("{\"number\":0,\"time\":\"2023-11-14T23:13:20Z\",\"jobClockMicros\":1700000000000000,"
            + "\"event\":\"demand-checkpoint\",\"member\":7,\"checkpoint\":8,\"parity\":9,"
            + "\"bytes\":-9223372036854775808,\"text\":\"two\\nlines \\\"of\\\" größe\"}\n",
            Files.readString(segment(1)));
        EventReader reader = new EventReader(folder);
        assertEquals(List.of(7L, 8L, 9L, Long.MIN_VALUE), reader.poll().getFirst().numbers());
        assertEquals(List.of(NOON + 5, WALL), List.of(reader.aliveMicros(), reader.aliveWallMicros()));
    }

    /** As where the writer is killed in the middle, or has not gone on yet. */
    @Test
    void aLineCountsWhenItIsWhole() throws IOException {
        write();
        String whole = Files.readString(segment(1));
        EventReader reader = new EventReader(folder);
        Files.writeString(segment(1), whole.substring(0, whole.length() - 1));
        assertEquals(1, reader.poll().size());
        Files.writeString(segment(1), whole);
        assertEquals(List.of("killed by SIGKILL"), reader.poll().stream().map(LoggedEvent::text).toList());
    }

    /** Nothing is closed, as where the writer gets a SIGKILL. */
    @Test
    void readerFollowsAWriterThatIsNeverClosed() throws IOException {
        EventReader reader = new EventReader(folder);
        assertEquals(List.of(), reader.poll());
        try (EventWriter writer = new EventWriter(folder, () -> WALL)) {
            writer.write(EventKind.NOTE, NOON, "one");
            assertEquals(List.of("one"), reader.poll().stream().map(LoggedEvent::text).toList());
            assertEquals(List.of(), reader.poll());
            writer.write(EventKind.NOTE, NOON, "two");
            writer.write(EventKind.NOTE, NOON, "three");
            assertEquals(List.of("two", "three"), reader.poll().stream().map(LoggedEvent::text).toList());
            assertEquals(3, new EventReader(folder).poll().size());
        }
    }

    @Test
    void longLogKeepsItsBeginningAndItsEnd() throws IOException {
        String text = "x".repeat(2 * EventWriter.MOST_TEXT);
        int written = 0;
        EventReader follower = new EventReader(folder);
        int followed = 0;
        try (EventWriter writer = new EventWriter(folder, () -> WALL)) {
            while (!Files.exists(segment(40))) {
                writer.write(EventKind.CUT_ABANDONED, NOON + written, text, written, 1, 0);
                written++;
                followed += follower.poll().size();
            }
        }
        assertEquals(written, followed);
        assertEquals(0, follower.leftOut());
        EventReader reader = new EventReader(folder);
        List<LoggedEvent> events = reader.poll();
        assertEquals(written, events.size() + reader.leftOut());
        assertTrue(reader.leftOut() > 100, reader.leftOut() + " events left out");
        assertEquals(EventWriter.MOST_TEXT, events.getFirst().text().length());
        for (LoggedEvent event : events) {
            assertEquals(event.number(), event.get("generation"));
        }
        assertEquals(List.of(0L, written - 1L), List.of(events.getFirst().number(), events.getLast().number()));
        try (Stream<Path> files = Files.list(folder)) {
            assertEquals(EventWriter.FIRST_FILES + EventWriter.LAST_FILES, files.filter(file ->
                file.getFileName().toString().startsWith("events-")).count());
        }
    }

    @Test
    void linesThatAreNoEventsAreNamedByTheirPlace() throws IOException {
        write();
        String whole = Files.readString(segment(1));
        refused(whole.replace("\"lost\"", "\"vanished\""), "is damaged at byte " + (whole.indexOf('\n') + 1)
            + ", or of another version of ftrma: event=vanished: no kind of event that this version knows");
        refused(whole.replace("\"view\":7", "\"view\":\"7\""), "is damaged at byte 0, or of another version of ftrma: "
            + "view=7: must be an integer");
        refused(whole.replace("\"text\"", "\"words\""), "text=null: must be a text");
        refused(whole.replace("2023-", "yesterday-"), "yesterday-");
        refused("ftrmaEVT\u0000\n", "no JSON object: ftrmaEVT?");
        refused("\n", "no JSON object: ");
        refused("null\n", "no JSON object: null");
        refused("[1]\n", "no JSON object: [1]");
        refused("x".repeat(EventWriter.FILE_BYTES), "a line of more than 262144 bytes");
    }

    @Test
    void damageOfAnyKindIsReadOrRefused() throws IOException {
        write();
        byte[] whole = Files.readAllBytes(segment(1));
        Random random = new Random(5);
        int read = 0;
        for (int run = 0; run < 2000; run++) {
            byte[] copy = java.util.Arrays.copyOf(whole, run % 2 == 0 ? whole.length : random.nextInt(whole.length));
            for (int i = random.nextInt(4); i >= 0 && copy.length > 0; i--) {
                copy[random.nextInt(copy.length)] = (byte) random.nextInt();
            }
            Files.write(segment(1), copy);
            try {
                read += new EventReader(folder).poll().size();
            } catch (EventReader.MalformedException e) {
                assertTrue(e.getMessage().length() > 20, e.getMessage());
            }
        }
        assertTrue(read > 100, read + " read");
    }

    /** As where a host loses its power before its system has written anything. */
    @Test
    void aLogWithoutEventsSaysWhatItIs() throws IOException {
        EventReader reader = new EventReader(folder);
        assertEquals("there is no event log: " + segment(1) + " is missing", reader.whyEmpty());
        Files.createFile(segment(1));
        assertEquals(List.of(), reader.poll());
        assertTrue(reader.whyEmpty().startsWith("the event log is empty: " + segment(1) + " has 0 bytes, and no "
            + "event; "), reader.whyEmpty());
        Files.write(segment(1), new byte[4096]);
        assertEquals(List.of(), reader.poll());
        assertTrue(reader.whyEmpty().contains(" has 4096 bytes, and no event"), reader.whyEmpty());
        Files.delete(segment(1));
        write();
        assertEquals(2, reader.poll().size());
        assertEquals(null, reader.whyEmpty());
    }

    /** As where the disk is full: the next file cannot be made. */
    @Test
    void aJobIsAliveThoughThereIsNoRoomForItsEvents() throws IOException {
        List<String> notes = new ArrayList<>();
        try (JobJournal journal = new JobJournal(new JobJournal.Keeping(folder, Duration.ofDays(1)),
            new JobFacts("app", List.of("run"), 1, 0, 0, List.of(), Map.of(),
                Launcher.here(Surroundings.hostName()), 1), process -> "here", notes::add, MachineClock.HERE)) {
            long now = System.nanoTime();
            Files.createFile(journal.path().resolve(EventWriter.file(2)));
            for (int i = 0; i < 40; i++) {
                journal.event(new JobEvent.Note("x".repeat(EventWriter.MOST_TEXT)), now);
            }
            EventReader reader = new EventReader(journal.path());
            assertEquals(16, reader.poll().size()); // the beginning is one
            long before = reader.aliveMicros();
            journal.alive(now + 7_000_000_000L);
            reader.poll();
            assertEquals(7_000_000, reader.aliveMicros() - before, 1);
        }
        assertEquals(1, notes.size(), notes::toString);
        assertTrue(notes.getFirst().startsWith("no further events are kept in "), notes::toString);
    }

    private void write() throws IOException {
        try (EventWriter writer = new EventWriter(folder, () -> WALL)) {
            writer.write(EventKind.RUNNING, NOON, "hello", 7, 8);
            writer.write(EventKind.LOST, NOON, "killed by SIGKILL", 1, 1, 0, 5);
        }
    }

    private void refused(String log, String why) throws IOException {
        Files.writeString(segment(1), log);
        String message = assertThrows(EventReader.MalformedException.class, () -> new EventReader(folder).poll())
            .getMessage();
        assertTrue(message.contains(why), message);
    }
}
