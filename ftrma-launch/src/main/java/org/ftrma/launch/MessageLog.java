package org.ftrma.launch;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.function.Supplier;
import org.ftrma.FtrmaException;
import org.ftrma.launch.options.GivenOptions;
import org.ftrma.launch.options.LauncherOption;
import org.ftrma.launch.options.Secrets;

/**
 * The destinations of messages: a stream, as they are or with time stamps, and a file if one is asked for. What a
 * program prints goes to the stream alone, as it is. Its stream may be used by any thread.
 */
final class MessageLog implements AutoCloseable {
    /** How the messages of ftrma itself begin. */
    private static final String OURS = "ftrma: ";
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS");

    private final PrintStream stream;
    private final OutputStream file;

    private MessageLog(PrintStream stream, OutputStream file) {
        this.stream = stream;
        this.file = file;
    }

    /**
     * As a command line asks for.
     *
     * @param err where messages go in any case
     * @throws FtrmaException SETUP: the file cannot be written
     */
    static MessageLog of(GivenOptions given, PrintStream err) {
        boolean isStamped = given.has(LauncherOption.TIME_STAMPS);
        if (!isStamped && !given.has(LauncherOption.LOG_FILE)) {
            return new MessageLog(err, null);
        }
        OutputStream file = given.has(LauncherOption.LOG_FILE) ? open(given.text(LauncherOption.LOG_FILE)) : null;
        return of(err, isStamped, file, () -> TIME.format(LocalDateTime.now().truncatedTo(ChronoUnit.MILLIS)));
    }

    /** The same, with times from elsewhere. */
    static MessageLog of(PrintStream err, boolean isStamped, OutputStream file, Supplier<String> time) {
        return new MessageLog(new PrintStream(new Lines(err, isStamped, file, time), true, StandardCharsets.UTF_8),
            file);
    }

    private static OutputStream open(String name) {
        try {
            return new BufferedOutputStream(Files.newOutputStream(Path.of(name), StandardOpenOption.CREATE,
                StandardOpenOption.APPEND));
        } catch (IOException e) {
            throw new FtrmaException(FtrmaException.Category.SETUP, "--log-file=" + name + ": cannot be written: " + e,
                e);
        }
    }

    /** Where to print. */
    PrintStream stream() {
        return stream;
    }

    @Override
    public void close() {
        if (file != null) {
            stream.flush();
            try {
                file.close();
            } catch (IOException e) {
                stream.println(OURS + "--log-file: the end is not written: " + e);
            }
        }
    }

    /** Takes lines apart. Whoever prints holds the lock of the stream around it. */
    private static final class Lines extends OutputStream {
        /** Of a line that never ends this is passed on. */
        private static final int LONGEST = 1 << 16;
        private final PrintStream err;
        private final boolean isStamped;
        private final OutputStream file;
        private final Supplier<String> time;
        private final ByteArrayOutputStream line = new ByteArrayOutputStream();
        private boolean isFileBroken;

        Lines(PrintStream err, boolean isStamped, OutputStream file, Supplier<String> time) {
            this.err = err;
            this.isStamped = isStamped;
            this.file = file;
            this.time = time;
        }

        @Override
        public void write(int b) {
            line.write(b);
            if (b == '\n' || line.size() >= LONGEST) {
                pass();
            }
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            for (int i = offset; i < offset + length; i++) {
                write(bytes[i]);
            }
        }

        private void pass() {
            byte[] bytes = line.toByteArray();
            line.reset();
            boolean isOurs = new String(bytes, 0, Math.min(bytes.length, OURS.length()), StandardCharsets.US_ASCII)
                .equals(OURS);
            byte[] stamp = isOurs ? (time.get() + " ").getBytes(StandardCharsets.US_ASCII) : new byte[0];
            synchronized (err) {
                if (isStamped) {
                    err.write(stamp, 0, stamp.length);
                }
                err.write(bytes, 0, bytes.length);
                err.flush();
            }
            if (isOurs && file != null && !isFileBroken) {
                try {
                    file.write(stamp);
                    file.write(Secrets.hidden(new String(bytes, StandardCharsets.UTF_8)).getBytes(
                        StandardCharsets.UTF_8)); // a file may be read by others
                    file.flush();
                } catch (IOException e) {
                    isFileBroken = true;
                    err.println(OURS + "--log-file: nothing more is written: " + e);
                }
            }
        }
    }
}
