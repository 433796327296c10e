package org.ftrma.core.coordinator;

import java.util.Map;

/**
 * Outcome of a job.
 *
 * @param kind what happened
 * @param message one sentence or more; empty on success
 * @param checkpoints committed generations
 * @param rollbacks recoveries in which all ranks went back
 * @param localRecoveries recoveries in which only lost ranks went back
 * @param fallbacks with logging, why all ranks went back and how often: FallbackReason names
 * @param checkpointNanos blocked time of all checkpoints, the longest rank's, summed
 * @param demands demand checkpoints of single ranks
 * @param steps after which the program returned on all ranks; -1: it did not
 * @param reports the program's results by key: String, Long, Double or Boolean
 */
public record JobOutcome(Kind kind, String message, int checkpoints, int rollbacks, int localRecoveries,
    Map<String, Integer> fallbacks, long checkpointNanos, Demands demands, long steps,
    Map<String, Object> reports) {
    /**
     * Demand checkpoints of a job.
     *
     * @param committed how many were committed
     * @param abandoned how many were asked for and given up
     * @param bytes of images, those that had changed and were taken into a parity
     */
    public record Demands(int committed, int abandoned, long bytes) {
        /** None. */
        public static final Demands NONE = new Demands(0, 0, 0);
    }

    /** That of a job of which nothing else is known. */
    public static JobOutcome ended(Kind kind, String why) {
        return new JobOutcome(kind, why, 0, 0, 0, Map.of(), 0, Demands.NONE, -1, Map.of());
    }

    /** The same in other words. */
    public JobOutcome saying(String text) {
        return new JobOutcome(kind, text, checkpoints, rollbacks, localRecoveries, fallbacks, checkpointNanos, demands,
            steps, reports);
    }

    /** The ends a job can come to. */
    public enum Kind {
        /** All ranks finished. */
        SUCCESS(0),
        /** The program threw, or reported verified=false. */
        FAILED(1),
        /** The machine lacks something that the message names. */
        UNFIT(4),
        /** More was lost than can be rebuilt. */
        CATASTROPHIC(3),
        /** Somebody outside wanted it to stop, and its state is on disk. */
        STOPPED(5);

        private final int exitCode;

        Kind(int exitCode) {
            this.exitCode = exitCode;
        }

        /** The launcher's exit code. */
        public int exitCode() {
            return exitCode;
        }
    }
}
