package org.ftrma;

/**
 * A wait reached its deadline. The message names what was waited for. The rank is as it was before the call, unless the
 * message says that it cannot go on: a lock was not taken, and accesses under way stay so. Of a collective, all later
 * ones are refused.
 */
public final class DeadlineException extends FtrmaException {
    private static final long serialVersionUID = 1L;

    /** A wait that ended without what it waited for. */
    public DeadlineException(String message) {
        super(Category.TIMEOUT, message);
    }
}
