package org.ftrma.testkit;

import java.util.List;
import java.util.Locale;

/**
 * What an enumeration of crashes found.
 *
 * @param what what was enumerated
 * @param runs simulated runs
 * @param deaths runs in which every crash asked for took place
 * @param gaveUp runs that ended with a catastrophic failure, rightly
 * @param rollbacks recoveries of all runs in which all ranks went back
 * @param replays recoveries of all runs in which only the lost rank went back
 * @param steps scheduler steps of all runs
 * @param nanos real time
 * @param failures what went wrong, the first few
 * @param failed how many runs went wrong
 */
public record SimReport(String what, long runs, long deaths, long gaveUp, long rollbacks, long replays, long steps,
    long nanos,
    List<Failure> failures, long failed) {
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

    /** Whether all runs ended as they should. */
    public boolean clean() {
        return failed == 0;
    }

    /** One line. */
    public String summary() {
        return String.format(Locale.ROOT,
            "%s: %d runs, %d with all crashes, %d rightly catastrophic, %d rollbacks, %d replays, %d steps, %.1f s, "
            + "%d failed", what,
            runs, deaths, gaveUp, rollbacks, replays, steps, nanos / 1e9, failed);
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
