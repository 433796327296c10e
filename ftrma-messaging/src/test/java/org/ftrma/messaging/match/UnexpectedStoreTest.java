package org.ftrma.messaging.match;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

/** Messages that have come before their receives, and their memory. */
class UnexpectedStoreTest {
    private static final ChannelMembers CHANNEL = new ChannelMembers(new int[] {0, 1}, 0, 0, 2);
    private static final long LIMIT = 1000;
    private final UnexpectedStore store = new UnexpectedStore(Arena.ofAuto(), LIMIT);

    private static MemorySegment filled(long bytes, int value) {
        return Arena.ofAuto().allocate(bytes, 8).fill((byte) value);
    }

    private Incoming kept(int source, long bytes, int value) {
        Incoming message = store.begin(source, 1, 0, 0, 0, bytes);
        store.keep(message, filled(bytes, value), 0);
        return message;
    }

    private byte first(Incoming message) {
        return store.payload(message).get(ValueLayout.JAVA_BYTE, store.payloadAt(message));
    }

    @Test
    void messagesDoNotShareMemory() {
        Incoming one = kept(1, 100, 1);
        Incoming two = kept(1, 100, 2);
        assertEquals(1, first(one));
        assertEquals(2, first(two));
        assertTrue(one.isWhole());
        assertEquals(100, one.announced());
    }

    @Test
    void itIsFullAtItsLimitUntilAMessageIsReceived() {
        assertTrue(store.hasRoom(500));
        Incoming message = kept(1, 500, 1);
        assertFalse(store.hasRoom(500));
        store.recycle(message);
        assertTrue(store.hasRoom(500));
    }

    @Test
    void memoryThatWasFreedIsUsedAgain() {
        Incoming one = kept(1, 100, 1);
        long place = store.payloadAt(one);
        store.recycle(one);
        assertEquals(place, store.payloadAt(kept(1, 120, 2)), "a block of the same power of two");
        assertNotEquals(place, store.payloadAt(kept(1, 100, 3)));
    }

    @Test
    void aMessageThatIsLongerThanAChunkIsKeptWhole() {
        UnexpectedStore large = new UnexpectedStore(Arena.ofAuto(), 4 << 20);
        Incoming message = large.begin(1, 1, 0, 0, 0, 1 << 20);
        large.keep(message, filled(1 << 20, 5), 0);
        assertEquals(5, large.payload(message).get(ValueLayout.JAVA_BYTE,
            large.payloadAt(message) + (1 << 20) - 1));
    }

    @Test
    void whatAWithdrawnReceiveHadReadIsForTheNextOne() {
        Incoming message = store.begin(1, 1, 0, 0, 0, 16);
        message.addPiece(3, 8);
        message.matchedBy(receive(filled(16, 9)));
        message.taken(8);
        store.leave(message);
        assertTrue(store.isAnyHalf());
        assertEquals(8, message.read());
        MemorySegment destination = filled(16, 0);
        message.matchedBy(receive(destination));
        store.handOver(message);
        assertFalse(store.isAnyHalf());
        assertEquals(9, destination.get(ValueLayout.JAVA_BYTE, 7));
        assertEquals(0, destination.get(ValueLayout.JAVA_BYTE, 8), "the second half was not read yet");
    }

    private static ReceiveRequest receive(MemorySegment destination) {
        ReceiveRequest receive = new ReceiveRequests().fresh();
        receive.begin(CHANNEL, destination, 0, destination.byteSize(), 0, 1, 0);
        return receive;
    }

    @Test
    void aMessageOfWhichAPartWasReadIsForgottenWithItsPart() {
        Incoming message = store.begin(1, 1, 0, 0, 0, 16);
        message.matchedBy(receive(filled(16, 9)));
        message.taken(8);
        store.leave(message);
        store.recycle(message);
        assertFalse(store.isAnyHalf());
        assertSame(message, store.begin(1, 2, 0, 0, 0, 4));
        assertEquals(0, message.read());
    }

    @Test
    void messagesOfALostSourceAreForgottenAlone() {
        Matching context = new Matching();
        context.come(kept(1, 100, 1));
        Incoming other = kept(0, 100, 2);
        context.come(other);
        context.come(kept(1, 100, 3));
        store.forget(context, 1);
        assertSame(other, context.firstCome());
        assertEquals(null, other.next());
        store.forget(context);
        assertTrue(store.describe().startsWith("0 of 1000 bytes"), store.describe());
    }
}
