package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** One command line run inside the test's JVM (its ranks are processes), and what it printed. */
final class Command {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    final int status;

    private Command(String[] arguments, String classPath) {
        this(arguments, classPath, null, new Interrupts());
    }

    private Command(String[] arguments, String classPath, PrintStream otherErr, Interrupts interrupts) {
        System.setProperty("ftrma.class.path", classPath);
        PrintStream errors = otherErr == null ? new PrintStream(err, true, StandardCharsets.UTF_8) : otherErr;
        status = new Cli(MoreCommands.NONE, new PrintStream(out, true, StandardCharsets.UTF_8), errors, interrupts)
            .execute(FastStarts.quick(List.of(arguments)).toArray(String[]::new));
    }

    static Command run(String... arguments) {
        return new Command(arguments, FastStarts.classPath());
    }

    /** Words separated by spaces. */
    static Command line(String words) {
        return new Command(words.split(" +"), FastStarts.classPath());
    }

    /** The same, with another class path for the ranks. */
    static Command line(String words, String classPath) {
        return new Command(words.split(" +"), classPath);
    }

    /** Words separated by spaces, with an error stream of the test's own. */
    static Command interruptible(String words, PrintStream err, Interrupts interrupts) {
        return new Command(words.split(" +"), FastStarts.classPath(), err, interrupts);
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
