package org.ftrma.launch.host;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.ftrma.FtrmaException;
import org.ftrma.rank.control.JobFile;

/**
 * The places of one job in the file system, readable by nobody else: a directory for the {@link JobFile} and temporary
 * files, and one in /dev/shm for the backing files of shared memory. Both go with the job, whatever its end: the
 * launcher removes them, and where it is killed a watchdog does, a shell that waits for the end of a pipe which only
 * the launcher holds open. One thread.
 */
final class JobDirectory implements AutoCloseable {
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");
    /** Retries while processes that were killed with the launcher are still going. */
    private static final String WATCHDOG_SCRIPT = """
        trap '' INT HUP TERM
        read -r line
        for turn in 1 2 3 4 5 6 7 8 9 10; do
            rm -rf -- "$@" 2>/dev/null
            left=
            for place in "$@"; do
                [ -e "$place" ] && left=1
            done
            [ -z "$left" ] && exit 0
            sleep 0.2
        done
        """;

    private final Path path;
    private final Path sharedMemory;
    private Process watchdog;

    JobDirectory() {
        this(List.of());
    }

    /**
     * @param also further places that the watchdog removes where the launcher is killed; otherwise whoever made them
     * does
     */
    JobDirectory(List<Path> also) {
        try {
            path = create(base());
            sharedMemory = Files.isDirectory(SHARED_MEMORY) && Files.isWritable(SHARED_MEMORY) ? create(SHARED_MEMORY)
                : null;
            watchdog = startWatchdog(also);
        } catch (IOException e) {
            close();
            throw new FtrmaException(FtrmaException.Category.SETUP,
                "cannot create the job's directory: " + e.getMessage()
                + "; set XDG_RUNTIME_DIR to a directory of your own", e);
        }
    }

    private static Path base() {
        String runtime = System.getenv("XDG_RUNTIME_DIR");
        if (runtime != null && !runtime.isBlank() && Files.isDirectory(Path.of(runtime))
            && Files.isWritable(Path.of(runtime))) {
            return Path.of(runtime);
        }
        return Path.of("/tmp");
    }

    private static Path create(Path parent) throws IOException {
        return Files.createTempDirectory(parent, "ftrma-" + ProcessHandle.current().pid() + "-",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }

    private Process startWatchdog(List<Path> also) throws IOException {
        // In a session of its own, so that what ends the launcher's whole process group leaves it to its work.
        List<String> command = new java.util.ArrayList<>();
        if (Files.isExecutable(Path.of("/usr/bin/setsid"))) {
            command.add("/usr/bin/setsid");
        }
        command.addAll(List.of("/bin/sh", "-c", WATCHDOG_SCRIPT, "ftrma-watchdog", path.toString()));
        if (sharedMemory != null) {
            command.add(sharedMemory.toString());
        }
        also.forEach(place -> command.add(place.toString()));
        return new ProcessBuilder(command).directory(new java.io.File("/"))
            .redirectOutput(ProcessBuilder.Redirect.DISCARD).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    }

    /** The job's directory. */
    Path path() {
        return path;
    }

    /** Where backing files of shared memory belong, or null if the system's own place must do. */
    Path sharedMemory() {
        return sharedMemory;
    }

    /** Where processes keep their counters: in memory if there is such a place, for they are written at each step. */
    Path counters() {
        return sharedMemory == null ? path : sharedMemory;
    }

    /** Removes everything. */
    @Override
    public void close() {
        delete(path);
        delete(sharedMemory);
        if (watchdog != null) {
            watchdog.destroyForcibly().onExit().join();
        }
    }

    private static void delete(Path directory) {
        if (directory == null) {
            return;
        }
        try {
            Files.walkFileTree(directory, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.deleteIfExists(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                    if (e instanceof NoSuchFileException) {
                        return FileVisitResult.CONTINUE;
                    }
                    throw e;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path visited, IOException e) throws IOException {
                    Files.deleteIfExists(visited);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new FtrmaException(FtrmaException.Category.SETUP,
                "cannot remove the job's directory " + directory + ": " + e, e);
        }
    }
}
