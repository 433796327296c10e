package org.ftrma.messaging.pessimistic;

import static org.ftrma.messaging.pessimistic.MessageLoggingState.LOGGING;
import static org.ftrma.messaging.pessimistic.MessageLoggingState.OFF;
import static org.ftrma.messaging.pessimistic.MessageLoggingState.REPLAYING;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.ftrma.core.session.StateListener;
import org.ftrma.core.session.StateMachine;
import org.junit.jupiter.api.Test;

/** States of a rank whose messages are logged. */
class MessageLoggingStateTest {
    private final StateMachine<MessageLoggingState> state = MessageLoggingState.machine(StateListener.NONE);

    @Test
    void aReplacementReplaysBeforeItLogs() {
        state.become(REPLAYING);
        state.become(LOGGING);
        assertTrue(state.is(LOGGING));
    }

    @Test
    void aRankThatLogsDoesNotReplayInTheSameView() {
        state.become(LOGGING);
        assertThrows(IllegalStateException.class, () -> state.become(REPLAYING));
        assertEquals(LOGGING, state.now());
        state.become(OFF);
        state.become(REPLAYING);
        assertThrows(IllegalStateException.class, () -> state.become(REPLAYING));
    }

    @Test
    void aNewViewMayBeginWhateverTheRankDoes() {
        state.become(REPLAYING);
        assertTrue(state.mayBecome(OFF));
        state.become(LOGGING);
        assertTrue(state.mayBecome(OFF));
    }
}
