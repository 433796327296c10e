package org.ftrma.messaging.pessimistic;

/** States of a rank whose messages are logged, in one view. */
enum MessageLoggingState {
    /** Its program is not entered, or initializes: nothing that is sent or received counts. */
    CLOSED,
    /** It does again what others have seen of its predecessor. */
    REPLAYING,
    /** It decides by itself, and logs what it decides. */
    LIVE;

    /** Whether events are made, and are to be stable before anything leaves the rank. */
    boolean logs() {
        return this != CLOSED;
    }

    /** Whether a rank may come from that state to this one. */
    boolean mayFollow(MessageLoggingState before) {
        return this == CLOSED || before == CLOSED || before == REPLAYING && this == LIVE;
    }
}
