package org.ftrma.messaging.pessimistic;

import static org.ftrma.messaging.pessimistic.MessageLoggingState.CLOSED;
import static org.ftrma.messaging.pessimistic.MessageLoggingState.LIVE;
import static org.ftrma.messaging.pessimistic.MessageLoggingState.REPLAYING;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** States of a rank whose messages are logged. */
class LoggingPhaseTest {
    private final LoggingPhase phase = new LoggingPhase();

    @Test
    void aReplacementReplaysAndIsLiveThen() {
        assertFalse(phase.logs());
        phase.to(REPLAYING);
        assertTrue(phase.logs() && phase.isReplaying());
        phase.to(LIVE);
        assertTrue(phase.logs());
        assertFalse(phase.isReplaying());
    }

    @Test
    void aRankThatIsLiveDoesNotReplayInTheSameView() {
        phase.to(LIVE);
        assertThrows(IllegalStateException.class, () -> phase.to(REPLAYING));
        assertEquals(LIVE, phase.now());
        phase.to(CLOSED);
        phase.to(REPLAYING);
        assertThrows(IllegalStateException.class, () -> phase.to(REPLAYING));
    }

    @Test
    void aNewViewMayBeginInAnyState() {
        for (MessageLoggingState state : MessageLoggingState.values()) {
            assertTrue(CLOSED.mayFollow(state), state.toString());
        }
    }
}
