package org.ftrma.bench.figures;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.ftrma.bench.command.JobProcess;

/** Runs each command in a process of its own, with the class path of this one. */
final class ProcessRuns implements JobRuns {
    /** Stands for a directory in memory that is made for the run and removed after it. */
    static final String TMPFS = "TMPFS";
    /** Stands for a directory on disk that is made for the run and removed after it. */
    static final String DISK = "DISK";
    private static final Path MEMORY = Path.of("/dev/shm");

    private final long timeoutSeconds;
    private final Path onDisk;

    /**
     * Commands that take so long at most.
     *
     * @param onDisk a directory in which those for {@link #DISK} are made; it is made if need be
     */
    ProcessRuns(long timeoutSeconds, Path onDisk) {
        this.timeoutSeconds = timeoutSeconds;
        this.onDisk = onDisk;
    }

    @Override
    public Map<String, Object> run(List<String> given) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(given);
        List<Path> made = new ArrayList<>();
        try {
            for (int i = 0; i < arguments.size(); i++) {
                boolean memory = arguments.get(i).equals(TMPFS);
                if (memory || arguments.get(i).equals(DISK)) {
                    Path directory = Files.createTempDirectory(memory ? MEMORY : Files.createDirectories(onDisk),
                        "ftrma-bench-");
                    made.add(directory);
                    arguments.set(i, directory.toString());
                }
            }
            return JobProcess.run(arguments, timeoutSeconds);
        } finally {
            for (Path directory : made) {
                remove(directory);
            }
        }
    }

    private static void remove(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(directory);
    }
}
