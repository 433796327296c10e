package org.ftrma.launch.journal;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;

/**
 * Writes a job's event log: JSON lines, one for each event, in files of at most {@link #FILE_BYTES}. An event is one
 * write, so the system has it whatever ends the process. Of a long log the first and the last files are kept. One
 * thread.
 */
final class EventWriter implements AutoCloseable {
    static final int FILE_BYTES = 1 << 18;
    /** Of a long log: from its beginning, and up to its end. */
    static final int FIRST_FILES = 4;
    static final int LAST_FILES = 12;
    /** Characters of the text of an event. */
    static final int MOST_TEXT = 1 << 14;
    /** The file with the moment at which the writer was alive: by the job's clock, and by the host's. */
    static final String ALIVE = "alive";
    static final String ALIVE_LINE = "%019d %019d\n";

    private final Path folder;
    private final LongSupplier wallMicros;
    private final FileChannel alive;
    private FileChannel file;
    private int fileNumber;
    private int bytesInFile;
    private long number;

    /**
     * Begins the log of a folder that has none.
     *
     * @param wallMicros the host's clock
     */
    EventWriter(Path folder, LongSupplier wallMicros) throws IOException {
        this.folder = folder;
        this.wallMicros = wallMicros;
        open(1);
        alive = create(folder.resolve(ALIVE));
    }

    /** The name of a file of the log; they are numbered from 1 on. */
    static String file(int number) {
        return String.format(Locale.ROOT, "events-%06d.jsonl", number);
    }

    private static FileChannel create(Path path) throws IOException {
        return FileChannel.open(path, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }

    private void open(int next) throws IOException {
        FileChannel opened = create(folder.resolve(file(next)));
        if (file != null) {
            file.close();
        }
        file = opened;
        fileNumber = next;
        bytesInFile = 0;
    }

    /** Of a long log the middle goes. */
    private void roll() throws IOException {
        open(fileNumber + 1);
        int over = fileNumber - LAST_FILES;
        if (over > FIRST_FILES) {
            Files.deleteIfExists(folder.resolve(file(over)));
        }
    }

    /**
     * One event. A text that is too long is cut.
     *
     * @param micros when, by the job's clock
     * @throws IOException the file system does not take it
     */
    void write(EventKind kind, long micros, String text, long... numbers) throws IOException {
        if (numbers.length != kind.numbers().size()) {
            throw new IllegalArgumentException(kind + " has the numbers " + kind.numbers() + ", and not "
                + numbers.length);
        }
        String cut = text.substring(0, Math.min(text.length(), MOST_TEXT));
        LoggedEvent event = new LoggedEvent(number, micros, wallMicros.getAsLong(), kind,
            LongStream.of(numbers).boxed().toList(), cut);
        byte[] line = (JSON.std.asString(event.map()) + "\n").getBytes(StandardCharsets.UTF_8);
        if (bytesInFile + line.length > FILE_BYTES) {
            roll();
        }
        writeAll(file, line, bytesInFile);
        bytesInFile += line.length;
        number++;
        alive(micros);
    }

    private static void writeAll(FileChannel channel, byte[] bytes, long at) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) {
            channel.write(buffer, at + buffer.position());
        }
    }

    /** The writer is alive. */
    void alive(long micros) throws IOException {
        writeAll(alive, String.format(Locale.ROOT, ALIVE_LINE, micros, wallMicros.getAsLong())
            .getBytes(StandardCharsets.US_ASCII), 0);
    }

    /** The log stays. */
    @Override
    public void close() throws IOException {
        file.close();
        alive.close();
    }
}
