package org.ftrma.messaging.match;

/** The blocking collective that a receive belongs to. Data thread only. */
public interface Expectation {
    /** Throws if what has come shows that nothing will come for the receive. */
    void requirePossible(ReceiveRequest receive);
}
