package org.ftrma.checkpoint.coordinator;

import java.util.Map;

/**
 * How a job ended.
 *
 * @param kind what happened
 * @param message one sentence or more; empty on success
 * @param checkpoints committed generations
 * @param rollbacks recoveries in which all ranks went back
 * @param localRecoveries recoveries in which only lost ranks went back
 * @param fallbacks with logging, why all ranks went back and how often: FallbackReason names
 * @param checkpointNanos blocked time of all checkpoints, the longest rank's, summed
 * @param reports the program's results by key: String, Long, Double or Boolean
 */
public record JobOutcome(Kind kind, String message, int checkpoints, int rollbacks, int localRecoveries, Map<String, Integer> fallbacks,
    long checkpointNanos, Map<String, Object> reports) {
    /** The ends a job can come to. */
    public enum Kind {
        /** All ranks finished. */
        SUCCESS(0),
        /** The program threw, or reported verified=false. */
        FAILED(1),
        /** More was lost than can be rebuilt. */
        CATASTROPHIC(3);

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
