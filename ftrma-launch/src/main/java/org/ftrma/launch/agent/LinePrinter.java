package org.ftrma.launch.agent;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Prints what processes print, each line as a whole, with the name of its origin before it; and messages of hosts. Any
 * thread.
 */
public final class LinePrinter implements HostAgent.Output {
    private final PrintStream out;
    private final PrintStream err;
    private final Prefix prefix;

    /** Names the origin of a line; empty for no prefix. Any thread. */
    @FunctionalInterface
    public interface Prefix {
        /** That of a process. */
        String of(int process);
    }

    /** Prints to these two streams. */
    public LinePrinter(PrintStream out, PrintStream err, Prefix prefix) {
        this.out = out;
        this.err = err;
        this.prefix = prefix;
    }

    @Override
    public void line(int process, boolean isError, byte[] line) {
        byte[] head = prefix.of(process).getBytes(StandardCharsets.UTF_8);
        byte[] whole = new byte[head.length + line.length + 1];
        System.arraycopy(head, 0, whole, 0, head.length);
        System.arraycopy(line, 0, whole, head.length, line.length);
        whole[whole.length - 1] = '\n';
        PrintStream to = isError ? err : out;
        synchronized (to) {
            to.write(whole, 0, whole.length);
            to.flush();
        }
    }

    @Override
    public void broken(int process, String why) {
        note("the output of process " + process + " broke off: " + why);
    }

    /** As a message of ftrma, which goes where those go. */
    @Override
    public void note(String text) {
        err.println("ftrma: " + text);
    }
}
