package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The NAS benchmarks with logged messages on processes that are killed: the lost rank alone goes back, and the results
 * verify.
 */
class PessimisticNpbTest {
    private static final String JOB = " --protocol pessimistic-v --warm-up 0 --timeout 90s --json ";

    private static Map<String, Object> verified(String job, String checksums, String failures) {
        Map<String, Object> json = Command.line("npb " + job + " " + checksums + " " + failures + JOB).exits(0).json();
        assertEquals(true, json.get("verified"), json::toString);
        assertEquals(0, json.get("rollbacks"), json::toString);
        assertEquals(Map.of(), json.get("fallbacks"), json::toString);
        return json;
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> failures(Map<String, Object> json) {
        return (List<Map<String, Object>>) json.get("failures");
    }

    /** Early, in the middle and late. */
    @ParameterizedTest
    @CsvSource({"cg --class S --ranks 4, 3@1", "cg --class S --ranks 2, 1@8", "cg --class S --ranks 4, 0@15",
        "is --class S --ranks 4, 0@1", "is --class S --ranks 2, 1@5", "is --class S --ranks 4, 2@10",
        "mg --class S --ranks 2, 1@1", "mg --class S --ranks 4, 0@3", "mg --class S --ranks 4, 3@4",
        "mg --class S --ranks 4 --any-source, 1@1", "mg --class S --ranks 2 --any-source, 0@2",
        "mg --class S --ranks 4 --any-source --path network, 2@4"})
    void onlyTheKilledRankGoesBack(String job, String kill) {
        Map<String, Object> json = verified(job, "--checksums 1 --spares 1 --interval 2", "--kill " + kill);
        assertEquals(1, json.get("localRecoveries"), json::toString);
        assertEquals(1, failures(json).size(), json::toString);
        assertTrue(((Number) failures(json).getFirst().get("stepsRepeated")).longValue() >= 0, json::toString);
    }

    @Test
    void twoRanksOfTwoGroupsAtOnceGoBackAlone() {
        Map<String, Object> json = verified("cg --class S --ranks 4", "--checksums 2 --spares 2 --interval 4",
            "--kill 1+2@9");
        assertEquals(2, json.get("localRecoveries"), json::toString);
    }

    @Test
    void aLoggerAndThenTheRankWhoseEventsItHad() {
        Map<String, Object> json = verified("mg --class S --ranks 4 --any-source --iterations 80",
            "--checksums 1 --spares 1 --interval 3", "--kill checksum0@1 --kill 2@70");
        assertEquals(1, json.get("localRecoveries"), json::toString);
    }

    /** The next failure comes as soon as the group is whole: the new logger has the events then. */
    @Test
    void aRankIsKilledAsSoonAsALoggerIsReplaced() {
        Map<String, Object> json = verified("mg --class S --ranks 4 --any-source --iterations 12",
            "--checksums 1 --spares 1 --interval 3", "--kill checksum0@3 --kill 3@6");
        assertEquals(1, json.get("localRecoveries"), json::toString);
    }

    @Test
    void oneKillAfterTheOther() {
        Map<String, Object> json = Command.line("npb cg --class S --ranks 4 --checksums 2 --spares 1 --interval 10 "
            + "--iterations 200 --chaos 5 --seed 3" + JOB).exits(0).json();
        assertEquals(5, json.get("faultsInjected"), json::toString);
    }
}
