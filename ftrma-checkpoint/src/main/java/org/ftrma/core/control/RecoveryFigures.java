package org.ftrma.core.control;

/**
 * Figures that a recovered rank reports of its recovery: the places in {@link ControlMessage.WentLive#figures()}. Times
 * in nanoseconds.
 */
public enum RecoveryFigures {
    /** Steps that were executed again, the one under way included. */
    STEPS_REPEATED,
    /** Records of others' puts that were applied. */
    PUTS_APPLIED,
    /** Results (of gets, atomics, collectives, ...) that came out of logs. */
    RESULTS_REPLAYED,
    /** Own puts that had taken effect already and were not sent again. */
    PUTS_SUPPRESSED,
    /** From the assignment to the view joined: connections and memory. */
    JOIN_NANOS,
    /**
     * The image rebuilt from the group and restored, and the survivors' word that they leave the lost rank alone, if
     * that comes later.
     */
    REBUILD_NANOS,
    /** Reaching the survivors' memory, and reading where their logs end. */
    AGREE_NANOS,
    /** Execution with replay. */
    REPLAY_NANOS
}
