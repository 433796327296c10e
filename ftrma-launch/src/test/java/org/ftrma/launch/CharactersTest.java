package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.ftrma.launch.programs.Echo;
import org.ftrma.launch.programs.Ring;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is said does not depend on the locale, and keeps its characters; what is told with {@code --quiet}. */
class CharactersTest {
    private static final String JOB =
        "fft --class S --ranks 2 --checksums 1 --interval 2 --warm-up 0 --print-checksums";

    /** Turkish has an i of its own, German a comma in numbers, and Arabic other digits. */
    @ParameterizedTest
    @ValueSource(strings = {"tr-TR", "de-DE", "ar-EG-u-nu-arab"})
    void localesChangeNothing(String tag) {
        List<String> lines = List.of("map --nodes 4 --ranks 6 --checksums 2",
            "pcf --nodes 4 --ranks 6 --checksums 2 --mtbf node=1h",
            "plan --nodes 4 --ranks 4 --checkpoint 1s --image 1MiB --mtbf node=1h",
            "fft --interval 1I", "help run");
        List<String> expected = lines.stream().map(CharactersTest::told).toList();
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag(tag));
        try {
            assertEquals(expected, lines.stream().map(CharactersTest::told).toList());
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void numbersOfJobsAreWrittenTheSameInEveryLocale() {
        List<String> numbers = numbers(Command.line(JOB));
        assertEquals(6, numbers.size());
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
        try {
            Command command = Command.line(JOB
                + " --verbose --jvm-arg -Duser.language=ar --jvm-arg -Duser.country=EG --jvm-arg"
                + " -Duser.extensions=u-nu-arab");
            assertEquals(numbers, numbers(command));
            assertTrue(Pattern.compile("ftrma: +[0-9]+\\.[0-9]{3} s  generation [0-9]+ .* is committed: blocked "
                + "[0-9]+\\.[0-9]{3} ms").matcher(
                command.err()).find(), command.err());
            assertTrue(Pattern.compile("checkpoints .*, [0-9]+\\.[0-9] ms blocked").matcher(command.out()).find(),
                command.out());
        } finally {
            Locale.setDefault(before);
        }
    }

    private static List<String> numbers(Command command) {
        return command.exits(0).out().lines().filter(line -> line.startsWith("T = ")).toList();
    }

    private static String told(String line) {
        Command command = Command.line(line);
        return command.out() + command.err();
    }

    @Test
    void argumentsAndOutputKeepTheirCharacters() {
        Command command = Command.run("run", "--ranks", "1", "--json", "--", Echo.class.getName(), "\u00e4\u20ac",
            "\u0130\u0131");
        command.exits(0).tells("error \u00e4\u20ac\n");
        assertTrue(command.out().contains("\u00e4\u20ac of 2\n\u0130\u0131 of 2\n"), command.out());
        assertEquals("\u00e4\u20ac", ((Map<?, ?>) command.json().get("reports")).get("\u0130\u0131"));
    }

    @Test
    void quietJobsTellErrorsAndTheResultOnly() {
        String options = "run --ranks 2 --timeout 60s --checksums 1 --spares 1 --interval 5 --quiet ";
        Command command = Command.line(options + "--kill 1@7 --json -- " + Ring.class.getName() + " 20").exits(0);
        assertEquals("", command.err());
        assertEquals(1, command.json().get("rollbacks"));
        Command failed = Command.line(options + "-- " + Ring.class.getName() + " 10 throw@4").exits(1);
        failed.tells("ftrma: rank 0 failed: java.lang.IllegalStateException: thrown on purpose in step 4");
        assertTrue(failed.err().startsWith("ftrma: rank 0 failed"), failed.err());
        assertTrue(failed.out().contains("FAILED"), failed.out());
    }
}
