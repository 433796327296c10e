package org.ftrma.launch.hosts;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.ftrma.rank.control.Token;

/**
 * Starts the agents of hosts by ssh, or by what is called like it: a program that gets the name of a host and a command
 * line for a shell there. The job's secret goes to its standard input. Closed, it ends what it has started here; the
 * agents themselves end when their connection does. One thread.
 */
public final class AgentStarter implements AutoCloseable {
    /** Instead of a host's number: the job does not know it yet. */
    static final int NO_NUMBER = -1;
    private static final int END_SECONDS = 5;

    private final List<String> shell;
    private final PrintStream err;
    private final List<Process> started = new ArrayList<>();

    /**
     * Has started nothing yet.
     *
     * @param shell the program and its first arguments, separated by spaces
     * @param err where the output of agents goes that were started here
     */
    public AgentStarter(String shell, PrintStream err) {
        this.shell = List.of(shell.strip().split("\\s+"));
        this.err = err;
    }

    /**
     * The command line of an agent, for a shell.
     *
     * @param ftrma the command on that host
     * @param host its number, or {@link #NO_NUMBER}
     * @param tokenFile a file with the job's secret; -: it comes on standard input
     */
    public static String line(String ftrma, InetSocketAddress launcher, int host, HostSpec spec, AgentLimits limits,
        String tokenFile) {
        StringBuilder line = new StringBuilder(quoted(ftrma)).append(" agent --join ")
            .append(launcher.getAddress().getHostAddress()).append(':').append(launcher.getPort())
            .append(host == NO_NUMBER ? "" : " --host " + host).append(" --name ").append(quoted(spec.name()))
            .append(" --host-timeout ").append(limits.hostTimeoutNanos()).append("ns");
        if (limits.device() != null) {
            line.append(" --device ").append(quoted(limits.device()));
        }
        return line.append(" --token-file ").append(quoted(tokenFile)).toString();
    }

    private static String quoted(String text) {
        return text.matches("[A-Za-z0-9_./:=@%+-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
    }

    /**
     * What all agents of a job are told.
     *
     * @param hostTimeoutNanos so long a host may be silent
     * @param device the network device of its processes; null: that of its connection to the launcher
     */
    public record AgentLimits(long hostTimeoutNanos, String device) {
    }

    /** Starts one; whether it joins is another matter. */
    public void start(HostSpec spec, String line, Token token) throws IOException {
        List<String> command = new ArrayList<>(shell);
        command.add(spec.name());
        command.add(line);
        Process process = new ProcessBuilder(command).start();
        started.add(process);
        relay(spec.name(), process);
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

    /** How the program ended that started the agent of a host, by the order of starts; null: it runs. */
    public Integer status(int number) {
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
