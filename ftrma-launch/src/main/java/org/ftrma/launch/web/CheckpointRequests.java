package org.ftrma.launch.web;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Checkpoints that are asked for by the page: one at a time, so that who asks again while one is on its way waits for
 * the same. Any thread.
 */
final class CheckpointRequests {
    private static final Told PENDING = new Told("pending", "a checkpoint is asked for; it is taken at the next "
        + "boundary of a step that no rank has passed");

    private final JobPage.Checkpoints job;
    private CompletableFuture<Told> asked;
    private volatile Told last = new Told("none", "");

    /**
     * What became of a request.
     *
     * @param state none, pending, done or refused
     * @param text for people
     */
    record Told(String state, String text) {
    }

    CheckpointRequests(JobPage.Checkpoints job) {
        this.job = job;
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
        Told told;
        try {
            JobPage.Answer answer = job.ask();
            told = new Told(answer.isDone() ? "done" : "refused", answer.text());
        } catch (IOException | RuntimeException e) {
            told = new Told("refused", "the job does not answer: " + e.getMessage());
        }
        last = told;
        return told;
    }

    /** What became of the last one. */
    Told last() {
        return last;
    }
}
