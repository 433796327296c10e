package org.ftrma.launch.hosts;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.ftrma.rank.control.Token;

/**
 * The programs that start agents on other hosts: a remote shell or an mpirun for each, or one srun for all of them. The
 * job's secret goes to their standard input. Closed, it ends what it has started here; the agents themselves end when
 * their connection does. One thread.
 */
public final class AgentStarter implements AutoCloseable {
    private static final int END_SECONDS = 5;

    private final PrintStream err;
    private final List<Process> started = new ArrayList<>();

    /**
     * Has started nothing yet.
     *
     * @param err where the output of agents goes that were started here
     */
    public AgentStarter(PrintStream err) {
        this.err = err;
    }

    /**
     * Starts a program that starts agents; whether they join is another matter.
     *
     * @param name before each line of its output
     */
    void start(String name, List<String> command, Token token) throws IOException {
        Process process = new ProcessBuilder(command).start();
        started.add(process);
        relay(name, process);
        try (OutputStream to = process.getOutputStream()) {
            to.write((token.text() + "\n").getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            // It has ended already: what it has printed tells why.
        }
    }

    private void relay(String name, Process process) {
        for (var from : List.of(process.getInputStream(), process.getErrorStream())) {
            Thread.ofVirtual().name("ftrma-agent-output").start(() -> {
                try (var reader = new java.io.BufferedReader(new java.io.InputStreamReader(from,
                    StandardCharsets.UTF_8))) {
                    reader.lines().forEach(line -> err.println("[" + name + "] " + line));
                } catch (IOException | java.io.UncheckedIOException e) {
                    err.println("ftrma: the output of the agent of " + name + " broke off: " + e.getMessage());
                }
            });
        }
    }

    /** How a program ended, by the order of starts; null: it runs, or was not started. */
    Integer status(int number) {
        Process process = number < started.size() ? started.get(number) : null;
        return process == null || process.isAlive() ? null : process.exitValue();
    }

    /** Ends what was started here, after the agents. */
    @Override
    public void close() {
        for (Process process : started) {
            try {
                if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                }
            } catch (InterruptedException e) {
                process.destroyForcibly();
                Thread.currentThread().interrupt();
            }
        }
    }
}
