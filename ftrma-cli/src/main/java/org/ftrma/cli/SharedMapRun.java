package org.ftrma.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.ftrma.FtrmaException;
import org.ftrma.launch.agent.JobDirectory;

/**
 * The key-value benchmark with a Chronicle Map instead: processes that share one persisted map (the module
 * kvstore-compare has their program, and says how they are talked to). The map's file lies in shared memory where there
 * is room, else in the temporary folder; it is gone when the processes have opened it, and whatever else is left is
 * removed as a job's is, even if this process is killed. One thread.
 */
public final class SharedMapRun implements AutoCloseable {
    private static final String MAIN = "org.ftrma.compare.ChronicleInserts";
    /** Generous: what a map takes for one entry of two numbers. */
    private static final long ENTRY_BYTES = 128;
    /** What Chronicle documents for new versions of Java. */
    private static final List<String> FLAGS = List.of("-XX:+UseSerialGC", "-XX:-UsePerfData",
        "--enable-native-access=ALL-UNNAMED",
        "--sun-misc-unsafe-memory-access=allow", "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
        "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED", "--add-exports=jdk.unsupported/sun.misc=ALL-UNNAMED",
        "--add-exports=jdk.compiler/com.sun.tools.javac.file=ALL-UNNAMED",
        "--add-opens=jdk.compiler/com.sun.tools.javac=ALL-UNNAMED",
        "--add-opens=java.base/java.lang=ALL-UNNAMED", "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
        "--add-opens=java.base/java.io=ALL-UNNAMED", "--add-opens=java.base/java.util=ALL-UNNAMED",
        "-Dchronicle.analytics.disable=true",
        "-Dchronicle.announcer.disable=true");
    /** No line that a process prints. */
    private static final String END = "\n";

    private final JobDirectory directory = new JobDirectory();
    private final List<Process> processes = new ArrayList<>();
    private final List<BlockingQueue<String>> lines = new ArrayList<>();
    private final long deadlineNanos;

    /**
     * What came of it.
     *
     * @param inserts keys that were inserted, by all processes
     * @param seconds from the first insert to the last
     * @param added inserts that found no such key
     * @param found keys that are in the map
     * @param wrong of these, the ones with another value
     * @param size entries of the map
     */
    public record Result(long inserts, double seconds, long added, long found, long wrong, long size) {
        /** Whether each key is there once with its value. */
        public boolean verified() {
            return added == inserts && found == inserts && wrong == 0 && size == inserts;
        }
    }

    private SharedMapRun(long timeoutNanos) {
        deadlineNanos = System.nanoTime() + timeoutNanos;
    }

    /**
     * Runs it.
     *
     * @param ranks processes
     * @param inserts keys of each
     * @param arguments the benchmark's own
     * @param classPath where the program of the processes is
     * @param timeoutNanos the longest time for all of it
     * @throws FtrmaException if a process fails or takes too long, with what it printed
     */
    public static Result run(int ranks, long inserts, List<String> arguments, String classPath, long timeoutNanos) {
        try (SharedMapRun run = new SharedMapRun(timeoutNanos)) {
            return run.all(ranks, inserts, arguments, classPath);
        } catch (IOException e) {
            throw new FtrmaException(FtrmaException.Category.SETUP,
                "the processes of the comparison cannot be started: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FtrmaException(FtrmaException.Category.FATAL, "interrupted", e);
        }
    }

    private Result all(int ranks, long inserts, List<String> arguments, String classPath) throws IOException,
        InterruptedException {
        Path file = place(ENTRY_BYTES * inserts * ranks).resolve("compared-map");
        for (int rank = 0; rank < ranks; rank++) {
            start(rank, ranks, file, arguments, classPath);
        }
        for (int rank = 0; rank < ranks; rank++) {
            answer(rank, "ready", 0);
        }
        Files.deleteIfExists(file);
        tell("go");
        long begin = Long.MAX_VALUE;
        long end = Long.MIN_VALUE;
        long added = 0;
        for (int rank = 0; rank < ranks; rank++) {
            long[] done = answer(rank, "done", 3);
            begin = Math.min(begin, done[0]);
            end = Math.max(end, done[1]);
            added += done[2];
        }
        tell("check");
        long found = 0;
        long wrong = 0;
        long size = 0;
        for (int rank = 0; rank < ranks; rank++) {
            long[] checked = answer(rank, "checked", 3);
            found += checked[0];
            wrong += checked[1];
            size = checked[2];
        }
        return new Result(inserts * ranks, 1e-9 * (end - begin), added, found, wrong, size);
    }

    private Path place(long bytes) throws IOException {
        Path shared = directory.sharedMemory();
        return shared != null && Files.getFileStore(shared).getUsableSpace() > 2 * bytes ? shared : directory.path();
    }

    private Path errors(int rank) {
        return directory.path().resolve("errors-" + rank);
    }

    private void start(int rank, int ranks, Path file, List<String> arguments, String classPath) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(FLAGS);
        command.add("-Djava.io.tmpdir=" + directory.path());
        command.addAll(List.of("-cp", classPath, MAIN, file.toString(), Integer.toString(rank),
            Integer.toString(ranks)));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command).redirectError(errors(rank).toFile()).start();
        processes.add(process);
        BlockingQueue<String> queue = new LinkedBlockingQueue<>();
        lines.add(queue);
        Thread.ofPlatform().daemon().name("compared-" + rank).start(() -> {
            try (BufferedReader reader = new BufferedReader(new InputStreamReader(process.getInputStream(),
                StandardCharsets.UTF_8))) {
                reader.lines().forEach(queue::add);
            } catch (IOException | UncheckedIOException e) {
                // It was killed at the end.
            }
            queue.add(END);
        });
    }

    private void tell(String word) throws IOException {
        for (Process process : processes) {
            OutputStream input = process.getOutputStream();
            input.write((word + "\n").getBytes(StandardCharsets.US_ASCII));
            input.flush();
        }
    }

    /** The numbers after that word; whatever else the process prints is passed over. */
    private long[] answer(int rank, String word, int count) throws InterruptedException {
        while (true) {
            String line = lines.get(rank).poll(Math.max(0, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
            if (line == null || line.equals(END)) {
                throw failed(rank, line == null ? "did not answer \"" + word + "\" in time"
                    : "ended before it answered \"" + word + "\"");
            }
            String[] parts = line.split(" ");
            if (parts[0].equals(word) && parts.length == count + 1) {
                long[] numbers = new long[count];
                for (int i = 0; i < count; i++) {
                    numbers[i] = Long.parseLong(parts[i + 1]);
                }
                return numbers;
            }
        }
    }

    private FtrmaException failed(int rank, String how) {
        String text;
        try {
            text = Files.readString(errors(rank)).strip();
        } catch (IOException e) {
            text = "its messages cannot be read: " + e.getMessage();
        }
        return new FtrmaException(FtrmaException.Category.FATAL,
            "process " + rank + " of the comparison " + how + "; it printed:\n" + text);
    }

    /** Ends the processes, and removes all there is. */
    @Override
    public void close() {
        processes.forEach(Process::destroyForcibly);
        processes.forEach(process -> process.onExit().join());
        directory.close();
    }
}
