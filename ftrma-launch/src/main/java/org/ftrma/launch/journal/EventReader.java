package org.ftrma.launch.journal;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.Serial;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the event log of a job, which may run on, or be dead. A line counts when its end is there. One thread.
 */
public final class EventReader {
    private static final Pattern FILE = Pattern.compile("events-([0-9]{6,9})\\.jsonl");
    private static final Pattern ALIVE = Pattern.compile("([0-9]{1,19}) ([0-9]{1,19})\\s*");

    private final Path folder;
    private int fileNumber;
    private long at;
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
        readAlive();
        List<LoggedEvent> events = new ArrayList<>();
        while (true) {
            int following = following(fileNumber); // asked first: what is behind it is whole then
            while (fileNumber > 0 && read(events)) {
                Thread.onSpinWait(); // a part of the file follows
            }
            if (following < 0) {
                return events;
            }
            fileNumber = following;
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
        Path file = folder.resolve(EventWriter.file(Math.max(1, fileNumber)));
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

    private void readAlive() throws IOException {
        try {
            byte[] bytes = readFrom(folder.resolve(EventWriter.ALIVE), 0);
            Matcher alive = ALIVE.matcher(new String(bytes, StandardCharsets.ISO_8859_1));
            if (alive.matches()) {
                aliveMicros = Long.parseLong(alive.group(1));
                aliveWallMicros = Long.parseLong(alive.group(2));
            }
        } catch (NoSuchFileException | NumberFormatException e) {
            Thread.onSpinWait(); // its writer has yet to write it, or somebody else has written there
        }
    }

    /** The first file behind this one that there is, or -1. */
    private int following(int than) throws IOException {
        int least = -1;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                Matcher name = FILE.matcher(file.getFileName().toString());
                if (name.matches()) {
                    int one = Integer.parseInt(name.group(1));
                    least = one > than && (least < 0 || one < least) ? one : least;
                }
            }
        }
        return least;
    }

    /** Reads the lines that are whole. Returns whether there may be more. */
    private boolean read(List<LoggedEvent> events) throws IOException {
        Path file = folder.resolve(EventWriter.file(fileNumber));
        byte[] bytes;
        try {
            bytes = readFrom(file, at);
        } catch (NoSuchFileException e) {
            return false; // the log has dropped it meanwhile
        }
        int begin = 0;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == '\n') {
                events.add(event(new String(bytes, begin, i - begin, StandardCharsets.UTF_8), file, at + begin));
                begin = i + 1;
            }
        }
        boolean isFull = bytes.length == EventWriter.FILE_BYTES;
        if (isFull && begin == 0) {
            throw damaged(file, at, "a line of more than " + EventWriter.FILE_BYTES + " bytes");
        }
        at += begin;
        return isFull;
    }

    /** What there is from there on, up to the size of a file. */
    private static byte[] readFrom(Path file, long from) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            ByteBuffer bytes = ByteBuffer.allocate(Math.clamp(channel.size() - from, 0, EventWriter.FILE_BYTES));
            while (bytes.hasRemaining() && channel.read(bytes, from + bytes.position()) > 0) {
                Thread.onSpinWait(); // the rest follows
            }
            return Arrays.copyOf(bytes.array(), bytes.position());
        }
    }

    private LoggedEvent event(String line, Path file, long place) throws MalformedException {
        try {
            Map<String, Object> map = JSON.std.mapFrom(line);
            if (map == null) {
                throw new IOException("null");
            }
            LoggedEvent event = LoggedEvent.of(map);
            leftOut += Math.max(0, event.number() - next);
            next = event.number() + 1;
            return event;
        } catch (IllegalArgumentException | DateTimeException e) {
            throw damaged(file, place, e.getMessage());
        } catch (IOException e) {
            throw damaged(file, place, "no JSON object: " + line.substring(0, Math.min(line.length(), 80)));
        }
    }

    private static MalformedException damaged(Path file, long place, String why) {
        return new MalformedException(file + " is damaged at byte " + place + ", or of another version of ftrma: "
            + LoggedEvent.printable(why));
    }
}
