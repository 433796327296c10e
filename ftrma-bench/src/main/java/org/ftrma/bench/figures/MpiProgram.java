package org.ftrma.bench.figures;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Programs of MPI that are compared with jobs, made from their sources in a directory of their own, which goes with
 * this. Where they cannot be made it says why, and runs jobs alone. One thread.
 */
abstract class MpiProgram implements JobRuns, AutoCloseable {
    /** What begins their commands. */
    static final String MPIRUN = "mpirun";

    private final JobRuns runs;
    private final Path directory;
    private String whyNot = "";

    /** Nothing is made yet. */
    MpiProgram(JobRuns runs) throws IOException {
        this.runs = runs;
        this.directory = Files.createTempDirectory("ftrma-mpi-");
    }

    /** Makes it. */
    final void make() throws InterruptedException {
        List<String> missing = needed().stream().filter(program -> !runs.has(program)).toList();
        if (!missing.isEmpty()) {
            whyNot = String.join(" and ", missing) + (missing.size() == 1 ? " is" : " are") + " not installed";
            return;
        }
        try {
            make(directory, runs);
        } catch (IOException e) {
            whyNot = e.getMessage().lines().filter(line -> line.contains("rror")).findFirst()
                .orElse(e.getMessage()).trim();
        }
    }

    /** The programs without which it cannot be made or run. */
    abstract List<String> needed();

    /** Compiles it there. */
    abstract void make(Path place, JobRuns compilers) throws IOException, InterruptedException;

    /** What its output says, as a job would. */
    abstract Map<String, Object> result(List<String> lines) throws IOException;

    /** Why there is none; empty: there is one. */
    final String whyNot() {
        return whyNot;
    }

    final boolean isMade() {
        return whyNot.isEmpty();
    }

    @Override
    public Map<String, Object> run(List<String> arguments) throws IOException, InterruptedException {
        return arguments.getFirst().equals(MPIRUN) ? result(runs.other(directory, arguments)) : runs.run(arguments);
    }

    @Override
    public void close() throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
