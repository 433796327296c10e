package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ftrma.launch.programs.Crash;
import org.junit.jupiter.api.Test;

/** A crash of a rank's JVM is told in one line; what the JVM has to say of it is kept in a file. */
class CrashTest {
    private static final Pattern TOLD = Pattern.compile(
        "its Java virtual machine crashed \\(SIGSEGV \\(0xb\\) in (.*)\\); its report is (\\S+\\.log)");

    private static Command crash(String options, String step) {
        return Command.line("run --ranks 2 --json --timeout 120s " + options + " -- " + Crash.class.getName() + " "
            + step);
    }

    /** The report that is told of, which is removed. */
    private static String report(String text) throws IOException {
        Matcher told = TOLD.matcher(text);
        assertTrue(told.find(), text);
        Path file = Path.of(told.group(2));
        String report = Files.readString(file);
        Files.delete(file);
        return report;
    }

    private static void assertNothingElse(Command command) {
        assertTrue(command.out().contains("# the program's own line\n#\nabout to crash\n"), command.out());
        assertFalse((command.out() + command.err()).contains("fatal error"), command.out() + command.err());
        assertTrue(command.err().length() < 4000, command.err());
        assertTrue(command.out().lines().filter(line -> line.startsWith("#")).count() == 2, command.out());
    }

    @Test
    void crashIsSurvivedAndToldInOneLineWithThePlaceOfItsReport() throws IOException {
        Command command = crash("--checksums 1 --spares 1 --interval 5", "12").exits(0);
        String report = report(command.err());
        assertTrue(report.contains("SIGSEGV") && report.contains("org.ftrma.launch.programs.Crash.crash"), report);
        assertEquals(1, command.err().lines().filter(line -> line.contains("its Java virtual machine crashed")).count(),
            command.err());
        List<?> failures = (List<?>) command.json().get("failures");
        assertTrue(TOLD.matcher(((Map<?, ?>) failures.getFirst()).get("cause").toString()).matches(),
            failures.toString());
        assertEquals(true, command.json().get("verified"));
        assertNothingElse(command);
    }

    @Test
    void crashThatEndsTheJobIsToldInItsMessage() throws IOException {
        Command command = crash("", "12").exits(3);
        report(command.json().get("message").toString());
        assertNothingElse(command);
    }

    @Test
    void crashAfterTheRunIsTheProgramsFailure() throws IOException {
        Command command = crash("", "0").exits(1).tells("after Ftrma.run had returned");
        report(command.json().get("message").toString());
        assertEquals(1, command.json().get("programStatus"));
        assertNothingElse(command);
    }
}
