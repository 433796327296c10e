package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages with time stamps and in a file, beside what a program prints. */
class MessageLogTest {
    private final ByteArrayOutputStream shown = new ByteArrayOutputStream();
    private final ByteArrayOutputStream file = new ByteArrayOutputStream();

    private void print(boolean isStamped, OutputStream into) {
        try (MessageLog log = MessageLog.of(new PrintStream(shown, true, StandardCharsets.UTF_8), isStamped, into,
            () -> "NOON")) {
            log.stream().println("ftrma: rank 1 is lost");
            log.stream().print("of the program, ");
            log.stream().println("gr\u00f6\u00dfer");
            log.stream().println("ftrma: rank 1 is back");
        }
    }

    @Test
    void messagesAreStampedAndWhatAProgramPrintsIsNot() {
        print(true, null);
        assertEquals("NOON ftrma: rank 1 is lost\nof the program, gr\u00f6\u00dfer\nNOON ftrma: rank 1 is back\n",
            shown.toString(StandardCharsets.UTF_8));
    }

    @Test
    void theFileHasMessagesAloneAndAlwaysStamped() {
        print(false, file);
        assertEquals("ftrma: rank 1 is lost\nof the program, gr\u00f6\u00dfer\nftrma: rank 1 is back\n",
            shown.toString(StandardCharsets.UTF_8));
        assertEquals("NOON ftrma: rank 1 is lost\nNOON ftrma: rank 1 is back\n", file.toString(StandardCharsets.UTF_8));
    }

    @Test
    void aFileThatTakesNothingMoreIsToldOnce() {
        print(false, new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("full");
            }
        });
        String text = shown.toString(StandardCharsets.UTF_8);
        assertEquals(1, text.split("nothing more is written", -1).length - 1, text);
        assertTrue(text.contains("ftrma: rank 1 is back"), text);
    }

    @Test
    void aFileThatCannotBeOpenedEndsTheCommand(@TempDir Path directory) {
        Command.line("fft --class S --log-file " + directory).exits(4).tells("--log-file=" + directory
            + ": cannot be written");
    }
}
