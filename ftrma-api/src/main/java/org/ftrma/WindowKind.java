package org.ftrma;

/** Whether a window's contents are part of a checkpoint. */
public enum WindowKind {
    /** Contents survive the death of their rank. */
    PROTECTED,
    /** Contents are dead at every step boundary: neither saved nor restored. After a recovery they are undefined. */
    SCRATCH
}
