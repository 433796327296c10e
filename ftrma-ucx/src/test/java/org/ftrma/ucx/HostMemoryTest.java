package org.ftrma.ucx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.ftrma.spi.MemoryLimits;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hosts made of files: which limit counts, and what of it is taken. */
class HostMemoryTest {
    private static final long MIB = 1L << 20;
    @TempDir
    private Path root;

    private void file(String name, String text) throws IOException {
        Path path = root.resolve(name);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    @BeforeEach
    void aHostWithoutLimits() throws IOException {
        file("proc/meminfo", "MemTotal:        8388608 kB\nMemFree:           65536 kB\nMemAvailable:    4194304 kB\n");
        file("proc/self/cgroup", "0::/\n");
        file("proc/sys/kernel/shmall", "18446744073692774399\n");
        file("proc/sys/kernel/shmmax", "18446744073692774399\n");
        file("proc/sysvipc/shm", "       key      shmid perms                  size  cpid  lpid nattch   uid\n"
            + "         0   20152336  1660                 12288 25006 25006      2     0\n"
            + "-559038737         17   600               1048577 25006 25006      1     0\n");
    }

    private MemoryLimits room() {
        return new HostMemory(root).room(true, false);
    }

    private void assertRoom(long bytes, String limit) {
        assertEquals(bytes, room().bytes(), room()::toString);
        assertTrue(room().limit().contains(limit), room()::toString);
    }

    @Test
    void whatTheKernelKilledForWantOfMemoryIsCounted() throws IOException {
        HostMemory memory = new HostMemory(root);
        assertEquals(new HostMemory.Kills(0, 0, 0), memory.kills());
        file("proc/vmstat", "nr_free_pages 5\noom_kill 7\n");
        file("proc/self/cgroup", "4:memory:/jobs\n0::/jobs/one\n");
        file("sys/fs/cgroup/jobs/one/memory.events", "oom 3\noom_kill 2\noom_group_kill 0\n");
        assertEquals(new HostMemory.Kills(2, 7, 0), memory.kills());
        file("sys/fs/cgroup/memory/jobs/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 4\n");
        assertEquals(new HostMemory.Kills(6, 7, 0), memory.kills());
        file("sys/fs/cgroup/jobs/one/memory.max", "max\n");
        file("sys/fs/cgroup/jobs/memory.max", Long.toString(512 * MIB));
        file("sys/fs/cgroup/memory/jobs/memory.limit_in_bytes", "9223372036854771712\n");
        assertEquals(new HostMemory.Kills(6, 7, 512 * MIB), memory.kills());
        assertEquals("the control group or container with its limit of 512.0 MiB",
            memory.kills().since(new HostMemory.Kills(5, 7, 0)));
    }

    @Test
    void freeMemoryCountsWhereNothingElseLimits() {
        assertRoom(4096 * MIB, "MemAvailable");
        assertEquals(Long.MAX_VALUE, room().regionBytes());
        assertEquals(4096 * MIB, new HostMemory(root).availableBytes());
    }

    @Test
    void everyGroupOfVersionTwoAboveTheOwnOneCounts() throws IOException {
        file("proc/self/cgroup", "0::/jobs/one\n");
        file("sys/fs/cgroup/jobs/one/memory.max", "max\n");
        file("sys/fs/cgroup/jobs/one/memory.current", "1\n");
        file("sys/fs/cgroup/jobs/memory.max", Long.toString(1000 * MIB));
        file("sys/fs/cgroup/jobs/memory.current", Long.toString(300 * MIB));
        file("sys/fs/cgroup/jobs/memory.stat", "anon 5\ninactive_file " + 100 * MIB + "\nactive_file 7\n");
        assertRoom(800 * MIB, "memory.max");
        file("sys/fs/cgroup/jobs/one/memory.max", Long.toString(500 * MIB));
        assertRoom(500 * MIB - 1, "memory.max");
    }

    @Test
    void groupsOfVersionOneCount() throws IOException {
        file("proc/self/cgroup", "9:name=systemd:/\n4:cpu,memory:/outside/job\n0::/\n");
        file("sys/fs/cgroup/memory/outside/job/memory.limit_in_bytes", "9223372036854771712\n");
        file("sys/fs/cgroup/memory/outside/job/memory.usage_in_bytes", "77\n");
        assertRoom(4096 * MIB, "MemAvailable");
        file("sys/fs/cgroup/memory/memory.limit_in_bytes", Long.toString(600 * MIB));
        file("sys/fs/cgroup/memory/memory.usage_in_bytes", Long.toString(200 * MIB));
        file("sys/fs/cgroup/memory/memory.stat", "inactive_file 0\ntotal_inactive_file " + 50 * MIB + "\n");
        assertRoom(450 * MIB, "memory.limit_in_bytes");
    }

    /** There the path in /proc may be that of the host. */
    @Test
    void inAContainerTheTopmostFolderCounts() throws IOException {
        file("proc/self/cgroup", "0::/../../elsewhere\n");
        file("sys/fs/cgroup/memory.max", Long.toString(100 * MIB));
        file("sys/fs/cgroup/memory.current", Long.toString(MIB));
        assertRoom(99 * MIB, "memory.max");
    }

    @Test
    void systemVLimitsCountForAllSegmentsAndForEach() throws IOException {
        file("proc/sys/kernel/shmall", Long.toString(256 * MIB / 4096));
        file("proc/sys/kernel/shmmax", Long.toString(32 * MIB));
        assertRoom(256 * MIB - 12288 - MIB - 4096, "kernel.shmall");
        assertEquals(32 * MIB, room().regionBytes());
        assertTrue(room().regionLimit().contains("kernel.shmmax"));
        assertEquals(4096 * MIB, new HostMemory(root).room(false, false).bytes(), "where no such memory is used");
    }

    @Test
    void thisHostHasSomeMemory() {
        MemoryLimits here = HostMemory.here().room(true, true);
        assertTrue(here.bytes() > 0 && here.bytes() < Long.MAX_VALUE && !here.limit().isEmpty(), here::toString);
        assertTrue(here.regionBytes() > 0);
    }
}
