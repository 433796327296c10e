package org.ftrma.messaging.match;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;

/** Messages that receives had matched when their source was lost. */
class BoundMessagesTest {
    private static final ChannelMembers CHANNEL = new ChannelMembers(new int[] {0, 1, 2}, 0, 0, 3);
    private final BoundMessages bound = new BoundMessages(3);
    private final UnexpectedStore store = new UnexpectedStore(Arena.ofAuto(), 1 << 20);

    private Incoming matched(int source, long number) {
        ReceiveRequest receive = new ReceiveRequests().fresh();
        receive.begin(CHANNEL, null, 0, 0, 0, source, 0);
        Incoming message = store.begin(source, number, 0, 0, 0, 100);
        message.addPiece(1, 60);
        message.matchedBy(receive);
        return message;
    }

    @Test
    void aMessageIsTakenByItsNumberWhenItComesAgain() {
        Incoming one = matched(1, 4);
        Incoming two = matched(1, 6);
        bound.add(one);
        bound.add(two);
        assertNull(bound.take(1, 5));
        assertSame(one, bound.take(1, 4));
        assertNull(bound.take(1, 4));
        assertTrue(bound.isAny());
        assertSame(two, bound.take(1, 6));
        assertFalse(bound.isAny());
    }

    @Test
    void allPiecesOfAMessageComeAgain() {
        Incoming message = matched(1, 4);
        bound.add(message);
        assertEquals(0, message.announced());
        assertEquals(0, message.pieces());
        assertEquals(4, message.number());
    }

    @Test
    void aMessageIsFoundByItsReceive() {
        Incoming one = matched(1, 4);
        Incoming two = matched(2, 4);
        bound.add(one);
        bound.add(two);
        assertSame(two, bound.of(two.request()));
        assertTrue(bound.has(one));
        bound.clear();
        assertFalse(bound.has(one));
        assertNull(bound.of(one.request()));
    }
}
