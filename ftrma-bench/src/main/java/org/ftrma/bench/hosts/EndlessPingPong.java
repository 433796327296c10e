package org.ftrma.bench.hosts;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A client of ucx_perftest whose ping-pong does not end by itself. About once in a second it tells how many there were
 * since it told the last time, and their mean. Of two that run at the same time only what lies between two moments
 * counts, at which both run. One thread, beside the one that listens.
 */
final class EndlessPingPong implements AutoCloseable {
    private static final String TOLD = "[thread 0]";
    /** Of the words of a line: so many since it began. */
    private static final int COUNT = 2;
    /** Microseconds in one direction, the mean since the line before. */
    private static final int AVERAGE = 4;
    private static final double NANOS_THERE_AND_BACK = 2000;
    private static final int LEAST_LINES = 2;
    private static final long DEADLINE_SECONDS = 40;

    /**
     * A line.
     *
     * @param count of ping-pongs since the line before
     * @param mean nanoseconds of one, there and back
     */
    private record Told(long atNanos, long count, double mean) {
    }

    private final Process process;
    private final List<Told> lines = new ArrayList<>();
    private long count;
    private boolean isOver;

    EndlessPingPong(ProcessBuilder builder) throws IOException {
        process = builder.start();
        Thread.ofPlatform().daemon(true).name("ftrma-perftest-output").start(this::listen);
    }

    private void listen() {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(process.getInputStream(),
            StandardCharsets.UTF_8))) {
            reader.lines().filter(line -> line.startsWith(TOLD)).forEach(this::hear);
        } catch (IOException | UncheckedIOException e) {
            hearEnd(); // it was closed while it told something
        }
        hearEnd();
    }

    private synchronized void hear(String line) {
        String[] words = line.trim().split("\\s+");
        long before = count;
        count = Long.parseLong(words[COUNT]);
        lines.add(new Told(System.nanoTime(), count - before, NANOS_THERE_AND_BACK * Double.parseDouble(
            words[AVERAGE])));
        notifyAll();
    }

    private synchronized void hearEnd() {
        isOver = true;
        notifyAll();
    }

    /** Waits for its first line, which tells of its warm-up too; false: it has ended without. */
    synchronized boolean awaitBegin() throws IOException {
        awaitLines(1);
        return !lines.isEmpty();
    }

    /** The mean of what it does from now on, for so long at least: nanoseconds of one ping-pong, there and back. */
    synchronized double meanOf(long nanos) throws IOException {
        long begun = System.nanoTime();
        int first = lines.size(); // the line that comes next tells of what was before, too
        do {
            awaitLines(Math.max(lines.size() + 1, first + LEAST_LINES));
            if (isOver) {
                throw new IOException("ucx_perftest has ended while it was measured");
            }
        } while (lines.getLast().atNanos - begun < nanos);
        List<Told> counted = lines.subList(first + 1, lines.size());
        double sum = counted.stream().mapToDouble(told -> told.count * told.mean).sum();
        return sum / counted.stream().mapToLong(Told::count).sum();
    }

    private void awaitLines(int wanted) throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
        try {
            while (lines.size() < wanted && !isOver) {
                long left = end - System.nanoTime();
                if (left <= 0) {
                    throw new IOException("ucx_perftest has told " + lines.size() + " lines of " + wanted + " within "
                        + DEADLINE_SECONDS + " s");
                }
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while ucx_perftest was listened to", e);
        }
    }

    @Override
    public void close() {
        process.destroy(); // which timeout passes on
    }
}
