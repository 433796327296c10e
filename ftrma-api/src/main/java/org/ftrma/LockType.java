package org.ftrma;

/** Mode of a lock: exclusive or shared. */
public enum LockType {
    /** Any number of ranks may hold the lock together. */
    SHARED,
    /** One rank alone. */
    EXCLUSIVE
}
