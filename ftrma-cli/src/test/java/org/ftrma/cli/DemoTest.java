package org.ftrma.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The same kill twice: all ranks go back, or the lost one alone. */
@Tag("long")
class DemoTest {
    private static void assertSurvived(Map<?, ?> job, String protocol, int rollbacks) {
        assertEquals(true, job.get("verified"), job::toString);
        assertEquals(protocol, job.get("protocol"), job::toString);
        assertEquals(1, ((List<?>) job.get("failures")).size(), job::toString);
        assertEquals(rollbacks, job.get("rollbacks"), job::toString);
        assertEquals(1 - rollbacks, job.get("localRecoveries"), job::toString);
    }

    @Test
    void bothJobsEndWithTheBitsOfOneWithoutFailures() {
        Map<String, Object> coordinated = Command.line("demo --json --seed 3").exits(0).json();
        Map<?, ?> full = (Map<?, ?>) coordinated.get("full");
        assertSurvived(coordinated, "coordinated", 1);
        assertSurvived(full, "full", 0);
        assertEquals(((Map<?, ?>) coordinated.get("reports")).get("checksumDigest"),
            ((Map<?, ?>) full.get("reports")).get("checksumDigest"));
        assertEquals(((Map<?, ?>) ((List<?>) coordinated.get("failures")).getFirst()).get("member"),
            ((Map<?, ?>) ((List<?>) full.get("failures")).getFirst()).get("member"));
    }
}
