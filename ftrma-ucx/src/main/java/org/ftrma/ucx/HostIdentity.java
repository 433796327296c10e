package org.ftrma.ucx;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32;

/**
 * Kernel and namespaces of a process: two processes can map each other's memory if they share a kernel and an IPC
 * namespace, and can look each other up if they share a process namespace. Any thread.
 *
 * @param memory hash of the kernel's boot and the IPC namespace; 0 where no memory can be mapped
 * @param processes hash of the kernel's boot and the process namespace
 * @param pid process number there
 * @param startTicks when the process started, so that a reused number is noticed
 */
record HostIdentity(long memory, long processes, long pid, long startTicks) {
    private static final long NO_MEMORY = 0;

    static HostIdentity ofThisProcess() {
        return ofThisProcess(0);
    }

    /**
     * As above, on one of several hosts.
     *
     * @param host processes with another such number share no memory
     */
    static HostIdentity ofThisProcess(long host) {
        long pid = ProcessHandle.current().pid();
        String boot = KernelFiles.read(Path.of("/proc/sys/kernel/random/boot_id"));
        String apart = host == 0 ? "" : " " + host;
        return new HostIdentity(hash(boot + link("/proc/self/ns/ipc") + apart), hash(boot + link("/proc/self/ns/pid")),
            pid, startTicks(pid));
    }

    /** The same process where it has no memory that others can map. */
    HostIdentity withoutMemory() {
        return new HostIdentity(NO_MEMORY, processes, pid, startTicks);
    }

    boolean sharesMemoryWith(HostIdentity other) {
        return memory == other.memory && memory != NO_MEMORY;
    }

    /** Whether the process is known to be gone; false also if that cannot be seen from here. */
    boolean isGoneFor(HostIdentity observer) {
        return processes == observer.processes && startTicks(pid) != startTicks;
    }

    /**
     * Field 22 of /proc/PID/stat, counted after the command's closing parenthesis; -1 if there is no such process or it
     * is a zombie.
     */
    private static long startTicks(long pid) {
        String stat = KernelFiles.read(Path.of("/proc/" + pid + "/stat"));
        int end = stat.lastIndexOf(')');
        if (end < 0) {
            return -1;
        }
        String[] fields = stat.substring(end + 2).split(" ");
        return fields[0].equals("Z") || fields[0].equals("X") ? -1 : Long.parseLong(fields[19]);
    }

    private static String link(String name) {
        try {
            return Files.readSymbolicLink(Path.of(name)).toString();
        } catch (IOException e) {
            return name;
        }
    }

    private static long hash(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        CRC32 crc = new CRC32();
        crc.update(bytes);
        return crc.getValue() << 32 | text.hashCode() & 0xffffffffL;
    }
}
