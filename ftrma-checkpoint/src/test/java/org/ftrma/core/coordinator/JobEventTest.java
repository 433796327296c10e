package org.ftrma.core.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.ftrma.core.control.RecoveryFigures;
import org.junit.jupiter.api.Test;

class JobEventTest {
    @Test
    void aReplayTellsItsFiguresByTheirNames() {
        long[] figures = new long[RecoveryFigures.values().length];
        figures[RecoveryFigures.PUTS_APPLIED.ordinal()] = 17;
        String text = new JobEvent.Replayed(1, 2, 3, figures).toString();
        assertTrue(text.startsWith("Replayed[member=1, incarnation=2, step=3, ") && text.contains("PUTS_APPLIED=17"),
            text);
        assertEquals(text, new JobEvent.Replayed(1, 2, 3, figures.clone()).toString());
        assertEquals("Replayed[member=1, incarnation=2, step=3]", new JobEvent.Replayed(1, 2, 3, new long[0])
            .toString());
    }
}
