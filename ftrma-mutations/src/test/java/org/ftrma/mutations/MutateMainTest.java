package org.ftrma.mutations;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the command understands. */
class MutateMainTest {
    private static final String FILE = """
        mutation lock-early
        in m/C
        - a
        + b
        why It comes too early.
        tests T

        mutation lock-late
        in m/C
        - c
        + d
        why It comes too late.
        tests T

        mutation log-late
        in m/C
        - c
        + e
        why It comes much too late.
        tests T
        """;

    @TempDir
    private Path checkout;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @BeforeEach
    void aFileOfMutations() throws IOException {
        Files.createDirectory(checkout.resolve("ftrma-mutations"));
        Files.writeString(checkout.resolve("ftrma-mutations/mutations.txt"), FILE);
    }

    private int run(String... arguments) {
        return new MutateMain(checkout, Path.of("mvn"), new PrintStream(out, true, StandardCharsets.UTF_8))
            .run(arguments);
    }

    @Test
    void someAreListedByTheirNames() {
        assertEquals(0, run("--list", "lock-*"));
        String list = out.toString(StandardCharsets.UTF_8);
        assertEquals(2, list.lines().count());
        assertTrue(list.lines().allMatch(line -> line.matches("lock-(early|late) +It comes too \\1\\.")),
            out::toString);
    }

    @Test
    void whatIsNotThereIsRefused() {
        for (String wrong : new String[] {"lock", "--fast", "-x"}) {
            out.reset();
            assertEquals(2, run(wrong, "--json"));
            String what = wrong.startsWith("-") ? "option of ftrma mutate" : "mutation";
            assertEquals("{\"app\":\"mutate\",\"exitCode\":2,\"outcome\":\"failed\",\"message\":\"" + wrong
                + ": there is no such " + what
                + "\",\"mutations\":[]}", out.toString(StandardCharsets.UTF_8).strip());
        }
    }

    @Test
    void aFileThatDoesNotFitTheSourcesIsTold() {
        assertEquals(1, run("--json"));
        assertTrue(out.toString(StandardCharsets.UTF_8)
            .contains("\"message\":\"mutations.txt: there are 0 classes m/C\""), out::toString);
    }
}
