package org.ftrma.messaging.receive;

/** Work that goes on when messages have come, such as collectives that do not block. Data thread only. */
public interface PendingWork {
    /** Messages may have come. */
    void advance();
}
