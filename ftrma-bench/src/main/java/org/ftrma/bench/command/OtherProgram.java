package org.ftrma.bench.command;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.ftrma.options.ShellLine;

/** A program that is none of ours, and is compared with ours. Any thread. */
public final class OtherProgram {
    private OtherProgram() {
    }

    /** Whether there is one of that name among those that commands may name. */
    public static boolean isInstalled(String name) {
        return Stream.of(Objects.requireNonNullElse(System.getenv("PATH"), "").split(File.pathSeparator))
            .anyMatch(folder -> !folder.isEmpty() && Files.isExecutable(Path.of(folder, name)));
    }

    /**
     * Runs one to its end.
     *
     * @param directory in which it runs
     * @param environment what it gets besides that of this process, unless that has it
     * @param timeoutSeconds how long it may take
     * @return the lines that it printed on both streams
     * @throws IOException if it cannot be started, fails or takes longer, with what it printed
     */
    public static List<String> run(List<String> command, Path directory, Map<String, String> environment,
        long timeoutSeconds) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
        environment.forEach(builder.environment()::putIfAbsent);
        Process process = builder.start();
        Thread watch = Thread.ofPlatform().daemon().start(() -> endLate(process, timeoutSeconds));
        try (BufferedReader output = new BufferedReader(new InputStreamReader(process.getInputStream(),
            StandardCharsets.UTF_8))) {
            List<String> lines = output.lines().toList();
            int status = process.waitFor();
            if (status != 0) {
                throw new IOException(ShellLine.of(command) + " ended with status " + status + ":\n"
                    + String.join("\n", lines));
            }
            return lines;
        } finally {
            watch.interrupt();
            process.destroyForcibly();
        }
    }

    private static void endLate(Process process, long timeoutSeconds) {
        try {
            if (!process.waitFor(timeoutSeconds, TimeUnit.SECONDS)) {
                process.destroy();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // it has ended in time
        }
    }
}
