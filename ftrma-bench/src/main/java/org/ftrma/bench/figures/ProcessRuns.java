package org.ftrma.bench.figures;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs each command in a process of its own, with the class path of this one. */
final class ProcessRuns implements JobRuns {
    private final long timeoutSeconds;

    ProcessRuns(long timeoutSeconds) {
        this.timeoutSeconds = timeoutSeconds;
    }

    @Override
    public Map<String, Object> run(List<String> arguments) throws IOException, InterruptedException {
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
