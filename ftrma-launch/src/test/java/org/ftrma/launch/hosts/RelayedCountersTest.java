package org.ftrma.launch.hosts;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.ftrma.rank.counter.CounterFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Counters of other hosts are files of the job's folder, or a message says why not. */
class RelayedCountersTest {
    private final Queue<String> notes = new ConcurrentLinkedQueue<>();

    @Test
    void theNewestOfEachProcessAreKept(@TempDir Path folder) throws IOException {
        try (RelayedCounters counters = new RelayedCounters(folder, notes::add)) {
            counters.accept(new byte[] {1}, 3);
            counters.accept(new byte[] {2}, 4);
            counters.accept(new byte[] {3}, 3);
        }
        assertArrayEquals(new byte[] {3}, Files.readAllBytes(CounterFile.file(folder, 3)));
        assertArrayEquals(new byte[] {2}, Files.readAllBytes(CounterFile.file(folder, 4)));
        assertEquals(List.of(), List.copyOf(notes));
    }

    @Test
    void aFolderThatIsGoneIsToldOnce(@TempDir Path folder) {
        Path gone = folder.resolve("gone");
        try (RelayedCounters counters = new RelayedCounters(gone, notes::add)) {
            counters.accept(new byte[] {1}, 3);
            counters.accept(new byte[] {1}, 4);
        }
        assertEquals(1, notes.size(), notes::toString);
        String note = notes.element();
        assertTrue(note.startsWith("what processes of other hosts count is not kept in " + gone + " any more: ")
            && note.endsWith("; the job goes on"), note);
    }
}
