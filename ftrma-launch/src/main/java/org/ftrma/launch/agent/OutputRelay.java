package org.ftrma.launch.agent;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.ftrma.rank.control.MachineClock;

/**
 * Passes on what processes print, line by line: lines of different processes are never mixed, and one that is longer
 * than {@link #MAX_LINE_BYTES} is broken. What a JVM tells of its own crash is left out, since it is told in one line
 * with its report. One thread per stream.
 */
final class OutputRelay {
    static final int MAX_LINE_BYTES = 16 << 20;
    /** A longer buffer is not kept for the next line. */
    private static final int KEPT_BYTES = 64 << 10;
    /** No line that is looked for is longer. */
    private static final int MOST_HEAD_BYTES = 100;
    private static final long STACK_BYTES = 256 << 10;
    private final HostAgent.Output output;
    private final MachineClock clock;
    private final List<Thread> threads = new ArrayList<>();

    OutputRelay(HostAgent.Output output, MachineClock clock) {
        this.clock = clock;
        this.output = output;
    }

    /** Relays a process's output until it ends. One thread at a time. */
    void attach(int number, Process process) {
        start(number, false, process.getInputStream());
        start(number, true, process.getErrorStream());
    }

    private void start(int number, boolean isError, InputStream from) {
        threads.removeIf(thread -> !thread.isAlive());
        threads.add(Thread.ofPlatform().daemon().stackSize(STACK_BYTES).name((isError ? "ftrma-err-" : "ftrma-out-")
            + number).start(() -> relay(number, isError, from)));
    }

    private void relay(int number, boolean isError, InputStream from) {
        byte[] buffer = new byte[8192];
        Lines lines = new Lines(number, isError);
        try (from) {
            int count = from.read(buffer);
            while (count >= 0) {
                lines.add(buffer, count);
                count = from.read(buffer);
            }
        } catch (IOException e) {
            output.broken(number, e.getMessage());
        }
        lines.end();
    }

    /** What one stream has brought since its last whole line. */
    private final class Lines {
        private final int number;
        private final boolean isError;
        private ByteArrayOutputStream line = new ByteArrayOutputStream();
        /** A line of its own that may be the first of what a JVM tells of its crash. */
        private boolean isMarked;
        private boolean crashed;

        Lines(int number, boolean isError) {
            this.number = number;
            this.isError = isError;
        }

        void add(byte[] buffer, int count) {
            int begin = 0;
            for (int i = 0; i < count; i++) {
                boolean isEnd = buffer[i] == '\n';
                if (isEnd || line.size() + i - begin >= MAX_LINE_BYTES) {
                    line.write(buffer, begin, isEnd ? i - begin : i + 1 - begin);
                    pass();
                    begin = i + 1;
                }
            }
            line.write(buffer, begin, count - begin);
        }

        void end() {
            if (line.size() > 0) {
                pass();
            }
            if (isMarked) {
                print(CrashReport.MARK.getBytes(StandardCharsets.UTF_8));
            }
        }

        private void pass() {
            byte[] bytes = line.toByteArray();
            line = bytes.length > KEPT_BYTES ? new ByteArrayOutputStream() : line;
            line.reset();
            boolean isMark = bytes.length > 0 && bytes[0] == '#';
            if (crashed && (isMark || bytes.length <= MOST_HEAD_BYTES
                && CrashReport.isMore(new String(bytes, StandardCharsets.UTF_8)))) {
                return;
            }
            if (isMarked) {
                isMarked = false;
                crashed = isMark && bytes.length <= MOST_HEAD_BYTES
                    && CrashReport.isHead(new String(bytes, StandardCharsets.UTF_8));
                if (crashed) {
                    return;
                }
                print(CrashReport.MARK.getBytes(StandardCharsets.UTF_8));
            }
            if (isMark && bytes.length == 1) {
                isMarked = true;
            } else {
                print(bytes);
            }
        }

        private void print(byte[] bytes) {
            output.line(number, isError, bytes);
        }
    }

    /** Waits until everything of ended processes is printed, but not for ever: a grandchild may hold a stream open. */
    boolean finish(long timeoutNanos) {
        long end = clock.nanoTime() + timeoutNanos;
        try {
            for (Thread thread : threads) {
                long left = Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - clock.nanoTime()));
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
