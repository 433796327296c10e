package org.ftrma.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.ftrma.Ftrma;
import org.ftrma.Job;
import org.ftrma.Request;
import org.ftrma.Window;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The project in examples, and the tutorial, which shows its program. */
@Tag("long")
class ExampleTest {
    private static final Path ROOT = root();
    private static final Path PROJECT = ROOT.resolve("examples/heat");
    private static final Pattern CALL = Pattern.compile("`(Job|Window|Request|Ftrma)\\.(\\w+)`");
    private static final long LIMIT_SECONDS = 180;

    private static Path root() {
        Path place = Path.of("").toAbsolutePath();
        while (!Files.exists(place.resolve("docs/tutorial.md"))) {
            place = place.getParent();
        }
        return place;
    }

    private static void compile(Path classes) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("-proc:none", "-d", classes.toString(), "-cp",
            System.getProperty("java.class.path")));
        try (Stream<Path> files = Files.walk(PROJECT)) {
            files.map(Path::toString).filter(file -> file.endsWith(".java")).forEach(arguments::add);
        }
        assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)));
    }

    @Test
    void itsTestsPassWhereItIsAProjectOfItsOwn(@TempDir Path place) throws Exception {
        Path classes = Files.createDirectory(place.resolve("classes"));
        compile(classes);
        Path output = place.resolve("output");
        Process tests = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC", "-Djdk.virtualThreadScheduler.parallelism=1",
            "-cp", classes + File.pathSeparator + System.getProperty("java.class.path"),
            ClassRunner.class.getName(), "example.HeatTest").directory(place.toFile()).redirectErrorStream(true)
            .redirectOutput(output.toFile()).start();
        try {
            assertTrue(tests.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS), "the example's tests have not ended after "
                + LIMIT_SECONDS + " s: " + Files.readString(output));
        } finally {
            tests.destroyForcibly();
        }
        assertEquals(0, tests.exitValue(), () -> text(output));
        assertTrue(text(output).contains("3 tests passed, 0 failed"), () -> text(output));
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }

    @Test
    void theTutorialShowsTheProgramAsItIs() {
        String page = text(ROOT.resolve("docs/tutorial.md"));
        assertTrue(page.contains("```java\n" + text(PROJECT.resolve("src/main/java/example/Heat.java")) + "```\n"),
            "docs/tutorial.md does not show examples/heat/src/main/java/example/Heat.java");
        String test = text(PROJECT.resolve("src/test/java/example/HeatTest.java")).replaceAll("(?m)^    ", "");
        Matcher shown = Pattern.compile("(?s)```java\n(@SurvivesEveryKill.*?)```").matcher(page);
        assertTrue(shown.find() && test.contains(shown.group(1)), "docs/tutorial.md shows no test of HeatTest");
    }

    @Test
    void theTutorialsTableNamesMethodsThatThereAre() {
        TreeSet<String> missing = new TreeSet<>();
        int found = 0;
        for (Matcher call = CALL.matcher(text(ROOT.resolve("docs/tutorial.md"))); call.find();) {
            Class<?> type = Stream.of(Job.class, Window.class, Request.class, Ftrma.class)
                .filter(one -> one.getSimpleName().equals(call.group(1))).findFirst().orElseThrow();
            found++;
            if (Arrays.stream(type.getMethods()).noneMatch(method -> method.getName().equals(call.group(2)))) {
                missing.add(call.group());
            }
        }
        assertEquals(new TreeSet<>(), missing);
        assertTrue(found > 30, "only " + found + " calls are named");
    }
}
