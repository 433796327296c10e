package org.ftrma.testkit.hosts;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.ftrma.FtrmaException;

/** Reads /proc of the processes of this machine. A process that ends meanwhile is no error. Any thread. */
final class ProcFiles {
    private static final Path PROC = Path.of("/proc");
    private static final long LOOK_NANOS = 1_000_000;

    private ProcFiles() {
    }

    /** The numbers of all processes. */
    static List<Long> all() {
        List<Long> pids = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(PROC, "[0-9]*")) {
            entries.forEach(entry -> pids.add(Long.parseLong(entry.getFileName().toString())));
        } catch (IOException e) {
            throw new FtrmaException(FtrmaException.Category.SETUP, "/proc cannot be read: " + e.getMessage(), e);
        }
        return pids;
    }

    /** The process namespace of a process, as the kernel names it; empty if there is no such process. */
    static String pidNamespace(long pid) {
        try {
            return Files.readSymbolicLink(PROC.resolve(pid + "/ns/pid")).toString();
        } catch (IOException e) {
            return "";
        }
    }

    /** The number of a process in its own namespace; -1 if there is no such process. */
    static long innerPid(long pid) {
        for (String line : read(PROC.resolve(pid + "/status")).split("\n")) {
            if (line.startsWith("NSpid:")) {
                String[] numbers = line.split("\\s+");
                return Long.parseLong(numbers[numbers.length - 1]);
            }
        }
        return -1;
    }

    /** The process of a namespace that has this number there; -1 if there is none. */
    static long find(String namespace, long innerPid) {
        for (long pid : all()) {
            if (innerPid(pid) == innerPid && pidNamespace(pid).equals(namespace)) {
                return pid;
            }
        }
        return -1;
    }

    /** The arguments of a process, with a blank between them. */
    static String command(long pid) {
        return read(PROC.resolve(pid + "/cmdline")).replace('\0', ' ').trim();
    }

    /** Whether a process runs no further instruction: there is none of this number, or nobody has asked for its end. */
    static boolean isGone(long pid) {
        char state = state(PROC.resolve(Long.toString(pid)));
        return state == 0 || state == 'Z' || state == 'X';
    }

    /**
     * Whether all threads of a process are stopped, or it is gone. A thread that waits in vfork for a child that is
     * stopped is as good as stopped: the kernel leaves it in that wait, where it has no state of its own.
     */
    static boolean isStopped(long pid) {
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(PROC.resolve(pid + "/task"))) {
            for (Path thread : threads) {
                char state = state(thread);
                if ("TtZX\0".indexOf(state) < 0 && (state != 'D' || !hasStoppedChild(pid))) {
                    return false;
                }
            }
        } catch (IOException e) {
            return true;
        }
        return true;
    }

    private static boolean hasStoppedChild(long pid) {
        return ProcessHandle.of(pid).stream().flatMap(ProcessHandle::children).anyMatch(child ->
            isAnyStopped(child.pid()));
    }

    /** Whether a thread of a process is stopped. */
    static boolean isAnyStopped(long pid) {
        return state(PROC.resolve(Long.toString(pid))) == 'T';
    }

    /** The state of a process or thread; 0 if there is none. */
    private static char state(Path place) {
        String stat = read(place.resolve("stat"));
        int end = stat.lastIndexOf(')');
        return end < 0 ? 0 : stat.charAt(end + 2);
    }

    /** Whoever may read a file of /proc may find that its process has ended. */
    static String read(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }

    /**
     * Waits until something is so.
     *
     * @param what is waited for, if it does not come about in time
     */
    static void await(BooleanSupplier condition, long seconds, Supplier<String> what) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new FtrmaException(FtrmaException.Category.FATAL, "waited " + seconds + " s for " + what.get());
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }
}
