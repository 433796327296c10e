package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.ftrma.launch.programs.Staging;
import org.ftrma.ucp.StreamingCopy;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where staged puts are packed: one buffer again and again, or ever new memory of the log. */
class StagingTest {
    /** The budget is larger than caches are. */
    private static final String LOGGED = " --checksums 1 --interval none --log-budget 1GiB --log-low 1 --protocol ";

    @ParameterizedTest
    @CsvSource({"full --staging log, true", "puts --staging log, true", "full, false", "full --staging cache, false",
        "coordinated, false"})
    void largePutsArePackedWhereItIsSaid(String protocol, boolean inLog) {
        Map<?, ?> json = Command.line("run --json --timeout 100s --ranks 2" + LOGGED + protocol + " -- "
            + Staging.class.getName()).exits(0).json();
        long apart = ((Number) ((Map<?, ?>) json.get("reports")).get("apart")).longValue();
        if (inLog || protocol.startsWith("full") && !StreamingCopy.isAvailable()) {
            assertTrue(apart >= Staging.BYTES, () -> "sources " + apart + " bytes apart: one buffer; " + json);
        } else {
            assertEquals(0, apart, json::toString);
        }
        assertEquals(true, json.get("verified"));
    }
}
