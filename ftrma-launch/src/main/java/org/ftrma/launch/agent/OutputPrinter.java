package org.ftrma.launch.agent;

import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.LongConsumer;

/**
 * Prints what processes of another host have printed, on a thread of its own: a terminal that is stopped holds up the
 * programs, and nobody else. Pieces of a line are put together; a line that is longer than any that this host's own
 * processes may print ends the output of its process. Any thread may add; the output hears from the own thread.
 */
final class OutputPrinter {
    private final HostAgent.Output output;
    private final LongConsumer printed;
    private final LinkedBlockingQueue<Runnable> queue = new LinkedBlockingQueue<>();
    private final Map<Long, ByteArrayOutputStream> begun = new HashMap<>();
    private final Thread thread;
    private volatile boolean isClosed;

    /**
     * Begins to wait for output.
     *
     * @param host whose processes these are
     * @param printed hears how many bytes were printed, on the own thread
     */
    OutputPrinter(String host, HostAgent.Output output, LongConsumer printed) {
        this.output = output;
        this.printed = printed;
        this.thread = Thread.ofPlatform().daemon().name("ftrma-output-" + host).start(this::print);
    }

    void add(AgentMessage.Line piece) {
        queue.add(() -> append(piece));
    }

    void broken(int process, String why) {
        queue.add(() -> output.broken(process, why));
    }

    private void print() {
        try {
            while (!isClosed || !queue.isEmpty()) {
                queue.take().run();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void append(AgentMessage.Line piece) {
        long stream = (long) piece.process() << 1 | (piece.isError() ? 1 : 0);
        ByteArrayOutputStream line = begun.computeIfAbsent(stream, key -> new ByteArrayOutputStream());
        boolean isTooLong = line.size() + piece.piece().length > OutputRelay.MAX_LINE_BYTES;
        if (!isTooLong) {
            line.writeBytes(piece.piece());
        }
        if (piece.ends() || isTooLong) {
            output.line(piece.process(), piece.isError(), line.toByteArray());
            begun.remove(stream);
        }
        printed.accept(Math.max(1, piece.piece().length));
    }

    /** Waits until all that was added is printed, but no longer than this. */
    boolean finish(long timeoutNanos) {
        close();
        try {
            return thread.join(Duration.ofNanos(Math.max(1, timeoutNanos)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** What was added is printed yet; nothing more comes. */
    void close() {
        isClosed = true;
        queue.add(() -> { });
    }
}
