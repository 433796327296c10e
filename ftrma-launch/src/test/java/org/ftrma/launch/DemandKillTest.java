package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs whose logs are so small that ranks take demand checkpoints, which are killed after and in these; nothing else is taken but the first image. */
class DemandKillTest {
    private static final String FFT = "fft --class W --warm-up 0";
    private static final String SMALL = " --log-budget 16MiB --log-low 20";
    /** Logs that are larger than most processors' caches: then puts are streamed to them. */
    private static final String LARGE = " --log-budget 64MiB --log-low 5";
    private static final String SAMPLE = " --log-budget 1MiB --log-low 10";
    private static final String JOB = " --ranks 4 --checksums 1 --spares 1 --protocol full --interval none --jvm-arg -XX:TieredStopAtLevel=1"
        + " --timeout 100s --json";

    /** Whoever fills the logs is asked: in a long job every rank is. */
    private static Map<String, Object> run(String program, int steps, String failure) {
        String command = (program.equals("fft") ? FFT + SMALL + " --iterations " : "sample " + program + SAMPLE + " --steps ") + steps + JOB + failure;
        return verified(command);
    }

    private static Map<String, Object> verified(String command) {
        Map<String, Object> json = Command.line(command).exits(0).json();
        assertEquals(true, json.get("verified"));
        assertEquals(1, ((List<?>) json.get("failures")).size(), json::toString);
        return json;
    }

    private static void assertLocal(Map<String, Object> json) {
        assertEquals(1, json.get("localRecoveries"), json::toString);
        assertEquals(0, json.get("rollbacks"), json::toString);
        Map<?, ?> failure = (Map<?, ?>) ((List<?>) json.get("failures")).getFirst();
        assertTrue(((Number) failure.get("stepsRepeated")).longValue() > 0, json::toString);
    }

    @ParameterizedTest
    @CsvSource({"fft, 2, 14", "locks, 1, 50"})
    void aRankIsRecoveredLocallyAfterDemandCheckpoints(String program, int rank, int step) {
        Map<String, Object> json = run(program, program.equals("fft") ? 16 : 60, " --kill " + rank + "@" + step);
        assertTrue((Integer) json.get("demandCheckpoints") > 0, json::toString);
        assertTrue(((Number) json.get("demandBytes")).longValue() > 0, json::toString);
        assertLocal(json);
    }

    @ParameterizedTest
    @ValueSource(strings = {"cache", "log"})
    void soItIsFromLogsThatArePackedInOrStreamedTo(String staging) {
        Map<String, Object> json = verified(FFT + LARGE + " --iterations 16 --kill 1@13 --staging " + staging + JOB);
        assertTrue((Integer) json.get("demandCheckpoints") > 0, json::toString);
        assertLocal(json);
    }

    @ParameterizedTest
    @CsvSource({"fft, bulk", "locks, streaming", "atomics, bulk"})
    void aRankIsRecoveredLocallyThatDiesInItsDemandCheckpoint(String program, String demand) {
        Map<String, Object> json = run(program, program.equals("fft") ? 60 : 1000, " --kill 1@demand --demand " + demand);
        assertTrue((Integer) json.get("demandAbandoned") > 0, json::toString);
        assertLocal(json);
    }
}
