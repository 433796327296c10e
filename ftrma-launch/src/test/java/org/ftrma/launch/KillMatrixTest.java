package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The FFT of class W, each of its ranks killed in each of its steps. Most of the time of so short a run is that of starting JVMs: they start as
 * those of the ftrma command do, from jars and with an ahead-of-time cache, and use the first compiler only.
 */
class KillMatrixTest {
    private static final String FFT = "fft --class W --ranks 4 --checksums 1 --interval 2 --warm-up 0"
        + " --jvm-arg -XX:TieredStopAtLevel=1 --timeout 60s --json";
    private static final String TRAINED = "ftrma.train.aot";
    private static final String USED = "ftrma.rank.aot";

    @TempDir
    private static Path directory;
    private static String classPath;

    @BeforeAll
    static void makeStartsFast() {
        classPath = Stream.of(LauncherProcess.classPath().split(":")).map(KillMatrixTest::jar).collect(Collectors.joining(":"));
        Path cache = directory.resolve("rank.aot");
        System.setProperty(TRAINED, cache.toString());
        try {
            Command.line(FFT, classPath).exits(0);
        } finally {
            System.clearProperty(TRAINED);
        }
        assertTrue(Files.isReadable(cache), "no cache was made");
        System.setProperty(USED, cache.toString());
    }

    @AfterAll
    static void forgetTheCache() {
        System.clearProperty(USED);
    }

    /** Caches hold classes of jars only. */
    private static String jar(String place) {
        Path path = Path.of(place);
        if (!Files.isDirectory(path)) {
            return place;
        }
        String jar = directory.resolve(path.toString().replace('/', '_') + ".jar").toString();
        int status = ToolProvider.findFirst("jar").orElseThrow().run(System.out, System.err, "--create", "--file", jar, "-C", place, ".");
        assertEquals(0, status, place);
        return jar;
    }

    @ParameterizedTest(name = "rank {0} in step {1}")
    @CsvSource({
        "0, 1", "0, 2", "0, 3", "0, 4", "0, 5", "0, 6", "1, 1", "1, 2", "1, 3", "1, 4", "1, 5", "1, 6",
        "2, 1", "2, 2", "2, 3", "2, 4", "2, 5", "2, 6", "3, 1", "3, 2", "3, 3", "3, 4", "3, 5", "3, 6"})
    void fftVerifiesWhicheverRankIsKilledInWhicheverStep(int rank, int step) {
        Map<String, Object> json = Command.line(FFT + " --protocol coordinated --kill " + rank + "@" + step, classPath).exits(0).json();
        assertEquals(1, json.get("rollbacks"));
        assertEquals("rollback", check(json, rank, step).get("how"));
    }

    @ParameterizedTest(name = "rank {0} in step {1}")
    @CsvSource({
        "0, 1", "0, 2", "0, 3", "0, 4", "0, 5", "0, 6", "1, 1", "1, 2", "1, 3", "1, 4", "1, 5", "1, 6",
        "2, 1", "2, 2", "2, 3", "2, 4", "2, 5", "2, 6", "3, 1", "3, 2", "3, 3", "3, 4", "3, 5", "3, 6"})
    void withLogsOnlyTheKilledRankGoesBack(int rank, int step) {
        Map<String, Object> json = Command.line(FFT + " --protocol full --kill " + rank + "@" + step, classPath).exits(0).json();
        assertEquals(Map.of(), json.get("fallbacks"));
        assertEquals(0, json.get("rollbacks"));
        assertEquals(1, json.get("localRecoveries"));
        Map<?, ?> failure = check(json, rank, step);
        assertEquals("replay", failure.get("how"));
        assertTrue(((Number) failure.get("stepsRepeated")).longValue() > 0, failure::toString);
    }

    /** Which of its areas a step uses depends on the step: a replacement that begins at an odd one must come to the same. */
    @ParameterizedTest(name = "rank {0} in step {1}")
    @CsvSource({"1, 5", "3, 6"})
    void aReplacementMayBeginAtAnyStep(int rank, int step) {
        Map<String, Object> json = Command.line(FFT.replace("--interval 2", "--interval 3") + " --protocol full --kill " + rank + "@" + step, classPath)
            .exits(0).json();
        assertEquals(0, json.get("rollbacks"));
        assertEquals("replay", check(json, rank, step).get("how"));
    }

    private static Map<?, ?> check(Map<String, Object> json, int rank, int step) {
        assertEquals(true, json.get("verified"));
        List<?> failures = (List<?>) json.get("failures");
        assertEquals(1, failures.size(), failures::toString);
        Map<?, ?> failure = (Map<?, ?>) failures.getFirst();
        assertEquals(rank, failure.get("rank"));
        assertEquals(step, failure.get("step"));
        return failure;
    }
}
