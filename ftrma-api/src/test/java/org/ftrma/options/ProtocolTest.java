package org.ftrma.options;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ProtocolTest {
    private static JobOptions job(Protocol protocol, int checksums) {
        return JobOptions.builder().set(JobOption.PROTOCOL, protocol).set(JobOption.CHECKSUMS, checksums).build();
    }

    @Test
    void withoutChecksumRanksThereIsNoProtocol() {
        for (Protocol protocol : Protocol.values()) {
            assertSame(Protocol.NONE, job(protocol, 0).protocol());
            assertSame(protocol, job(protocol, 0).askedProtocol());
            assertSame(protocol, job(protocol, 1).protocol());
            assertEquals(protocol != Protocol.NONE, job(protocol, 1).isProtected());
        }
    }

    @Test
    void onlyWhoLogsResultsRecoversLocally() {
        assertTrue(Protocol.FULL.recoversLocally() && Protocol.FULL.logsResults() && Protocol.FULL.logsPuts());
        assertFalse(Protocol.PUTS.recoversLocally() || Protocol.PUTS.logsResults());
        assertTrue(Protocol.PUTS.logsPuts() && Protocol.PUTS.hasLogs());
        assertTrue(Protocol.ML.logsAtChecksum() && Protocol.ML.hasLogs());
        assertFalse(Protocol.ML.logsPuts() || Protocol.ML.recoversLocally());
        assertFalse(Protocol.COORDINATED.hasLogs() || Protocol.NONE.hasLogs() || Protocol.NONE.takesCheckpoints());
        assertEquals("full, puts and ml", Protocol.that(Protocol::hasLogs));
        assertTrue(Protocol.PESSIMISTIC_V.recoversLocally() && Protocol.PESSIMISTIC_V.logsMessages());
        assertFalse(Protocol.PESSIMISTIC_V.hasLogs() || Protocol.FULL.logsMessages());
        assertEquals("full and pessimistic-v", Protocol.that(Protocol::recoversLocally));
    }

    @Test
    void wordsOfAnOptionAreThoseOfItsType() {
        JobOptions options = JobOptions.of(Map.of("demand", "off", "staging", "log", "log-overflow", "error", "path",
            "network"));
        assertTrue(options.isStagedInLog() && options.isLogOverflowError() && options.forceNetwork());
        assertFalse(options.hasDemandCheckpoints());
        for (Protocol protocol : Protocol.values()) {
            assertTrue(JobOption.PROTOCOL.meaning().contains(protocol.explained()), JobOption.PROTOCOL.meaning());
        }
    }
}
