package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The key-value store on processes, with real kills in the middle of inserting: nothing lost, nothing doubled. */
class KvRecoverTest {
    private static final String SMALL = "kv --ranks 2 --inserts 3000 --batch 60 --slots 2500 --timeout 60s --json";

    private static void verified(Map<String, Object> json) {
        assertEquals(true, json.get("verified"), json::toString);
        assertEquals(6000, json.get("inserts"));
        assertEquals(6000, json.get("found"));
        assertEquals(0, json.get("lost"));
        assertEquals(0, json.get("duplicated"));
        assertTrue((Double) json.get("insertsPerSecond") > 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"full", "coordinated", "puts"})
    void aKillAmongInsertsLosesAndDoublesNothing(String protocol) {
        Map<String, Object> json = Command.line(SMALL + " --checksums 1 --interval 10 --protocol " + protocol
            + " --kill 1@1510").exits(0)
            .json();
        verified(json);
        Map<?, ?> failure = (Map<?, ?>) ((List<?>) json.get("failures")).getFirst();
        assertEquals(1, failure.get("rank"));
        assertEquals(26, failure.get("step"), "the step of insert 1510");
        int local = (Integer) json.get("localRecoveries");
        assertEquals(1, local + (Integer) json.get("rollbacks"));
        if (protocol.equals("full")) {
            assertEquals(1, local);
            assertEquals(Map.of(), json.get("fallbacks"));
        }
        if (protocol.equals("puts")) {
            assertEquals(Map.of("ONLY_PUTS_LOGGED", 1), json.get("fallbacks"));
        }
    }

    /** What the warm-up inserted is gone. */
    @Test
    void unprotectedAtFullSpeedTheResultIsTheSame() {
        Object digest = ((Map<?, ?>) Command.line(SMALL + " --work 1").exits(0).json().get("reports"))
            .get("checksumDigest");
        Map<String, Object> fast = Command.line(SMALL + " --work 0 --warm-up 0.3").exits(0).json();
        verified(fast);
        Map<?, ?> reports = (Map<?, ?>) fast.get("reports");
        assertEquals(digest, reports.get("checksumDigest"));
        assertEquals("kv", fast.get("app"));
        assertEquals("none", fast.get("protocol"));
    }

    /**
     * So many, in large steps, that what the virtual machine allocates once (140 KB, in one run of ten), and a step, is
     * not taken for theirs.
     */
    @Test
    void insertsAllocateNothing() {
        String command = "kv --ranks 2 --inserts 300000 --slots 300000 --batch 4096 --work 0 --timeout 60s --json";
        Map<?, ?> reports = (Map<?, ?>) Command.line(command).exits(0).json().get("reports");
        assertTrue(((Number) reports.get("allocatedBytesPerInsert")).doubleValue() < 1, reports::toString);
    }
}
