package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.ftrma.rank.Signals;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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
    @ValueSource(strings = {"fft --ranks 2 --json", "kv --ranks 2 --json --checksums 1"})
    void aJobThatHasNotBegunDoesNotBegin(String line) {
        assertFalse(interrupts.arrive(), "no job tells of it");
        Command command = Command.interruptible(line, System.err, interrupts).exits(130);
        assertEquals("interrupted", command.json().get("outcome"));
        assertEquals(130, command.json().get("exitCode"));
        assertEquals(0, command.json().get("processes"));
        assertTrue(interrupts.arrive(), "a job tells of it");
    }

    /** What a signal at any moment before leaves behind is less. */
    @Test
    void aJobThatDoesNotBeginLeavesNothingWhereItWouldWrite(@TempDir Path place) throws IOException {
        interrupts.arrive();
        Command.interruptible("fft --ranks 2 --checksums 1 --json --flush " + place.resolve("images"), System.err,
            interrupts).exits(130);
        try (Stream<Path> left = Files.list(place.resolve("images"))) {
            assertEquals(List.of(), left.toList());
        }
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

    /** A second one counts from a second after the first, however many come with that. */
    @Test
    void signalsThatComeWithAnotherOneAreThatOne() {
        long[] clock = {Long.MAX_VALUE};
        int[] counted = {0};
        Runnable signal = Signals.once(() -> counted[0]++, () -> clock[0]);
        for (int millis : new int[] {0, 1, 400, 999}) {
            clock[0] = Long.MAX_VALUE + millis * 1_000_000L;
            signal.run();
            assertEquals(1, counted[0], () -> "after " + millis + " ms");
        }
        clock[0] = Long.MAX_VALUE + 1_000_000_000L;
        signal.run();
        assertEquals(2, counted[0]);
    }
}
