package org.ftrma;

/**
 * A request-based access. Complete means: for a put the source may be reused, for a get or fetching access the result
 * is there. Remote completion needs a flush. Requests are reused: do not touch one after it was complete. Data thread
 * only.
 */
public interface Request {
    /** Makes progress and says whether the access is complete. Over a network that is a matter of chance. */
    boolean test();

    /** Waits until the access is complete. Throws {@link DeadlineException} at the job's deadline. */
    void await();
}
