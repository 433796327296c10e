package org.ftrma.mutations;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Mutations of a project of one class are tried on a copy of it. */
@Tag("long")
class MutatorTest {
    private static final Path JDK = Path.of(System.getProperty("java.home"));
    private static final String COUNTER = """
        package counting;

        class Counter {
            static int sum(int last) {
                int sum = 0;
                for (int i = 1; i <= last; i++) {
                    sum += i;
                }
                return sum;
            }
        }
        """;
    private static final String TEST = """
        package counting;

        import static org.junit.jupiter.api.Assertions.assertEquals;

        import org.junit.jupiter.api.Test;

        class CounterTest {
            @Test
            void theLastOneCounts() {
                assertEquals(6, Counter.sum(3));
            }

            @Test
            void ofNothingItIsNothing() {
                assertEquals(0, Counter.sum(0));
            }
        }
        """;

    @TempDir
    private Path checkout;
    private Workspace workspace;
    private Mutator mutator;

    @BeforeEach
    void copiesTheProject() throws IOException {
        write("counter/pom.xml", "<project/>");
        write("counter/src/main/java/counting/Counter.java", COUNTER);
        write("counter/src/test/java/counting/CounterTest.java", TEST);
        write("counter/target/old.txt", "is left out");
        workspace = Workspace.copyOf(checkout);
        String classPath = System.getProperty("java.class.path");
        Path module = workspace.tree().resolve("counter");
        for (String[] kind : new String[][] {{"main", "classes"}, {"test", "test-classes"}}) {
            Path classes = Files.createDirectories(module.resolve("target/" + kind[1]));
            Path source;
            try (Stream<Path> files = Files.walk(module.resolve("src/" + kind[0]))) {
                source = files.filter(file -> file.toString().endsWith(".java")).findFirst().orElseThrow();
            }
            assertEquals(0, ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-proc:none", "-d", classes.toString(), "-cp",
                module.resolve("target/classes") + ":" + classPath, source.toString()));
        }
        Files.writeString(module.resolve("target/test.classpath"), classPath);
        mutator = new Mutator(workspace, JDK, classPath);
    }

    @AfterEach
    void theCopyIsRemoved() throws IOException {
        Path tree = workspace.tree();
        workspace.close();
        assertFalse(Files.exists(tree.getParent()));
        assertEquals(COUNTER, Files.readString(checkout.resolve("counter/src/main/java/counting/Counter.java")));
    }

    private void write(String file, String text) throws IOException {
        Path path = checkout.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private static Mutation mutation(String before, String after, String test, String harmless) {
        return new Mutation("one", "counter", "Counter", before.lines().toList(), after.lines().toList(),
            "it counts wrongly", List.of(test), harmless);
    }

    private Trial tryOut(String before, String after, String test) throws IOException, InterruptedException {
        return mutator.tryOut(mutation(before, after, test, ""));
    }

    @Test
    void whatATestNoticesIsFoundByIt() throws IOException, InterruptedException {
        assertEquals(List.of(), mutator.baseline(List.of("CounterTest"), next -> { }));
        Trial trial = tryOut("i <= last", "i < last", "CounterTest");
        assertEquals(Trial.End.FOUND, trial.end());
        assertEquals("CounterTest#theLastOneCounts", trial.test());
        assertTrue(trial.detail().contains("expected: <6> but was: <3>"), trial.detail());
    }

    @Test
    void whatTheNamedTestDoesNotNoticeIsAlive() throws IOException, InterruptedException {
        assertEquals(Trial.End.ALIVE, tryOut("i <= last", "i < last", "CounterTest#ofNothingItIsNothing").end());
        assertEquals(Trial.End.HARMLESS, mutator.tryOut(mutation("i <= last", "i < last + 1", "CounterTest",
            "it is the same")).end());
    }

    @Test
    void whatEndsNoMoreIsFoundByAHang() throws IOException, InterruptedException {
        mutator = new Mutator(workspace, JDK, System.getProperty("java.class.path"), 5);
        Trial trial = tryOut("i++", "sum++", "CounterTest#theLastOneCounts");
        assertEquals(Trial.End.HANG, trial.end());
        assertEquals("CounterTest#theLastOneCounts", trial.test());
    }

    @Test
    void linesAreFoundWhateverTheirIndentation() throws IOException, InterruptedException {
        assertEquals(Trial.End.FOUND, tryOut("int sum = 0;\nfor (int i = 1; i <= last; i++) {",
            "int sum = 1;\nfor (int i = 1; i <= last; i++) {",
            "CounterTest").end());
    }

    @Test
    void aTextThatIsNotThereOnceIsStale() throws IOException, InterruptedException {
        Trial none = tryOut("i >= last", "", "CounterTest");
        assertEquals(Trial.End.STALE, none.end());
        assertTrue(none.detail().startsWith("0 times in counter/Counter"), none.detail());
        assertTrue(tryOut("last", "", "CounterTest").detail().startsWith("2 times"));
    }

    @Test
    void whatIsNotJavaIsToldWithItsPlace() throws IOException, InterruptedException {
        Trial trial = tryOut("sum += i;", "sum += j;", "CounterTest");
        assertEquals(Trial.End.NOT_COMPILED, trial.end());
        assertTrue(trial.detail().startsWith("Counter.java:7: error: cannot find symbol"), trial.detail());
    }

    @Test
    void aTestThatFailsWithoutAChangeIsTold() throws IOException, InterruptedException {
        List<String> failing = mutator.baseline(List.of("CounterTest#isNotThere", "CounterTest"), next -> { });
        assertEquals(1, failing.size(), failing::toString);
        assertTrue(failing.getFirst().contains("there is no method isNotThere"), failing::toString);
    }
}
