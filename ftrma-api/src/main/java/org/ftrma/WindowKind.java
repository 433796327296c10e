package org.ftrma;

/** Kind of a window: its contents are part of a checkpoint, or not. */
public enum WindowKind {
    /** Contents survive the death of their rank. */
    PROTECTED,
    /** Contents are dead at every step boundary: neither saved nor restored. After a recovery they are undefined. */
    SCRATCH
}
