package org.ftrma.launch.journal;

import java.io.IOException;
import java.io.Serial;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the event log of a job, which may run on, or be dead. It believes nothing that it has not compared with the
 * size of what it was given. One thread.
 */
public final class EventReader {
    private static final EventKind[] KINDS = EventKind.values();

    private final Path folder;
    private int segment;
    private int at;
    private long next;
    private long leftOut;
    private long aliveMicros;
    private long aliveWallMicros;

    /** This is no event log that this version can read; the message says why. */
    public static final class MalformedException extends IOException {
        @Serial
        private static final long serialVersionUID = 1;

        MalformedException(String message) {
            super(message);
        }
    }

    /** From the first event on. */
    public EventReader(Path folder) {
        this.folder = folder;
    }

    /** Those that have come since. */
    public List<LoggedEvent> poll() throws IOException {
        List<LoggedEvent> events = new ArrayList<>();
        while (true) {
            int following = following(segment); // asked first: what is behind it is whole then
            if (segment > 0) {
                read(events);
            }
            if (following < 0) {
                return events;
            }
            segment = following;
            at = 0;
        }
    }

    /**
     * What is wrong with a log in which there is not one event, of a job that writes none any more, for people; null:
     * there are some.
     */
    public String whyEmpty() throws IOException {
        if (next > 0 || leftOut > 0) {
            return null;
        }
        Path file = folder.resolve(EventDescriptor.file(Math.max(1, segment)));
        return !Files.exists(file) ? "there is no event log: " + file + " is missing" : "the event log is empty: "
            + file + " has " + Files.size(file) + " bytes, and no event; its host went down before its system had "
            + "written them to the disk, or the disk was full";
    }

    /** Events that the log has dropped, since it was too long. */
    public long leftOut() {
        return leftOut;
    }

    /** When the writer was alive, by the clock of its host; 0: nothing was read yet. */
    long aliveWallMicros() {
        return aliveWallMicros;
    }

    /** When the writer was alive, by the job's clock; 0: nothing was read yet. */
    public long aliveMicros() {
        return aliveMicros;
    }

    /** The first segment behind this one that there is, or -1. */
    private int following(int than) throws IOException {
        int least = -1;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "events-*")) {
            for (Path file : files) {
                String number = file.getFileName().toString().substring("events-".length());
                if (number.matches("[0-9]{6,9}")) {
                    int one = Integer.parseInt(number);
                    least = one > than && (least < 0 || one < least) ? one : least;
                }
            }
        }
        return least;
    }

    private void read(List<LoggedEvent> events) throws IOException {
        Path file = folder.resolve(EventDescriptor.file(segment));
        MemorySegment memory;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            if (at > 0 && !hasMore(channel, file)) {
                return;
            }
            memory = read(channel, 0, EventDescriptor.SEGMENT_BYTES);
        } catch (NoSuchFileException e) {
            return; // the log has dropped it meanwhile
        }
        if (!header(memory, file)) {
            return;
        }
        while (at + EventDescriptor.NUMBERS <= memory.byteSize()) {
            int length = (int) EventDescriptor.INTS.getAcquire(memory, (long) at);
            if (length == 0) {
                return;
            }
            events.add(record(memory, length, file));
            at += length;
        }
    }

    /** Whether something follows what was read; most times nothing does, and then the whole segment is not read. */
    private boolean hasMore(FileChannel channel, Path file) throws IOException {
        MemorySegment length = read(channel, at, Long.BYTES);
        return header(read(channel, 0, EventDescriptor.HEADER_BYTES), file) && length.byteSize() == Long.BYTES
            && length.get(EventDescriptor.INT, 0) != 0;
    }

    /** So many bytes from there on, or all that there are, at words' places as in the file. */
    private static MemorySegment read(FileChannel channel, int from, int most) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(most);
        while (bytes.hasRemaining() && channel.read(bytes, from + (long) bytes.position()) > 0) {
            Thread.onSpinWait(); // the rest follows
        }
        MemorySegment memory = MemorySegment.ofArray(new long[(bytes.position() + 7) / 8]).asSlice(0, bytes.position());
        MemorySegment.copy(MemorySegment.ofArray(bytes.array()), 0, memory, 0, bytes.position());
        return memory;
    }

    /** Whether there is one; its writer may be about to write it. */
    private boolean header(MemorySegment memory, Path file) throws MalformedException {
        if (memory.byteSize() < EventDescriptor.HEADER_BYTES || memory.get(EventDescriptor.LONG, 0) == 0) {
            return false;
        }
        long magic = memory.get(EventDescriptor.LONG, EventDescriptor.MAGIC_AT);
        if (magic != EventDescriptor.MAGIC) {
            throw new MalformedException(file + " is no event log: magic=0x" + Long.toHexString(magic)
                + " instead of 0x" + Long.toHexString(EventDescriptor.MAGIC));
        }
        int version = memory.get(EventDescriptor.INT, EventDescriptor.VERSION_AT);
        if (version != EventDescriptor.VERSION) {
            throw new MalformedException(file + " has version " + version + ", this ftrma reads version "
                + EventDescriptor.VERSION + ": read it with the ftrma that the job ran with");
        }
        aliveMicros = memory.get(EventDescriptor.LONG, EventDescriptor.ALIVE_AT);
        aliveWallMicros = memory.get(EventDescriptor.LONG, EventDescriptor.ALIVE_WALL_AT);
        if (at == 0) {
            at = EventDescriptor.HEADER_BYTES;
            long first = memory.get(EventDescriptor.LONG, EventDescriptor.FIRST_AT);
            leftOut += Math.max(0, first - next);
            next = first;
        }
        return true;
    }

    private LoggedEvent record(MemorySegment memory, int length, Path file) throws MalformedException {
        int least = EventDescriptor.length(0, 0);
        int kind = memory.get(EventDescriptor.SHORT, at + EventDescriptor.KIND);
        int count = memory.get(EventDescriptor.SHORT, at + EventDescriptor.COUNT);
        boolean fits = length >= least && length % 8 == 0 && length <= memory.byteSize() - at && kind >= 0
            && kind < KINDS.length && count == KINDS[kind].numbers().size()
            && EventDescriptor.length(count, 0) <= length;
        long textAt = at + EventDescriptor.NUMBERS + (long) count * Long.BYTES;
        int textBytes = fits ? memory.get(EventDescriptor.INT, textAt) : -1;
        if (!fits || textBytes < 0 || textBytes > EventDescriptor.MOST_TEXT_BYTES
            || EventDescriptor.length(count, textBytes) != length) {
            throw new MalformedException(file + " is damaged at byte " + at + ": length=" + length + " kind=" + kind
                + " numbers=" + count + " text=" + textBytes);
        }
        List<Long> numbers = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            numbers.add(memory.get(EventDescriptor.LONG, at + EventDescriptor.NUMBERS + (long) i * Long.BYTES));
        }
        byte[] text = memory.asSlice(textAt + Integer.BYTES, textBytes).toArray(
            java.lang.foreign.ValueLayout.JAVA_BYTE);
        return new LoggedEvent(next++, memory.get(EventDescriptor.LONG, at + EventDescriptor.MICROS),
            memory.get(EventDescriptor.LONG, at + EventDescriptor.WALL), KINDS[kind], List.copyOf(numbers),
            new String(text, StandardCharsets.UTF_8));
    }
}
