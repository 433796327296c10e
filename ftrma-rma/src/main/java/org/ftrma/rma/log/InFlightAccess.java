package org.ftrma.rma.log;

import org.ftrma.DataType;

/**
 * Access that a rank had under way at another one when it was lost, and had not logged there: see {@link
 * LogDescriptor#NEEDS_ATOMIC}. Immutable; any thread.
 *
 * @param n the word N
 * @param type of an atomic update; of a lock's word INT64
 * @param offset in the window, of an atomic update
 * @param old value before, of the location or the lock's word
 * @param updated and after
 */
public record InFlightAccess(long n, int window, DataType type, long offset, long old, long updated) {
    /** Whether nobody can tell what it was. */
    public boolean isUnknown() {
        return n == -1;
    }

    /** Whether it is an atomic update; else it changes a shared lock's count. */
    public boolean isUpdate() {
        return (n & LogDescriptor.NEEDS_ATOMIC) != 0;
    }

    /** Whether it was found out before that it had happened. */
    public boolean isKnownToHaveHappened() {
        return (n & LogDescriptor.HAPPENED) != 0;
    }

    @Override
    public String toString() {
        return isUnknown() ? "an access of which nothing is known" : isUpdate()
            ? "an atomic update (" + type + ") of window " + window + " at offset "
            + offset + " from " + old + " to " + updated : "a change of the shared lock of window " + window;
    }
}
