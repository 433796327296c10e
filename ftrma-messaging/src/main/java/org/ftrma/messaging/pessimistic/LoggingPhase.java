package org.ftrma.messaging.pessimistic;

/** Present state of a rank whose messages are logged. Data thread only. */
final class LoggingPhase {
    private MessageLoggingState now = MessageLoggingState.CLOSED;

    MessageLoggingState now() {
        return now;
    }

    /** The rank is in that state from now on. */
    void to(MessageLoggingState next) {
        if (!next.mayFollow(now)) {
            throw new IllegalStateException("message logging: " + next + " does not follow " + now);
        }
        now = next;
    }

    boolean logs() {
        return now.logs();
    }

    boolean isReplaying() {
        return now == MessageLoggingState.REPLAYING;
    }
}
