package org.ftrma.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.ftrma.FtrmaException;
import org.ftrma.cli.SharedMapRun;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Processes that share a map, as {@code kv --compare} runs them: each key is there once, and nothing is left of them.
 */
class ChronicleInsertsTest {
    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(120);

    private static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    @AfterEach
    void nothingIsLeft() throws IOException {
        for (String place : List.of("/dev/shm", "/tmp")) {
            try (Stream<Path> files = Files.list(Path.of(place))) {
                String mine = "ftrma-" + ProcessHandle.current().pid() + "-";
                assertEquals(List.of(), files.filter(file -> file.getFileName().toString().startsWith(mine)).toList());
            }
        }
        assertEquals(List.of(), ProcessHandle.current().children()
            .filter(child -> child.info().commandLine().orElse("").contains("ChronicleInserts"))
            .toList());
    }

    @Test
    void keysOfAllProcessesAreInTheMapOnceWithTheirValues() {
        SharedMapRun.Result result = SharedMapRun.run(2, 3000, List.of("--inserts", "3000", "--warm-up", "0.1"),
            classPath(), TIMEOUT_NANOS);
        assertTrue(result.verified(), result::toString);
        assertEquals(6000, result.inserts());
        assertEquals(6000, result.size());
        assertTrue(result.seconds() > 0);
    }

    @Test
    void aProcessThatFailsIsToldWithWhatItPrinted() {
        FtrmaException failed = assertThrows(FtrmaException.class,
            () -> SharedMapRun.run(1, 10, List.of("--inserts", "none"), classPath(),
            TIMEOUT_NANOS));
        assertTrue(failed.getMessage().contains("ended before it answered \"ready\"")
            && failed.getMessage().contains("--inserts=none"),
            failed::getMessage);
        assertThrows(FtrmaException.class, () -> SharedMapRun.run(1, 10, List.of(), "/nowhere", TIMEOUT_NANOS));
    }
}
