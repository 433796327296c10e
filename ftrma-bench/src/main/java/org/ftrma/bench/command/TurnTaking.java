package org.ftrma.bench.command;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Two jobs of the same kind, of which one runs at a time: they take turns of a second or so, so that a machine that
 * becomes slower and faster all the time is the same for both. Each comes to its first step alone; then the processes
 * of one are stopped (SIGSTOP) while the other runs, and so on until one has ended. Not thread-safe.
 */
public final class TurnTaking implements AutoCloseable {
    private static final String FIRST_STEP = " begins step ";

    /**
     * A time in which a job stood still.
     *
     * @param from by {@link System#nanoTime}, which on Linux is the same clock for all processes
     * @param to the same
     */
    public record Pause(long from, long to) {
    }

    /**
     * What a job told, and when it stood still.
     *
     * @param json the result of the command, whose times contain the pauses
     * @param pauses in their order
     */
    public record Outcome(Map<String, Object> json, List<Pause> pauses) {
        /** How long it stood still before a moment of {@link System#nanoTime}, in seconds. */
        public double pausedSecondsUntil(long nanos) {
            return 1e-9 * pauses.stream().mapToLong(pause -> Math.max(0, Math.min(nanos, pause.to) - pause.from)).sum();
        }
    }

    /** A job, and when it stood still. */
    private static final class Party {
        private final JobProcess job;
        private final List<Pause> pauses = new ArrayList<>();
        private List<Long> members = List.of();
        private long stoppedAt;

        private Party(JobProcess job) {
            this.job = job;
        }

        private boolean isStopped() {
            return !members.isEmpty();
        }
    }

    /** Sends signals: a process for each would take milliseconds. */
    private final Process shell = new ProcessBuilder("/bin/sh").redirectErrorStream(true).start();
    private final Writer orders = shell.outputWriter();
    private final BufferedReader answers = shell.inputReader();
    private final long turnNanos;

    private TurnTaking(long turnNanos) throws IOException {
        this.turnNanos = turnNanos;
    }

    /**
     * Runs two jobs to their ends.
     *
     * @param first arguments of the command that begins, without {@code --json}; both must tell when they begin a step
     *     ({@code --verbose}), and have a heartbeat timeout that is longer than a turn
     * @param second the other one's
     * @param turnNanos how long a turn is
     * @param timeoutSeconds how long each may take, with what it stands still
     * @return what they told, in this order
     * @throws IOException if one fails; the other one is asked to end then
     */
    public static List<Outcome> run(List<String> first, List<String> second, long turnNanos, long timeoutSeconds)
        throws IOException, InterruptedException {
        try (TurnTaking turns = new TurnTaking(turnNanos); JobProcess one = JobProcess.start(first, timeoutSeconds)) {
            Party running = new Party(one);
            turns.awaitFirstStep(running);
            turns.stop(running);
            try (JobProcess other = JobProcess.start(second, timeoutSeconds)) {
                Party waiting = new Party(other);
                try {
                    turns.awaitFirstStep(waiting);
                    turns.untilOneEnds(waiting, running);
                } finally {
                    turns.resume(running);
                    turns.resume(waiting);
                }
                return List.of(new Outcome(one.result(), running.pauses), new Outcome(other.result(), waiting.pauses));
            } finally {
                turns.resume(running);
            }
        }
    }

    private void awaitFirstStep(Party party) throws IOException, InterruptedException {
        if (!party.job.awaitLine(FIRST_STEP)) {
            party.job.result(); // which says why
            throw new IOException("a job ended without a word on its first step");
        }
    }

    private void untilOneEnds(Party begins, Party other) throws IOException, InterruptedException {
        Party now = begins;
        Party next = other;
        while (!now.job.awaitEnd(turnNanos)) {
            stop(now);
            resume(next);
            Party before = now;
            now = next;
            next = before;
        }
    }

    private void stop(Party party) throws IOException {
        party.members = party.job.members();
        order("kill -STOP " + numbers(party.members));
        party.stoppedAt = System.nanoTime();
    }

    private void resume(Party party) throws IOException {
        if (party.isStopped()) {
            order("kill -CONT " + numbers(party.members));
            party.pauses.add(new Pause(party.stoppedAt, System.nanoTime()));
            party.members = List.of();
        }
    }

    private static String numbers(List<Long> members) {
        return members.stream().map(String::valueOf).collect(Collectors.joining(" "));
    }

    /** Those who have ended meanwhile are no failure. */
    private void order(String kill) throws IOException {
        orders.write(kill + " 2>/dev/null; echo done\n");
        orders.flush();
        if (!"done".equals(answers.readLine())) {
            throw new IOException("the shell that stops and continues jobs has ended: " + kill);
        }
    }

    @Override
    public void close() {
        shell.destroy();
    }
}
