package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.ftrma.core.control.FallbackReason;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.options.JobOptions;
import org.junit.jupiter.api.Test;

class JobConsoleTest {
    @Test
    void theLineThatAllRanksGoBackHasTheReason() {
        ByteArrayOutputStream told = new ByteArrayOutputStream();
        JobConsole console = new JobConsole(JobOptions.of(Map.of("ranks", "3", "checksums", "1")),
            new PrintStream(told, true, StandardCharsets.UTF_8), false);
        console.event(new JobEvent.FellBack(1, FallbackReason.LOG_GAP, FallbackReason.LOG_GAP.told("rank 1: it ends",
            "a larger --log-budget")), 1);
        console.event(new JobEvent.RecoveryBegun(2, true, 3, 6), 2);
        assertEquals("ftrma: all ranks go back to generation 3, step 6: a log that replay needs is not complete "
            + "(rank 1: it ends): a larger --log-budget\n", told.toString(StandardCharsets.UTF_8));
    }
}
