package org.ftrma.testkit.programs;

/** One way to talk within a random message program. All requests that it begins are complete when it returns. */
interface MessagePart {
    /** Runs in the initialization, on all ranks. */
    default void initialize() {
    }

    /** The part's messages in a step. */
    void step(long step);
}
