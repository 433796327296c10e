package org.ftrma.launch.hosts;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.ftrma.launch.agent.ClientWatchdog;
import org.ftrma.launch.agent.Watchdog;
import org.ftrma.rank.control.MachineClock;
import org.ftrma.rank.control.Token;

/**
 * The programs that start agents on other hosts: a remote shell or an mpirun for each, or one srun for all of them. The
 * job's secret goes to their standard input. Closed, it ends what it has started here, as a {@link ClientWatchdog} does
 * if this process is killed; the agents themselves end when their connection does. One thread.
 */
public final class AgentStarter implements AutoCloseable {
    private static final long END_NANOS = 5_000_000_000L;
    private static final long LAST_WORDS_NANOS = 1_000_000_000L;

    private final PrintStream err;
    private final MachineClock clock;
    private final List<Process> started = new ArrayList<>();
    private final List<Thread> relays = new ArrayList<>();
    private ClientWatchdog watchdog;

    /**
     * Has started nothing yet.
     *
     * @param err where the output of agents goes that were started here
     */
    public AgentStarter(PrintStream err, MachineClock clock) {
        this.clock = clock;
        this.err = err;
    }

    /**
     * Starts a program that starts agents; whether they join is another matter.
     *
     * @param name before each line of its output
     */
    void start(String name, List<String> command, Token token) throws IOException {
        watchdog = watchdog == null ? new ClientWatchdog() : watchdog;
        // A signal to the launcher's group, such as Ctrl-C, is not for what holds its agents: srun would end them. One
        // session, and only here: a setsid that begins a session already goes on in a child, and ends at once.
        Process process = new ProcessBuilder(Watchdog.apart(command)).start();
        started.add(process);
        watchdog.watch(process);
        relay(name, process);
        try (OutputStream to = process.getOutputStream()) {
            to.write((token.text() + "\n").getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            // It has ended already: what it has printed tells why.
        }
    }

    private void relay(String name, Process process) {
        for (var from : List.of(process.getInputStream(), process.getErrorStream())) {
            relays.add(Thread.ofVirtual().name("ftrma-agent-output").start(() -> {
                try (var reader = new java.io.BufferedReader(new java.io.InputStreamReader(from,
                    StandardCharsets.UTF_8))) {
                    reader.lines().forEach(line -> err.println("[" + name + "] " + line));
                } catch (IOException | java.io.UncheckedIOException e) {
                    err.println("ftrma: the output of the agent of " + name + " broke off: " + e.getMessage());
                }
            }));
        }
    }

    /** How a program ended, by the order of starts; null: it runs, or was not started. */
    Integer status(int number) {
        Process process = number < started.size() ? started.get(number) : null;
        return process == null || process.isAlive() ? null : process.exitValue();
    }

    /** Ends what was started here, after the agents. However many hosts are silent, it takes a few seconds. */
    @Override
    public void close() {
        long deadline = clock.nanoTime() + END_NANOS;
        try {
            for (Process process : started) {
                process.waitFor(Math.max(0, deadline - clock.nanoTime()), TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        started.forEach(Process::destroyForcibly);
        awaitLastWords();
        if (watchdog != null) {
            watchdog.close();
        }
    }

    /** What one has printed tells why it has ended. Somebody that it has left behind may still have its output. */
    private void awaitLastWords() {
        long deadline = clock.nanoTime() + LAST_WORDS_NANOS;
        try {
            for (Thread relay : relays) {
                relay.join(Duration.ofNanos(Math.max(1, deadline - clock.nanoTime())));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
