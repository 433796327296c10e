package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.ftrma.core.control.FallbackReason;
import org.ftrma.testkit.bugs.ProtocolBugs;
import org.junit.jupiter.api.Test;

/** docs/internals/failure-matrix.md names tests and injected bugs that exist, and all of those that are about it. */
class FailureMatrixDocumentTest {
    private static final Path ROOT = root();
    private static final int ROWS = 14;

    private static Path root() {
        Path place = Path.of("").toAbsolutePath();
        while (!Files.exists(place.resolve("docs/internals/failure-matrix.md"))) {
            place = place.getParent();
        }
        return place;
    }

    private static Set<String> named(String pattern) throws IOException {
        return Pattern.compile(pattern).matcher(Files.readString(ROOT.resolve("docs/internals/failure-matrix.md")))
            .results().map(MatchResult::group)
            .map(text -> text.replace("`", "")).collect(Collectors.toCollection(TreeSet::new));
    }

    private static String source(String type) throws IOException {
        for (String module : new String[] {"ftrma-testkit", "ftrma-launch"}) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(module + "/src/test/java"))) {
                Path found = files.filter(file -> file.endsWith(type + ".java")).findFirst().orElse(null);
                if (found != null) {
                    return Files.readString(found);
                }
            }
        }
        return "";
    }

    @Test
    void everyTestNamedThereExists() throws IOException {
        Set<String> tests = named("`[A-Z][A-Za-z]+Test\\.[a-z][A-Za-z0-9]+`");
        assertTrue(tests.size() > 30, tests::toString);
        for (String test : tests) {
            int dot = test.indexOf('.');
            assertTrue(source(test.substring(0, dot)).contains(" void " + test.substring(dot + 1) + "("),
                "there is no " + test);
        }
    }

    @Test
    void everyRowAndBadExecutionThatIsTestedIsNamedThere() throws IOException {
        Set<String> named =
            named("`(FailureMatrixTest|LossMatrixTest|Bad[A-Za-z]*ExecutionsTest)\\.[a-z][A-Za-z0-9]+`");
        Set<String> tests = new TreeSet<>();
        for (Class<?> type : new Class<?>[] {FailureMatrixTest.class, LossMatrixTest.class, BadExecutionsTest.class,
            BadDemandExecutionsTest.class, BadLockExecutionsTest.class, BadLossExecutionsTest.class}) {
            Arrays.stream(type.getDeclaredMethods()).map(Method::getName)
                .filter(name -> name.matches("(row|e)[0-9]+[A-Z].*"))
                .forEach(name -> tests.add(type.getSimpleName() + "." + name));
        }
        assertEquals(tests, named);
    }

    /** The rows of the design's matrix, for a parity of one: none may be left out, or have no test. */
    @Test
    void everyRowOfTheDesignIsThereAndIsTested() throws IOException {
        String text = Files.readString(ROOT.resolve("docs/internals/failure-matrix.md"));
        String rows = text.substring(text.indexOf("## Rows"), text.indexOf("## Several losses"))
            .replaceAll("\n {2,}", " "); // an item is a line then
        for (int row = 1; row <= ROWS; row++) {
            String beginning = "- **" + row + "** ";
            List<String> lines = rows.lines().filter(line -> line.startsWith(beginning)).toList();
            assertEquals(1, lines.size(), "row " + row);
            assertTrue(Pattern.compile("`FailureMatrixTest\\.row" + row + "[A-Z]").matcher(lines.getFirst()).find(),
                "row " + row + " has no test");
        }
    }

    @Test
    void everyInjectedBugNamedThereExists() throws IOException {
        Set<String> known = ProtocolBugs.names();
        Set<String> reasons = Arrays.stream(FallbackReason.values()).map(Enum::name).collect(Collectors.toSet());
        for (String name : named("`[A-Z_]{5,}`")) {
            assertTrue(known.contains(name) || reasons.contains(name), "there is no " + name);
        }
    }
}
