package org.ftrma.testkit.hosts;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A virtual machine on a host, which runs {@link EchoPeer}. */
final class HostPeer {
    private static final long ANSWER_SECONDS = 60;

    private final int host;
    private final Process process;
    private final PrintStream commands;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

    HostPeer(NamespacedHosts hosts, int host) {
        this.host = host;
        process = hosts.run(host, command(EchoPeer.class.getName()));
        commands = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        Thread.ofPlatform().daemon(true).start(this::readAnswers);
    }

    /** What starts a virtual machine with a class of these tests. */
    static List<String> command(String mainClass) {
        return List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData", "-Xmx64m", "-cp", System.getProperty("java.class.path"),
            mainClass);
    }

    private void readAnswers() {
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                answers.add(line);
            }
        } catch (IOException e) {
            answers.add("error " + e);
        }
        answers.add("end");
    }

    Process process() {
        return process;
    }

    /** Once, first. */
    HostPeer ready() {
        String answer = answer("to begin");
        if (!answer.equals("ready")) {
            throw new AssertionError("host " + host + ": " + answer);
        }
        return this;
    }

    String ask(String command) {
        send(command);
        return answer(command);
    }

    void send(String command) {
        commands.println(command);
    }

    String answer(String command) {
        try {
            String answer = answers.poll(ANSWER_SECONDS, TimeUnit.SECONDS);
            if (answer == null) {
                throw new AssertionError("host " + host + " did not answer " + command);
            }
            return answer;
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted while host " + host + " was asked " + command, e);
        }
    }
}
