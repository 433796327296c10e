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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The FFT of class W, each of its ranks killed in each of its steps. Most of the time of so short a run is that of starting JVMs: they start as
 * those of the ftrma command do, from jars and with an ahead-of-time cache, and use the first compiler only.
 */
class KillMatrixTest {
    private static final String FAST = " --ranks 4 --jvm-arg -XX:TieredStopAtLevel=1 --timeout 60s --json ";
    private static final String BARE = "fft --class W --warm-up 0" + FAST;
    private static final String FFT = BARE + "--checksums 1 --interval 2";
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
        Map<?, ?> failure = check(json, rank, step);
        assertEquals("rollback", failure.get("how"));
        assertTrue(((Number) failure.get("stepsRepeated")).longValue() > 0, failure::toString);
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

    /** The failure matrix with groups that survive two losses, with all of a node killed, and with two nodes: rows 1 to 9, 12 and 13. */
    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(delimiter = '|', value = {
        "1: --losses 2 --checksums 2 --interval 2 --protocol full | --kill 1@6 | 1",
        "5: --losses 2 --checksums 2 --interval 5 --protocol coordinated | --kill 0+2@1 | 2",
        "6: --losses 2 --checksums 2 --interval 2 --protocol full --spares 2 | --kill 1@4+recovery | 2",
        "7: --losses 2 --checksums 4 --interval 2 --protocol coordinated --spares 2 | --kill 0+1+2+3@4 | 4",
        "9: --losses 2 --checksums 2 --interval 2 --protocol full --spares 2 | --kill 1@3 --kill 2@5 | 2",
        "9: --nodes 3 --aware node --checksums 2 --interval 2 --protocol full --spares 2 | --kill node0@2 --kill node1@5 | 4",
        "4: --nodes 3 --aware node --checksums 2 --interval 2 --protocol coordinated | --kill node2@6 | 2",
        "12: --nodes 4 --aware node --losses 2 --checksums 4 --interval 2 --protocol full | --kill node0+node2@4 | 4",
        "13: --nodes 3 --aware node --losses 2 --checksums 2 --interval 2 --protocol full --heartbeat-timeout 2s | --stop node1@3 | 2"})
    void asManyAsAJobSurvivesAreRecovered(String job, String kill, int lost) {
        String options = job.substring(job.indexOf("--"));
        Map<String, Object> json = Command.line(BARE + options + " " + kill, classPath).exits(0).json();
        assertEquals(true, json.get("verified"));
        List<?> failures = (List<?>) json.get("failures");
        assertEquals(lost, failures.size(), failures::toString);
        int back = (Integer) json.get("rollbacks") + (Integer) json.get("localRecoveries");
        assertTrue(back > 0, json::toString);
        assertEquals(options.contains("coordinated"), (Integer) json.get("localRecoveries") == 0 && ((Map<?, ?>) json.get("fallbacks")).isEmpty(),
            json::toString);
    }

    /** Over the network all go back; a survivor may have found the lost rank gone, and its own accesses given up, before anybody was told. */
    @ParameterizedTest
    @CsvSource({"fft --class S --ranks 2, 1@3", "fft --class S --ranks 2, 0@5", "fft --class S --ranks 4, 2@4",
        "sample atomics --ranks 3 --steps 20, 1@11", "sample locks --ranks 3 --steps 20, 0@11"})
    void aSingleLossOverTheNetworkPathTakesAllBack(String job, String kill) {
        Map<String, Object> json = Command.line(job + " --spares 1 --json --checksums 1 --protocol full --path network --interval 2 --kill " + kill,
            classPath).exits(0).json();
        assertEquals(true, json.get("verified"));
        assertEquals(1, json.get("rollbacks"));
        assertEquals(Map.of("NETWORK_PATH", 1), json.get("fallbacks"));
    }

    /** Over the network all go back: two losses at once are survived there too. */
    @Test
    void twoOfAGroupAtOnceAreRecoveredOverTheNetworkPath() {
        Map<String, Object> json = Command.line(BARE + "--losses 2 --checksums 2 --interval 2 --protocol full --path network --heartbeat-timeout 60s"
            + " --kill 1+checksum0@4", classPath).exits(0).json();
        assertEquals(true, json.get("verified"));
        assertEquals("network", ((Map<?, ?>) json.get("ucx")).get("path"));
        assertEquals(2, ((List<?>) json.get("failures")).size(), json::toString);
        assertEquals(Map.of("NETWORK_PATH", 1), json.get("fallbacks"));
    }

    /** Row 11: two nodes where one is survived. */
    @Test
    void twoNodesWhereOneIsSurvivedEndTheJobClearly() {
        Command.line(BARE + "--checksums 2 --interval 2 --nodes 3 --aware node --kill node0+node1@3", classPath).exits(3)
            .tells("catastrophic failure: group").tells("lost 2 members").tells("and can rebuild 1");
    }

    /** Row 14: whoever holds a lock, or is its home, is lost with all of its node. */
    @ParameterizedTest
    @CsvSource({"node0", "node1"})
    void aNodeWithHoldersAndHomesOfLocksIsSurvived(String node) {
        Map<String, Object> json = Command.line("sample locks" + FAST + "--losses 2 --checksums 2 --nodes 3 --aware node --protocol full --interval 5"
            + " --steps 40 --kill " + node + "@20", classPath).exits(0).json();
        assertEquals(true, json.get("verified"));
        assertEquals(2, ((List<?>) json.get("failures")).size());
    }

    /** Row 3: a rank in its demand checkpoint, and with it one of the two checksum ranks whose parities change. */
    @Test
    void aRankAndAChecksumRankInADemandCheckpointAreRecovered() {
        Map<String, Object> json = Command.line("sample locks" + FAST + "--losses 2 --checksums 2 --protocol full --interval none --steps 1000"
            + " --log-budget 1MiB --log-low 10 --kill 1+checksum1@demand", classPath).exits(0).json();
        assertEquals(true, json.get("verified"));
        assertEquals(2, ((List<?>) json.get("failures")).size());
        assertTrue((Integer) json.get("demandAbandoned") > 0, json::toString);
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
