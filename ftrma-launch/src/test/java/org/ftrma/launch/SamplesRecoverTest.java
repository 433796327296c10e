package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Programs of all three kinds, with logs and real kills: only the killed rank goes back. */
class SamplesRecoverTest {
    private static final String FULL = " --ranks 4 --checksums 1 --spares 1 --protocol full --interval 5 --steps 40 --timeout 60s --json";

    @ParameterizedTest
    @CsvSource({"stencil, 3@12", "stencil, 0@31", "locks, 1@10", "locks, 0@20"})
    void onlyTheKilledRankGoesBack(String sample, String kill) {
        Map<String, Object> json = Command.line("sample " + sample + FULL + " --kill " + kill).exits(0).json();
        assertEquals(true, json.get("verified"));
        assertEquals(Map.of(), json.get("fallbacks"));
        assertEquals(0, json.get("rollbacks"));
        assertEquals(1, json.get("localRecoveries"));
    }

    /** A kill may hit an atomic access between its effect and its log: then all go back, and the reason is told. */
    @ParameterizedTest
    @CsvSource({"2@15", "0@33"})
    void programsWithAtomicsRecoverOrTellWhyNot(String kill) {
        Map<String, Object> json = Command.line("sample atomics" + FULL + " --kill " + kill).exits(0).json();
        assertEquals(true, json.get("verified"));
        Object expected = json.get("rollbacks").equals(0) ? Map.of() : Map.of("ATOMIC_IN_FLIGHT", 1);
        assertEquals(expected, json.get("fallbacks"));
    }

    @Test
    void killsInDifferentStepsAreRecoveredOneByOne() {
        Map<String, Object> json = Command.line("sample stencil" + FULL + " --kill 1@8 --kill 2@17 --kill 1@26").exits(0).json();
        assertEquals(true, json.get("verified"));
        assertEquals(3, ((List<?>) json.get("failures")).size());
        int back = (Integer) json.get("rollbacks") + (Integer) json.get("localRecoveries");
        assertEquals(3, back);
        assertTrue((Integer) json.get("localRecoveries") > 0, () -> "fallbacks: " + json.get("fallbacks"));
    }

    /** The FFT too: two ranks in different steps, each recovered from a checkpoint of its own. */
    @Test
    void fftVerifiesAfterKillsInDifferentSteps() {
        Map<String, Object> json = Command.line("fft --class S --ranks 4 --checksums 1 --spares 1 --protocol full --interval 3 --iterations 24"
            + " --warm-up 0 --kill 1@5 --kill 3@14 --timeout 60s --json").exits(0).json();
        assertEquals(2, ((List<?>) json.get("failures")).size());
        assertEquals(2, json.get("localRecoveries"), () -> "fallbacks: " + json.get("fallbacks"));
        assertEquals(0, json.get("rollbacks"));
    }

    @ParameterizedTest
    @CsvSource({"sample stencil --steps 40, 1@12", "sample locks --steps 40, 2@17", "fft --class S --iterations 24 --warm-up 0, 2@14"})
    void aReplacementKilledInItsRecoveryIsReplacedToo(String program, String kill) {
        Map<String, Object> json = Command.line(program + " --ranks 4 --checksums 1 --spares 2 --protocol full --interval 5 --kill " + kill
            + "+recovery --timeout 60s --json").exits(0).json();
        List<?> failures = (List<?>) json.get("failures");
        assertEquals(2, failures.size(), failures::toString);
        for (Object failure : failures) {
            assertEquals(Integer.valueOf(kill.substring(0, 1)), ((Map<?, ?>) failure).get("rank"));
            assertEquals("replay", ((Map<?, ?>) failure).get("how"), failures::toString);
        }
        assertEquals(1, json.get("localRecoveries"));
        assertEquals(0, json.get("rollbacks"));
    }
}
