package org.ftrma.launch.journal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.ftrma.launch.agent.JobDirectory;
import org.ftrma.launch.agent.LeftPlaces;

/**
 * The process that runs a job, and what only its own host can say of it: people look into a job on the launcher's
 * machine. Immutable; any thread.
 *
 * @param host where it runs
 * @param pid its number there
 * @param startedMillis when it was started, in milliseconds since 1970: another process of that number was at another
 *     time; 0: nobody knows
 */
public record Launcher(String host, long pid, long startedMillis) {
    /** This process. */
    public static Launcher here(String host) {
        return new Launcher(host, ProcessHandle.current().pid(), started(ProcessHandle.current()));
    }

    private static long started(ProcessHandle process) {
        return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }

    /** Whether it is a process of this host that runs. */
    boolean runs() {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive)
            .filter(process -> startedMillis == 0 || started(process) == startedMillis).isPresent();
    }

    /** Removes places of jobs on this host whose processes were all killed; tells those that it has removed. */
    public static List<Path> removeLeftPlaces() {
        return LeftPlaces.remove();
    }

    /** Whether there is a process of this host with that number. */
    static boolean isThere(long pid) {
        return ProcessHandle.of(pid).isPresent();
    }

    /** Whether a place belongs to the user of this process. */
    static boolean owns(Path place) throws IOException {
        return Files.getOwner(place).equals(Files.getOwner(Path.of("/proc/self")));
    }

    /** Where the processes of a job that runs on this host write what they count. */
    static Path counters(JobFolder folder) {
        try {
            return Path.of(Files.readString(folder.file(JobDirectory.LIVE)));
        } catch (IOException e) {
            return folder.path(); // they have not begun, or are on other hosts
        }
    }
}
