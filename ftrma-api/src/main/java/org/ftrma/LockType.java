package org.ftrma;

/** How a lock is held. */
public enum LockType {
    /** Any number of ranks may hold the lock together. */
    SHARED,
    /** One rank alone. */
    EXCLUSIVE
}
