package org.ftrma.launch.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What processes have counted is kept when the job's places go, or a message says why not. */
class JobDirectoryTest {
    private final List<String> notes = new ArrayList<>();

    @Test
    void countersAreKept(@TempDir Path kept) throws IOException {
        try (JobDirectory directory = new JobDirectory(List.of(), kept, notes::add)) {
            Files.write(directory.counters().resolve("counters-2"), new byte[] {7});
            assertTrue(Files.exists(kept.resolve(JobDirectory.LIVE)));
        }
        assertEquals(7, Files.readAllBytes(kept.resolve("counters-2"))[0]);
        assertFalse(Files.exists(kept.resolve(JobDirectory.LIVE)));
        assertEquals(List.of(), notes);
    }

    @Test
    void aFolderThatIsGoneIsToldByTheJobsMessages(@TempDir Path folder) throws IOException {
        Path kept = Files.createDirectory(folder.resolve("kept"));
        try (JobDirectory directory = new JobDirectory(List.of(), kept, notes::add)) {
            Files.write(directory.counters().resolve("counters-2"), new byte[] {7});
            Files.delete(kept.resolve(JobDirectory.LIVE));
            Files.delete(kept);
        }
        assertEquals(1, notes.size(), notes::toString);
        assertTrue(notes.getFirst().startsWith("what the processes counted is not kept in " + kept + ": "),
            notes::toString);
    }

    @Test
    void aFolderThatIsFullIsNamedWithWhatHelpsThere() {
        IOException full = new IOException("No space left on device");
        assertEquals("cannot create the job's directory in /dev/shm, which has 0 B free: No space left on device; make "
            + "room there, or enlarge it: mount -o remount,size=SIZE /dev/shm; containers: --shm-size=SIZE",
            JobDirectory.whyNot(JobDirectory.SHARED_MEMORY, 0, full));
        assertEquals("cannot create the job's directory in /run/me, which has 1.0 KiB free: No space left on device; "
            + "make room there, or set XDG_RUNTIME_DIR to a directory of your own",
            JobDirectory.whyNot(Path.of("/run/me"), 1024, full));
    }
}
