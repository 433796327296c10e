package org.ftrma.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.ftrma.launch.Cli;
import org.ftrma.launch.Interrupts;

/** One command line run inside the test's JVM (its ranks are processes), and what it printed. */
final class Command {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final int status;

    private Command(String words, Interrupts interrupts) {
        status = new Cli(new TrialCommands(), new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8), interrupts).execute(words.split(" +"));
    }

    /** Words separated by spaces. */
    static Command line(String words) {
        return new Command(words, new Interrupts());
    }

    static Command interruptible(String words, Interrupts interrupts) {
        return new Command(words, interrupts);
    }

    String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    Command exits(int expected) {
        assertEquals(expected, status, () -> "standard output:\n" + out() + "\nerrors:\n" + err());
        return this;
    }

    Command tells(String part) {
        assertTrue(err().contains(part), () -> "not told: " + part + "\n" + err());
        return this;
    }

    /** The last line of standard output. */
    Map<String, Object> json() {
        String last = out().lines().reduce("", (before, line) -> line);
        try {
            return JSON.std.mapFrom(last);
        } catch (IOException e) {
            throw new AssertionError("not a JSON object: " + last, e);
        }
    }
}
