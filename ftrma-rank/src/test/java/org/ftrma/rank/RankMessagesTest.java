package org.ftrma.rank;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import org.ftrma.FtrmaException;
import org.ftrma.spi.CounterStore;
import org.junit.jupiter.api.Test;

/** Where messages of a rank's process go: by default as they always were, else where its logging has them. */
class RankMessagesTest {
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final PrintStream err = new PrintStream(printed, true, StandardCharsets.UTF_8);
    private final List<String> logged = new ArrayList<>();

    /** A logger as a program may bring one along, and what finds it. */
    private final class Finder extends System.LoggerFinder implements System.Logger {
        @Override
        public System.Logger getLogger(String name, Module module) {
            return this;
        }

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
    }

    private String printed() {
        return printed.toString(StandardCharsets.UTF_8);
    }

    @Test
    void withoutLoggingOfItsOwnAProcessPrintsThemForItsLauncher() {
        System.LoggerFinder ofJava = System.LoggerFinder.getLoggerFinder();
        assertFalse(RankMessages.isLogged(ofJava, name -> false), ofJava.getClass().toString());
        new RankMessages(false, () -> new Finder(), err)
            .tell("memory is slow");
        assertEquals(List.of(), logged);
        assertEquals("ftrma: memory is slow" + System.lineSeparator(), printed());
    }

    @Test
    void aProcessThatHasLoggingLogsThem() {
        Finder finder = new Finder();
        assertTrue(RankMessages.isLogged(finder, name -> false));
        new RankMessages(true, () -> finder, err).tell("memory is {0} slow");
        assertEquals(List.of("WARNING memory is {0} slow"), logged);
        assertEquals("", printed());
    }

    @Test
    void whoHasConfiguredTheLoggingOfJavaGetsThemThere() {
        System.LoggerFinder ofJava = System.LoggerFinder.getLoggerFinder();
        for (String property : List.of("java.util.logging.config.file", "java.util.logging.config.class")) {
            assertTrue(RankMessages.isLogged(ofJava, property::equals), property);
        }
    }

    /** The process goes on, with memory that nobody else reads. */
    @Test
    void aProcessWithoutRoomForItsCountersSaysSoAndGoesOn() {
        CounterStore full = bytes -> {
            throw new FtrmaException(FtrmaException.Category.SETUP, "no room");
        };
        PrintStream before = System.err;
        System.setErr(err);
        try {
            assertEquals(4096, new ForgivingCounters(full).memory(4096).byteSize());
        } finally {
            System.setErr(before);
        }
        assertEquals("ftrma: no room; this process goes on without counters" + System.lineSeparator(), printed());
    }
}
