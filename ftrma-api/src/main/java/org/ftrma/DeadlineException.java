package org.ftrma;

/** A wait reached its deadline. The message names what was waited for. */
public final class DeadlineException extends FtrmaException {
    private static final long serialVersionUID = 1L;

    /** A wait that ended without what it waited for. */
    public DeadlineException(String message) {
        super(Category.TIMEOUT, message);
    }
}
