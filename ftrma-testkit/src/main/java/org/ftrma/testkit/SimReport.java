package org.ftrma.testkit;

import java.util.List;
import java.util.Locale;

/**
 * Findings of an enumeration of crashes.
 *
 * @param what what was enumerated
 * @param counts of all runs
 * @param nanos real time
 * @param failures what went wrong, the first few
 * @param failed how many runs went wrong
 */
public record SimReport(String what, Counts counts, long nanos, List<Failure> failures, long failed) {
    /**
     * What happened how often.
     *
     * @param runs simulated runs
     * @param deaths runs in which every crash asked for took place
     * @param gaveUp runs that ended with a catastrophic failure, rightly
     * @param rollbacks recoveries of all runs in which all ranks went back
     * @param replays recoveries of all runs in which only the lost rank went back
     * @param steps scheduler steps of all runs
     */
    public record Counts(long runs, long deaths, long gaveUp, long rollbacks, long replays, long steps) {
    }

    /**
     * A run that went wrong.
     *
     * @param reason in what way
     * @param command replays it
     * @param story its course
     */
    public record Failure(String reason, String command, String story) {
        @Override
        public String toString() {
            return reason + "\nreplay: " + command + "\n" + story;
        }
    }

    /** Simulated runs. */
    public long runs() {
        return counts.runs;
    }

    /** Runs in which every crash asked for took place. */
    public long deaths() {
        return counts.deaths;
    }

    /** Runs that ended with a catastrophic failure, rightly. */
    public long gaveUp() {
        return counts.gaveUp;
    }

    /** Recoveries of all runs in which all ranks went back. */
    public long rollbacks() {
        return counts.rollbacks;
    }

    /** Recoveries of all runs in which only the lost rank went back. */
    public long replays() {
        return counts.replays;
    }

    /** Scheduler steps of all runs. */
    public long steps() {
        return counts.steps;
    }

    /** Whether all runs ended as they should. */
    public boolean clean() {
        return failed == 0;
    }

    /** One line. */
    public String summary() {
        return String.format(Locale.ROOT,
            "%s: %d runs, %d with all crashes, %d rightly catastrophic, %d rollbacks, %d replays, %d steps, %.1f s, "
            + "%d failed", what, runs(), deaths(), gaveUp(), rollbacks(), replays(), steps(), nanos / 1e9, failed);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(summary());
        for (Failure failure : failures) {
            text.append("\n\n").append(failure);
        }
        return text.toString();
    }
}
