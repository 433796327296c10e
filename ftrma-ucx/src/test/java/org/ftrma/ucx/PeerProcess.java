package org.ftrma.ucx;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A JVM that runs {@link PeerMain}; killed at the latest when closed. Its temporary directory must be empty and its
 * shared memory gone after that.
 */
final class PeerProcess implements AutoCloseable {
    private static final long TIMEOUT_SECONDS = 60;

    private final Process process;
    private final PrintStream commands;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private final Path temporary;

    /** Starts a command, whose errors are shown. */
    @FunctionalInterface
    interface Starter {
        Process start(List<String> command) throws IOException;
    }

    PeerProcess(String path, long bytes, Path directory) {
        this(command -> new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start(), directory,
            path, Long.toString(bytes));
    }

    /** @param arguments of {@link PeerMain} */
    PeerProcess(Starter starter, Path directory, String... arguments) {
        try {
            temporary = Files.createTempDirectory(directory, "peer");
            String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
            List<String> command = new ArrayList<>(List.of(java, "--enable-native-access=ALL-UNNAMED",
                "-XX:-UsePerfData", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx64m",
                "-Djava.io.tmpdir=" + temporary, "-cp", System.getProperty("java.class.path"),
                PeerMain.class.getName()));
            command.addAll(List.of(arguments));
            process = starter.start(command);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        commands = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        Thread.ofPlatform().daemon(true).name("answers of " + process.pid()).start(this::readAnswers);
        expect("ready");
    }

    private void readAnswers() {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(process.getInputStream(),
            StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                answers.add(line);
            }
        } catch (IOException e) {
            answers.add("error " + e);
        }
        answers.add("end");
    }

    long pid() {
        return process.pid();
    }

    /** Sends a command and returns what follows "ok". */
    String ask(String command) {
        commands.println(command);
        return answer(command);
    }

    void send(String command) {
        commands.println(command);
    }

    String answer(String command) {
        try {
            String answer = answers.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS);
            if (answer == null || !answer.startsWith("ok ")) {
                throw new AssertionError("peer " + pid() + " to \"" + command + "\": " + answer);
            }
            return answer.substring(3);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted while waiting for the answer to " + command, e);
        }
    }

    void expect(String expected) {
        String answer = answer(expected);
        if (!answer.equals(expected)) {
            throw new AssertionError("expected " + expected + ": " + answer);
        }
    }

    /** The next line, whatever it is. */
    String rawAnswer() throws InterruptedException {
        return answers.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }

    byte[] address() {
        return Base64.getDecoder().decode(ask("address"));
    }

    byte[] key() {
        return Base64.getDecoder().decode(ask("key"));
    }

    void connect(int peer, byte[] address, byte[] key) {
        ask("connect " + peer + " " + Base64.getEncoder().encodeToString(address) + " " + Base64.getEncoder()
            .encodeToString(key));
    }

    /** The address that it has for one peer, which tells all another. */
    byte[] addressFor(int peer, byte[] itsAddress) {
        return Base64.getDecoder().decode(ask("addressFor " + peer + " "
            + Base64.getEncoder().encodeToString(itsAddress)));
    }

    long read(long offset) {
        return Long.parseLong(ask("read " + offset));
    }

    /** Sends a signal and waits for its effect: the process is gone (KILL) or all its threads have stopped (STOP). */
    void signal(String name) {
        try {
            int exit = new ProcessBuilder("kill", "-" + name, Long.toString(pid())).start().waitFor();
            if (exit != 0) {
                throw new AssertionError("kill -" + name + " " + pid() + ": exit " + exit);
            }
            if (name.equals("STOP")) {
                awaitStopped();
            }
            if (name.equals("KILL") && !process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("peer " + pid() + " did not die");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void awaitStopped() throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
        for (boolean stopped = false; !stopped;) {
            stopped = true;
            try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/" + pid() + "/task"))) {
                for (Path thread : threads) {
                    String stat = Files.readString(thread.resolve("stat"));
                    stopped &= stat.charAt(stat.lastIndexOf(')') + 2) == 'T';
                }
            }
            if (System.nanoTime() > deadline) {
                throw new AssertionError("peer " + pid() + " did not stop within " + TIMEOUT_SECONDS + " s");
            }
            Thread.onSpinWait();
        }
    }

    /** Files and shared memory that this process made and that would outlive a kill. */
    List<String> leftovers() {
        List<String> found = new ArrayList<>();
        try (Stream<Path> files = Files.walk(temporary)) {
            files.filter(file -> !file.equals(temporary)).map(Path::toString).forEach(found::add);
            for (String line : Files.readAllLines(Path.of("/proc/sysvipc/shm"))) {
                String[] fields = line.trim().split("\\s+");
                if (!process.isAlive() && fields[4].equals(Long.toString(pid())) && fields[6].equals("0")) {
                    found.add("System V segment " + line);
                }
            }
            Path maps = Path.of("/proc/" + pid() + "/maps");
            if (Files.isReadable(maps)) {
                Files.readAllLines(maps).stream()
                    .filter(line -> line.contains("/dev/shm/") && !line.contains("(deleted)")).forEach(found::add);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("peer " + pid() + " did not die");
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
