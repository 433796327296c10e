package org.ftrma.messaging.match;

/** Calls of a program on a request that it holds. Data thread only. */
public interface RequestCalls {
    /** A call of the program begins. */
    void enter();

    /** Whether the request is complete. */
    boolean test(PendingRequest request);

    /** Waits until the request is complete. */
    void await(PendingRequest request);

    /** Takes a receive back; returns whether it had not matched anything yet. */
    boolean isTakenBack(ReceiveRequest receive);
}
