package org.ftrma.ucx;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.ftrma.spi.Holes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Memory that ranks share is none of other users, also not of those of the same group. */
@Timeout(60)
class PrivateSegmentsTest {
    @Test
    void segmentsAreTheirUsersAlone() throws IOException {
        UcxRuntime.load();
        MappedDomain domain = new MappedDomain("sysv", new Prefaults());
        UcxMemory memory = domain.allocate(3 * Pages.PAGE_BYTES, Holes.NONE);
        Set<String> modes = modes(ProcessHandle.current().pid());
        memory.close();
        domain.close();
        assertEquals(Set.of("1600"), modes, "mode 0600, and to be removed with the last process that has it");
    }

    /** Of all segments that a process has made. */
    private static Set<String> modes(long pid) throws IOException {
        // key shmid perms size cpid …
        List<String> lines = Files.readAllLines(Path.of("/proc/sysvipc/shm"));
        return lines.stream().skip(1).map(line -> line.strip().split("\\s+"))
            .filter(fields -> fields[4].equals(Long.toString(pid))).map(fields -> fields[2])
            .collect(Collectors.toSet());
    }
}
