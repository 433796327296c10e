package org.ftrma.rank.control;

/** Checks of a running program, in place of protecting it. Any thread. */
public enum RankCheck {
    /** Nothing. */
    NONE,
    /** State that would not survive: every step runs twice from the same state. */
    RESTART,
    /** Conflicting accesses that nothing orders. */
    RACES
}
