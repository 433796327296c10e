package org.ftrma.messaging.pessimistic;

import org.ftrma.core.session.StateListener;
import org.ftrma.core.session.StateMachine;

/** States of a rank whose messages are logged, in one view. */
enum MessageLoggingState {
    /** Its program is not entered, or initializes: nothing that is sent or received counts. */
    OFF,
    /** It does again what others have seen of its predecessor. */
    REPLAYING,
    /** It decides by itself, and logs what it decides. */
    LOGGING;

    /** The states of a rank that has sent nothing yet. */
    static StateMachine<MessageLoggingState> machine(StateListener listener) {
        return new StateMachine<>("message logging", OFF, listener)
            .allow(OFF, REPLAYING, LOGGING)
            .allow(REPLAYING, LOGGING, OFF)
            .allow(LOGGING, OFF);
    }
}
