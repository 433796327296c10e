package org.ftrma.launch.web;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.ftrma.launch.hosts.OperatorSocket;

/** Requests for checkpoints by the page: one at a time, which all who ask meanwhile wait for. Any thread. */
final class CheckpointRequests {
    private static final Told PENDING = new Told("pending", "a checkpoint is asked for; it is taken at the next "
        + "boundary of a step that no rank has passed");

    private final Checkpoints job;
    private CompletableFuture<Told> asked;
    private volatile Told last = new Told("none", "");

    /** A job that can be asked for a checkpoint. Any thread. */
    @FunctionalInterface
    interface Checkpoints {
        /** Asks, and returns when the checkpoint is committed, or will not be. */
        OperatorSocket.Answer ask() throws IOException;
    }

    /**
     * The outcome of a request.
     *
     * @param state none, pending, done or refused
     * @param text for people
     */
    record Told(String state, String text) {
    }

    CheckpointRequests(Checkpoints job) {
        this.job = job;
    }

    /** Asks a launcher on this machine, as {@code ftrma checkpoint} does. */
    static OperatorSocket.Answer askLauncher(long pid) throws IOException {
        List<OperatorSocket.Door> doors = OperatorSocket.Door.all().stream().filter(door -> door.launcher() == pid)
            .toList();
        if (doors.size() != 1) {
            return new OperatorSocket.Answer(false, doors.isEmpty() ? "the job has no place to be asked at (yet)"
                : doors.size() + " jobs run in the launcher's process, and it cannot be told which one is to take it");
        }
        return doors.getFirst().checkpoint(note -> { });
    }

    /** Asks, and waits for the answer for so long. */
    Told ask(long nanos) {
        return request().copy().completeOnTimeout(PENDING, nanos, TimeUnit.NANOSECONDS).join();
    }

    private synchronized CompletableFuture<Told> request() {
        if (asked == null || asked.isDone()) {
            CompletableFuture<Told> one = new CompletableFuture<>();
            asked = one;
            last = PENDING;
            Thread.ofVirtual().name("ftrma-web-checkpoint").start(() -> one.complete(answer()));
        }
        return asked;
    }

    private Told answer() {
        try {
            OperatorSocket.Answer answer = job.ask();
            last = new Told(answer.isDone() ? "done" : "refused", answer.text());
        } catch (IOException | RuntimeException e) {
            last = new Told("refused", "the job does not answer: " + e.getMessage());
        }
        return last;
    }

    /** The outcome of the last one. */
    Told last() {
        return last;
    }
}
