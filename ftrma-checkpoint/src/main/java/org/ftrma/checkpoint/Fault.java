package org.ftrma.checkpoint;

/** Protocol bugs that the simulator's own tests inject, to show that it finds them. Never set outside of tests. */
public enum Fault {
    /** A rank goes on after its own copy without waiting for the others'. */
    SKIP_SECOND_BARRIER,
    /** The coordinator commits a generation before its parity is complete. */
    COMMIT_EARLY,
    /** A rank arrives at the cut without having flushed. */
    FORGET_FLUSH
}
