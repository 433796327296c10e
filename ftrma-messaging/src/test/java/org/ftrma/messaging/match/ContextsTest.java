package org.ftrma.messaging.match;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import org.ftrma.FtrmaException;
import org.junit.jupiter.api.Test;

/** Contexts by number. */
class ContextsTest {
    private final Contexts contexts = new Contexts();

    @Test
    void aContextStaysWhenThereAreMore() {
        Matching first = contexts.of(1);
        Matching far = contexts.of(1000);
        assertSame(first, contexts.of(1));
        assertSame(far, contexts.of(1000));
        assertNotSame(far, contexts.of(999));
    }

    @Test
    void aFrameOfAnImpossibleContextIsRefused() {
        assertThrows(FtrmaException.class, () -> contexts.of(-1));
        assertThrows(FtrmaException.class, () -> contexts.of(1 << 16));
        contexts.of((1 << 16) - 1);
    }

    @Test
    void messagesOfAllContextsAreCounted() {
        UnexpectedStore store = new UnexpectedStore(Arena.ofAuto(), 1 << 20);
        contexts.of(0).come(store.begin(0, 1, 0, 0, 0, 0));
        contexts.of(9).come(store.begin(0, 2, 9, 0, 0, 0));
        contexts.of(9).come(store.begin(0, 3, 9, 0, 0, 0));
        assertEquals(3, contexts.messages());
    }
}
