package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import org.junit.jupiter.api.Test;

/** Messages of a job out of a program: those of ftrma go to a logger, those of programs do not. */
class LoggedMessagesTest {
    private final List<String> logged = new ArrayList<>();
    private final ByteArrayOutputStream programs = new ByteArrayOutputStream();
    private final PrintStream stream = LoggerOutput.stream(new System.Logger() {
        @Override
        public String getName() {
            return "test";
        }

        @Override
        public boolean isLoggable(Level level) {
            return true;
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String text, Throwable thrown) {
            logged.add(level + " " + text);
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String format, Object... parameters) {
            logged.add(level + " " + format);
        }
    }, System.Logger.Level.WARNING, new PrintStream(programs, true, StandardCharsets.UTF_8));

    @Test
    void messagesOfFtrmaAreLoggedWithoutTheirNameAndTime() {
        stream.println("ftrma: rank 1 is lost in step 8: killed by SIGKILL");
        stream.println("ftrma:    0.713 s  view 2 runs from step 8");
        stream.println("2026-03-14T15:09:26.535 ftrma: interrupted");
        stream.println("ftrma: memory that the job needs:\n  host   bytes\n  here   {0} of 7");
        stream.println("ftrma: " + "x".repeat(20_000));
        assertEquals(List.of("WARNING rank 1 is lost in step 8: killed by SIGKILL",
            "WARNING 0.713 s  view 2 runs from step 8", "WARNING interrupted",
            "WARNING memory that the job needs:\n  host   bytes\n  here   {0} of 7", "WARNING " + "x".repeat(20_000)),
            logged);
        assertEquals("", programs.toString(StandardCharsets.UTF_8));
    }

    @Test
    void whatProgramsPrintStaysAsItIs() {
        byte[] line = "a program's ftrma: line, \u00e9\n".getBytes(StandardCharsets.UTF_8);
        stream.write(line, 0, line.length);
        stream.println("and another one");
        assertEquals("a program's ftrma: line, \u00e9\nand another one\n", programs.toString(StandardCharsets.UTF_8));
        assertEquals(List.of(), logged);
    }
}
