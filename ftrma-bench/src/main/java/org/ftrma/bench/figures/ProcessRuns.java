package org.ftrma.bench.figures;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.ftrma.bench.command.JobProcess;
import org.ftrma.bench.command.OtherProgram;

/** Runs each command in a process of its own, with the class path of this one. */
final class ProcessRuns implements JobRuns {
    /** Stands for a directory in memory that is made for the run and removed after it. */
    static final String TMPFS = "TMPFS";
    /** Stands for a directory on disk that is made for the run and removed after it. */
    static final String DISK = "DISK";
    private static final Path MEMORY = Path.of("/dev/shm");
    /** What Open MPI wants to be told by root, and where there are fewer cores than ranks; others do not ask. */
    private static final Map<String, String> MPI = Map.of("OMPI_ALLOW_RUN_AS_ROOT", "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", "OMPI_MCA_rmaps_base_oversubscribe", "1");

    private final long timeoutSeconds;
    private final Path onDisk;
    private final Path npb;

    /**
     * Commands that take so long at most.
     *
     * @param onDisk a directory in which those for {@link #DISK} are made; it is made if need be
     * @param npb where the sources of NPB are; null: nowhere
     */
    ProcessRuns(long timeoutSeconds, Path onDisk, Path npb) {
        this.timeoutSeconds = timeoutSeconds;
        this.onDisk = onDisk;
        this.npb = npb;
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

    @Override
    public boolean has(String program) {
        return OtherProgram.isInstalled(program);
    }

    @Override
    public List<String> other(Path directory, List<String> command) throws IOException, InterruptedException {
        return OtherProgram.run(command, directory, MPI, timeoutSeconds);
    }

    @Override
    public Path npb() {
        return npb;
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
