package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Jobs whose logs are so small that ranks take demand checkpoints, which are killed after and in these; nothing else is
 * taken but the first image.
 */
class DemandKillTest {
    private static final String FFT = "fft --class W --warm-up 0";
    private static final String SMALL = " --log-budget 16MiB --log-low 20";
    /** Logs that are larger than most processors' caches: then puts are streamed to them. */
    private static final String LARGE = " --log-budget 64MiB --log-low 5";
    private static final String SAMPLE = " --log-budget 4MiB --log-low 5";
    private static final String JOB =
        " --ranks 4 --checksums 1 --spares 1 --protocol full --interval none --timeout 100s --json";

    private static final Map<String, Object> UNDISTURBED = new HashMap<>();

    /** Whoever fills the logs is asked: in a long job every rank is. */
    private static Command run(String program, int steps, String failure) {
        String name = program.equals("fft") ? FFT : "sample " + program;
        return verified(name + (program.equals("fft") ? SMALL : SAMPLE),
            (program.equals("fft") ? " --iterations " : " --steps ") + steps, failure);
    }

    /**
     * The FFT's own verification knows the checksums of the first steps only: here all are as they are without
     * failures.
     */
    private static Command verified(String program, String length, String failure) {
        Command command = Command.line(program + length + JOB + failure).exits(0);
        Map<String, Object> json = command.json();
        assertEquals(true, json.get("verified"));
        assertEquals(1, Recoveries.failures(json).size(), json::toString);
        if (program.startsWith(FFT)) {
            assertEquals(UNDISTURBED.computeIfAbsent(length,
                one -> Recoveries.digest(Command.line(FFT + one + " --ranks 4 --timeout 100s --json")
                .exits(0).json())), Recoveries.digest(json));
        }
        return command;
    }

    /**
     * Also where only gsyncs, and where only atomics fill the logs. A rank may die between an atomic access and its
     * log: then it tells that.
     */
    @ParameterizedTest
    @CsvSource({"fft, 2, 14, 16", "locks, 1, 50, 60", "stencil, 3, 250, 300", "atomics, 0, 250, 300"})
    void aRankIsRecoveredLocallyAfterDemandCheckpoints(String program, int rank, int step, int steps) {
        Command command = run(program, steps, " --verbose --kill " + rank + "@" + step);
        Map<String, Object> json = command.json();
        int lost = command.err().indexOf(" is lost in step " + step);
        int demand = command.err().indexOf("demand checkpoint ");
        assertTrue(lost > 0 && demand >= 0 && demand < lost, command::err);
        assertTrue((Integer) json.get("demandCheckpoints") > 0, json::toString);
        assertTrue(((Number) json.get("demandBytes")).longValue() > 0, json::toString);
        Recoveries.assertAllLocal(json, 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"cache", "log"})
    void soItIsFromLogsThatArePackedInOrStreamedTo(String staging) {
        Map<String, Object> json = verified(FFT + LARGE, " --iterations 16", " --kill 1@13 --staging " + staging)
            .json();
        assertTrue((Integer) json.get("demandCheckpoints") > 0, json::toString);
        Recoveries.assertAllLocal(json, 1);
    }

    @ParameterizedTest
    @CsvSource({"fft, bulk", "locks, streaming", "atomics, bulk"})
    void aRankIsRecoveredLocallyThatDiesInItsDemandCheckpoint(String program, String demand) {
        Map<String, Object> json = run(program, program.equals("fft") ? 60 : 1000,
            " --kill 1@demand --demand " + demand).json();
        assertTrue((Integer) json.get("demandAbandoned") > 0, json::toString);
        Recoveries.assertAllLocal(json, 1);
    }
}
