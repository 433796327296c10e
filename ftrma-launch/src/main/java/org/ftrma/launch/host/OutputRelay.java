package org.ftrma.launch.host;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Passes on what processes print, line by line: lines of different processes are never mixed, and one that is longer than {@link
 * #MAX_LINE_BYTES} is broken. One thread per stream.
 */
final class OutputRelay {
    static final int MAX_LINE_BYTES = 64 << 10;
    private static final long STACK_BYTES = 256 << 10;
    private final PrintStream out;
    private final PrintStream err;
    private final List<Thread> threads = new ArrayList<>();

    /** Names the origin of a line; empty for no prefix. */
    @FunctionalInterface
    interface Prefix {
        String of(int process);
    }

    private final Prefix prefix;

    OutputRelay(PrintStream out, PrintStream err, Prefix prefix) {
        this.out = out;
        this.err = err;
        this.prefix = prefix;
    }

    /** Relays a process's output until it ends. One thread at a time. */
    void attach(int number, Process process) {
        start(number, "out", process.getInputStream(), out);
        start(number, "err", process.getErrorStream(), err);
    }

    private void start(int number, String kind, InputStream from, PrintStream to) {
        threads.removeIf(thread -> !thread.isAlive());
        threads.add(Thread.ofPlatform().daemon().stackSize(STACK_BYTES).name("ftrma-" + kind + "-" + number)
            .start(() -> relay(number, from, to)));
    }

    private void relay(int number, InputStream from, PrintStream to) {
        byte[] buffer = new byte[8192];
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        try (from) {
            int count = from.read(buffer);
            while (count >= 0) {
                int begin = 0;
                for (int i = 0; i < count; i++) {
                    if (buffer[i] == '\n' || line.size() + i - begin >= MAX_LINE_BYTES) {
                        line.write(buffer, begin, buffer[i] == '\n' ? i - begin : i + 1 - begin);
                        print(number, line, to);
                        begin = i + 1;
                    }
                }
                line.write(buffer, begin, count - begin);
                count = from.read(buffer);
            }
        } catch (IOException e) {
            err.println("ftrma: the output of process " + number + " broke off: " + e.getMessage());
        }
        if (line.size() > 0) {
            print(number, line, to);
        }
    }

    private void print(int number, ByteArrayOutputStream line, PrintStream to) {
        byte[] head = prefix.of(number).getBytes(StandardCharsets.UTF_8);
        byte[] whole = new byte[head.length + line.size() + 1];
        System.arraycopy(head, 0, whole, 0, head.length);
        System.arraycopy(line.toByteArray(), 0, whole, head.length, line.size());
        whole[whole.length - 1] = '\n';
        line.reset();
        synchronized (to) {
            to.write(whole, 0, whole.length);
            to.flush();
        }
    }

    /** Waits until everything of ended processes is printed, but not for ever: a grandchild may hold a stream open. */
    boolean finish(long timeoutNanos) {
        long end = System.nanoTime() + timeoutNanos;
        try {
            for (Thread thread : threads) {
                long left = Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime()));
                if (!thread.join(java.time.Duration.ofMillis(left))) {
                    return false;
                }
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
