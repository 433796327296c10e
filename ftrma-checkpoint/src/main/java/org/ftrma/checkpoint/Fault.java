package org.ftrma.checkpoint;

/** Protocol bugs that the simulator's own tests inject, to show that it finds them. Never set outside of tests. */
public enum Fault {
    /** A rank goes on after its own copy without waiting for the others'. */
    SKIP_SECOND_BARRIER,
    /** The coordinator commits a generation before its parity is complete. */
    COMMIT_EARLY,
    /** A rank arrives at the cut without having flushed. */
    FORGET_FLUSH,
    /** The counter of epochs stands still. */
    EPOCH_NOT_COUNTED,
    /** Now and then a put is not logged. */
    RECORD_DROPPED,
    /** A replay does all that others did at the first synchronization, whatever their GNC. */
    GNC_IGNORED,
    /** N is not set before atomic accesses. */
    N_NEVER_SET,
    /** A replay sends puts again that had taken effect. */
    REPLAY_TWICE,
    /** Logs are trimmed to a moment after the image. */
    TRIM_TOO_LATE
}
