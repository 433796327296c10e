package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Interrupts that come while no job runs. Those of running jobs are in {@link NothingLeftTest}. */
class InterruptsTest {
    private final Interrupts interrupts = new Interrupts();

    /** Standard error in whose text a signal comes. */
    private PrintStream interruptedAt(String text) {
        return new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8) {
            @Override
            public void println(String line) {
                if (line.contains(text)) {
                    interrupts.arrive();
                }
            }
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"fft --ranks 2 --json", "demo --json --seed 3", "kv --ranks 2 --json --checksums 1"})
    void aJobThatHasNotBegunDoesNotBegin(String line) {
        assertFalse(interrupts.arrive(), "no job tells of it");
        Command command = Command.interruptible(line, System.err, interrupts).exits(130);
        assertEquals("interrupted", command.json().get("outcome"));
        assertEquals(130, command.json().get("exitCode"));
        assertEquals(0, command.json().get("processes"));
        assertTrue(interrupts.arrive(), "a job tells of it");
    }

    @Test
    void betweenTheTwoJobsOfChaosTheSecondOneDoesNotBegin() {
        PrintStream err = interruptedAt("running the same once more without failures");
        Command command = Command.interruptible("sample locks --ranks 2 --steps 4 --checksums 1 --chaos 1 --seed 3 "
            + "--timeout 60s --json", err,
            interrupts).exits(130);
        assertEquals("interrupted", command.json().get("outcome"));
        assertEquals(130, command.json().get("exitCode"));
        assertEquals(1, command.json().get("faultsInjected"));
        assertEquals(null, command.json().get("sameAsFailureFree"));
    }
}
