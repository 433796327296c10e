package org.ftrma.launch.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The event log byte by byte, while it is written, when its writer was killed, and when it is long or damaged. */
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
        return folder.resolve(EventDescriptor.file(number));
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

    @Test
    void layoutIsThatOfTheDiagram() throws IOException {
        try (EventWriter writer = new EventWriter(folder, () -> WALL)) {
            writer.write(EventKind.RUNNING, NOON, "hello", 7, 8);
            writer.alive(NOON + 5);
        }
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(segment(1))).order(ByteOrder.LITTLE_ENDIAN);
        assertEquals("ftrmaEVT", new String(bytes.array(), 0, 8, StandardCharsets.US_ASCII));
        assertEquals(List.of(2, 1), List.of(bytes.getInt(8), bytes.getInt(12)));
        assertEquals(List.of(0L, NOON + 5, WALL), List.of(bytes.getLong(16), bytes.getLong(24), bytes.getLong(32)));
        assertEquals(56, bytes.getInt(64));
        assertEquals(EventKind.RUNNING.ordinal(), bytes.getShort(68));
        assertEquals(2, bytes.getShort(70));
        assertEquals(List.of(NOON, WALL, 7L, 8L), List.of(bytes.getLong(72), bytes.getLong(80), bytes.getLong(88),
            bytes.getLong(96)));
        assertEquals(5, bytes.getInt(104));
        assertEquals("hello", new String(bytes.array(), 108, 5, StandardCharsets.UTF_8));
        assertEquals(64 + 56, bytes.capacity());
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
        String text = "x".repeat(2 * EventDescriptor.MOST_TEXT_BYTES);
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
        assertEquals(EventDescriptor.MOST_TEXT_BYTES, events.getFirst().text().length());
        for (LoggedEvent event : events) {
            assertEquals(event.number(), event.get("generation"));
        }
        assertEquals(List.of(0L, written - 1L), List.of(events.getFirst().number(), events.getLast().number()));
        try (Stream<Path> files = Files.list(folder)) {
            assertEquals(EventDescriptor.FIRST_SEGMENTS + EventDescriptor.LAST_SEGMENTS, files.count());
        }
    }

    @Test
    void logOfAnotherVersionIsRefusedByItsNumber() throws IOException {
        write();
        patch(8, (byte) 1);
        assertTrue(refused().contains("has version 1, this ftrma reads version 2: read it with the ftrma that the job "
            + "ran with"), refused());
        patch(0, (byte) 'g');
        assertTrue(refused().contains("is no event log: magic=0x545645616d727467"), refused());
    }

    @Test
    void recordsThatDoNotFitAreNamedByTheirPlace() throws IOException {
        write();
        patch(64, (byte) 47);
        assertTrue(refused().contains("is damaged at byte 64: length=47"), refused());
        patch(64, (byte) 56);
        patch(68, (byte) 99);
        assertTrue(refused().contains("kind=99"), refused());
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

    private void write() throws IOException {
        try (EventWriter writer = new EventWriter(folder, () -> WALL)) {
            writer.write(EventKind.RUNNING, NOON, "hello", 7, 8);
            writer.write(EventKind.LOST, NOON, "killed by SIGKILL", 1, 1, 0, 5);
        }
    }

    private void patch(int at, byte value) throws IOException {
        byte[] bytes = Files.readAllBytes(segment(1));
        bytes[at] = value;
        Files.write(segment(1), bytes);
    }

    private String refused() {
        return assertThrows(EventReader.MalformedException.class, () -> new EventReader(folder).poll()).getMessage();
    }
}
