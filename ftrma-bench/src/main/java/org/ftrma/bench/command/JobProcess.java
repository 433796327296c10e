package org.ftrma.bench.command;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs commands of {@code ftrma}, each in a process of its own, with the class path of this one. Any thread. */
public final class JobProcess {
    private JobProcess() {
    }

    /**
     * Runs a command to its end.
     *
     * @param arguments of the command, without {@code --json}
     * @param timeoutSeconds how long it may take
     * @return its JSON result
     * @throws IOException if it fails, does not verify, or tells no result, with what it printed
     */
    public static Map<String, Object> run(List<String> arguments, long timeoutSeconds) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(ProcessHandle.current().info().command().orElse("java"), "-cp",
            System.getProperty("java.class.path"), "--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC", "-XX:-UsePerfData",
            "-XX:TieredStopAtLevel=1", "org.ftrma.launch.Main"));
        command.add(arguments.getFirst());
        command.add(CommandEnd.ASKED); // before what follows "--"
        command.addAll(arguments.subList(1, arguments.size()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        Thread watch = Thread.ofPlatform().daemon().start(() -> endLate(process, timeoutSeconds));
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
        if (status != 0 || result.isEmpty() || Boolean.FALSE.equals(result.get("verified"))) {
            throw new IOException("./ftrma " + String.join(" ", arguments) + " ended with status " + status + ":\n" + String.join("\n", lines));
        }
        return result;
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
