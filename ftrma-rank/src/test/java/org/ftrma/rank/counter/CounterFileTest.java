package org.ftrma.rank.counter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.ftrma.FtrmaException;
import org.ftrma.core.counter.Counter;
import org.ftrma.core.counter.CounterReader;
import org.ftrma.core.counter.StateCounters;
import org.ftrma.rank.SystemClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Counters in a file, while its process runs and afterwards. */
class CounterFileTest {
    @TempDir
    private Path directory;

    private StateCounters counters(CounterFile file) {
        return new StateCounters(file, new SystemClock(false, false));
    }

    @Test
    void fileIsReadWhileItIsWrittenAndAfterwards() throws IOException, CounterReader.MalformedException {
        try (CounterFile file = new CounterFile(directory, 3)) {
            StateCounters counters = counters(file);
            counters.plays(1, 2);
            counters.step(10);
            assertEquals(10, CounterFile.read(directory, 3).get(Counter.STEP));
            counters.step(11);
            assertEquals(11, CounterFile.read(directory, 3).get(Counter.STEP));
        }
        assertEquals("at its end: incarnation 2, view 0, generation 0, step 11", CounterFile.lastWords(directory, 3));
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(
            directory.resolve("counters-3"))));
    }

    @Test
    void processWithoutAFileHasNoLastWords() throws IOException, CounterReader.MalformedException {
        assertNull(CounterFile.read(directory, 4));
        assertNull(CounterFile.lastWords(directory, 4));
    }

    @Test
    void theLastStepIsKnownOfACopy() throws IOException {
        try (CounterFile file = new CounterFile(directory, 3)) {
            counters(file).step(12);
            assertEquals(12, CounterFile.lastStep(CounterFile.copy(directory, 3)));
        }
        assertEquals(0, CounterFile.lastStep((byte[]) null));
        assertEquals(0, CounterFile.lastStep(new byte[0]));
        assertEquals(0, CounterFile.lastStep("x".repeat(4096).getBytes(java.nio.charset.StandardCharsets.US_ASCII)));
    }

    @Test
    void foreignFileIsToldAsOne() throws IOException {
        Files.writeString(directory.resolve("counters-5"), "x".repeat(1 << 20));
        assertThrows(CounterReader.MalformedException.class, () -> CounterFile.read(directory, 5));
        assertTrue(CounterFile.lastWords(directory, 5).startsWith("left counters that cannot be read: these are no "
            + "counters: magic=0x7878787878787878"), CounterFile.lastWords(directory, 5));
        Files.createFile(directory.resolve("counters-6"));
        assertTrue(CounterFile.lastWords(directory, 6).contains("bytes=0"), CounterFile.lastWords(directory, 6));
    }

    @Test
    void placeThatIsGoneIsNamed() {
        try (CounterFile file = new CounterFile(directory.resolve("gone"), 7)) {
            FtrmaException e = assertThrows(FtrmaException.class, () -> counters(file));
            assertEquals(FtrmaException.Category.SETUP, e.category());
            assertTrue(e.getMessage().contains("gone/counters-7"), e.getMessage());
        }
    }
}
