package org.ftrma.rank.control;

/** What is looked for while a program runs, in place of protecting it. Any thread. */
public enum RankCheck {
    /** Nothing. */
    NONE,
    /** State that would not survive: every step runs twice from the same state. */
    RESTART,
    /** Conflicting accesses that nothing orders. */
    RACES
}
