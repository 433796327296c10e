package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.ftrma.apps.npb.Npb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The NAS benchmarks on processes, which are killed early, in the middle and late: their results verify. */
class NpbTest {
    private static final String JOB = " --warm-up 0 --timeout 60s --json ";

    @ParameterizedTest
    @ValueSource(strings = {"cg --class W --ranks 4", "is --ranks 4 --path network", "mg --class W --ranks 2"})
    void resultVerifies(String job) {
        Map<String, Object> json = Command.line("npb " + job + JOB).exits(0).json();
        assertEquals(true, json.get("verified"), json::toString);
        assertTrue(((Number) json.get("mops")).doubleValue() > 0);
    }

    /** All ranks go back to the newest checkpoint. */
    @ParameterizedTest
    @CsvSource({"cg --class S --ranks 2, 1@1", "cg --class S --ranks 4, 0@8", "cg --class S --ranks 2, 1@15",
        "is --class S --ranks 2, 1@1", "is --class S --ranks 4, 0@5", "is --class S --ranks 2, 1@10",
        "mg --class S --ranks 2, 1@1", "mg --class S --ranks 4, 3@3", "mg --class S --ranks 2, 0@4",
        "mg --class S --ranks 4 --any-source, 2@3"})
    void aKilledRankChangesNothing(String job, String kill) {
        Map<String, Object> json = Command.line("npb " + job + " --checksums 1 --spares 1 --protocol coordinated "
            + "--interval 2 --kill " + kill + JOB).exits(0).json();
        assertEquals(true, json.get("verified"), json::toString);
        assertEquals(1, json.get("rollbacks"), json::toString);
        assertEquals(1, json.get("faultsInjected"), json::toString);
    }

    @Test
    void wrongArgumentsAreRefusedBeforeAnythingStarts() {
        for (String[] one : new String[][] {
            {"npb", "npb: its name is missing; there are cg, is, mg"},
            {"npb ft", "'ft': no such benchmark; there are cg, is, mg"},
            {"npb cg --class D", "--class=D: must be one of S, W, A, B, C"},
            {"npb cg --ranks 3", "--ranks=3: NAS CG needs a power of two"},
            {"npb is --ranks 256", "--ranks=256: NAS IS has at most 128"},
            {"npb mg --ranks 4 --grid 1x2x4", "--grid=1x2x4: needs 8 ranks, the job has 4"},
            {"npb cg --protocol full --checksums 1 --any-source", "--any-source"},
        }) {
            Command.line(one[0]).exits(2).tells(one[1]).tells("Try: ./ftrma npb");
        }
    }

    @Test
    void benchmarksHaveAHelpOfTheirOwn() {
        for (Npb.Benchmark benchmark : Npb.all()) {
            String help = Command.line("npb " + benchmark.name() + " --help").exits(0).out();
            assertTrue(help.startsWith("Usage: ftrma npb " + benchmark.name()), help);
            benchmark.options().options().forEach(option -> assertTrue(help.contains("--" + option.key()), help));
        }
    }
}
