package org.ftrma;

/** Failure of a call or of the job; the category shows how a caller can react. */
public class FtrmaException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What a caller can do. */
    public enum Category {
        /** The job cannot go on. */
        FATAL,
        /** The environment lacks something; the message names the fix. */
        SETUP,
        /** A peer is gone; recovery follows by itself. */
        PEER_LOST,
        /** Nothing happened before the deadline. */
        TIMEOUT,
        /** The call was wrong; nothing was changed by it. */
        MISUSE,
        /** More was lost than the redundancy can rebuild. */
        CATASTROPHIC
    }

    private final Category category;

    /** An error of the category given. */
    public FtrmaException(Category category, String message) {
        super(message);
        this.category = category;
    }

    /** An error of the category given, with its cause. */
    public FtrmaException(Category category, String message, Throwable cause) {
        super(message, cause);
        this.category = category;
    }

    /** What can be done about it. */
    public final Category category() {
        return category;
    }
}
