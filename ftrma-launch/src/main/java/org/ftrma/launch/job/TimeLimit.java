package org.ftrma.launch.job;

import org.ftrma.core.coordinator.Coordinator;
import org.ftrma.options.Units;

/** The longest time that a job may take. The job's thread only. */
final class TimeLimit {
    private final long nanos;
    private final ProcessWatch watch;
    private final Coordinator coordinator;
    private long begunNanos;

    /**
     * That of one job.
     *
     * @param nanos 0: there is none
     */
    TimeLimit(long nanos, ProcessWatch watch, Coordinator coordinator) {
        this.nanos = nanos;
        this.watch = watch;
        this.coordinator = coordinator;
    }

    /** The job begins; by the clock of {@link #isOver}. */
    void begin(long nowNanos) {
        begunNanos = nowNanos;
    }

    /** Whether the job has taken longer. */
    boolean isOver(long nowNanos) {
        return nanos > 0 && nowNanos - begunNanos > nanos;
    }

    /** That it has, for people. */
    String text() {
        return text("");
    }

    /** The same, and what it was at; null as long as that is being asked. */
    String textWithPlaces(long nowNanos) {
        String missing = watch.isComplete() ? coordinator.whatRanksDo(nowNanos) : watch.whoIsMissing();
        return missing == null ? null : text(missing);
    }

    private String text(String missing) {
        return "the job took longer than --timeout=" + Units.time(nanos) + (missing.isEmpty() ? "" : ": " + missing);
    }
}
