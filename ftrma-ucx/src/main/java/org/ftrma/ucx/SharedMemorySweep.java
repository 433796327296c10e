package org.ftrma.ucx;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import org.ftrma.ucp.Libc;

/**
 * Removes System V segments that a killed process had created but not yet marked for removal: a window of microseconds
 * in UCX's allocation. For the launcher, after it has reaped a rank. Any thread.
 */
public final class SharedMemorySweep {
    private static final Path SEGMENTS = Path.of("/proc/sysvipc/shm");

    private SharedMemorySweep() {
    }

    /**
     * Removes the private segments that were created by these processes, which must have ended, and that nobody has
     * attached.
     *
     * @return how many there were
     */
    public static int removeOrphansOf(Collection<Long> deadPids) {
        List<String> lines;
        try {
            lines = Files.readAllLines(SEGMENTS);
        } catch (IOException e) {
            return 0; // no System V shared memory in this kernel
        }
        int removed = 0;
        for (String line : lines.subList(Math.min(1, lines.size()), lines.size())) {
            // key shmid perms size cpid lpid nattch …
            String[] fields = line.trim().split("\\s+");
            boolean orphan = fields[0].equals("0") && fields[6].equals("0")
                && deadPids.contains(Long.parseLong(fields[4]));
            if (orphan && Libc.shmctl(Integer.parseInt(fields[1]), Libc.IPC_RMID)) {
                removed++;
            }
        }
        return removed;
    }
}
