package org.ftrma.testkit.programs;

/**
 * One way to synchronize within a random program, on windows of its own. Its windows are allocated by its constructor.
 */
interface RandomPart {
    /** Runs at generation 0, on all ranks. */
    default void initialize() {
    }

    /** The part's accesses in a step. */
    void step(long step);

    /** After the last step: completes what is open. A gsync follows. */
    default void finish() {
    }

    /** After that gsync. */
    default void store(SimProgram.Results results) {
    }
}
