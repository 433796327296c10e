package org.ftrma.bench.figures;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

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
                    Path directory = Files.createTempDirectory(memory ? MEMORY : Files.createDirectories(onDisk), "ftrma-bench-");
                    made.add(directory);
                    arguments.set(i, directory.toString());
                }
            }
            return runProcess(arguments);
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

    private Map<String, Object> runProcess(List<String> arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(ProcessHandle.current().info().command().orElse("java"), "-cp",
            System.getProperty("java.class.path"), "--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC", "-XX:-UsePerfData",
            "-XX:TieredStopAtLevel=1", "org.ftrma.launch.Main"));
        command.addAll(arguments);
        command.add("--json");
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        Thread watch = Thread.ofPlatform().daemon().start(() -> endLate(process));
        List<String> lines = new ArrayList<>();
        int status;
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            reader.lines().forEach(lines::add);
            status = process.waitFor();
        } finally {
            watch.interrupt();
            process.destroy();
        }
        String last = lines.stream().filter(line -> line.startsWith("{")).reduce("", (before, line) -> line);
        Map<String, Object> result = last.isEmpty() ? Map.of() : JSON.std.mapFrom(last);
        if (status != 0 || Boolean.FALSE.equals(result.get("verified"))) {
            throw new IOException("./ftrma " + String.join(" ", arguments) + " ended with status " + status + ":\n" + String.join("\n", lines));
        }
        return result;
    }

    private void endLate(Process process) {
        try {
            if (!process.waitFor(timeoutSeconds, TimeUnit.SECONDS)) {
                process.destroy();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // it has ended in time
        }
    }
}
