package org.ftrma.messaging.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An outbox as its sender fills it, and as a receiver reads it. */
class OutboxTest {
    private static final int SLOTS = 3;
    private final MemorySegment memory = TwoRanks.memory(OutboxDescriptor.bytes(SLOTS));
    private final Outbox outbox = new Outbox(memory, SLOTS);
    private int read;

    private int fill(int value) {
        return outbox.fill(TwoRanks.filled(100, value), 10, 60, () -> read++);
    }

    private PeerOutbox peer(boolean isMapped) {
        return new PeerOutbox(TwoRanks.fabric(isMapped), 1, TwoRanks.remote(memory), SLOTS);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aReceiverGetsThePieceThatWasPutThere(boolean isMapped) {
        fill(1);
        int slot = fill(2);
        MemorySegment destination = TwoRanks.memory(64);
        PeerOutbox peer = peer(isMapped);
        peer.get(slot, destination, 2, 60);
        peer.complete();
        assertEquals(2, destination.get(ValueLayout.JAVA_BYTE, 61));
        assertEquals(0, destination.get(ValueLayout.JAVA_BYTE, 1));
        assertEquals(0, destination.get(ValueLayout.JAVA_BYTE, 62));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aSlotThatWasReadIsUsedAgainAndItsOwnerHearsOfIt(boolean isMapped) {
        int first = fill(1);
        fill(2);
        fill(3);
        assertEquals(-1, fill(4), "all slots are used");
        peer(isMapped).release(first);
        assertEquals(first, fill(5));
        assertEquals(1, read);
        assertEquals(SLOTS, outbox.used());
    }

    @Test
    void anImageHasWhatWasNotRead() {
        int first = fill(1);
        int second = fill(2);
        peer(true).release(first);
        outbox.reclaim();
        MemorySegment image = TwoRanks.memory(Outbox.imageBytes(SLOTS));
        long bytes = outbox.save(image, 8);
        MemorySegment other = TwoRanks.memory(OutboxDescriptor.bytes(SLOTS));
        Outbox restored = new Outbox(other, SLOTS);
        assertEquals(bytes, restored.restore(image, 8, 8 + bytes));
        assertEquals(1, restored.used());
        MemorySegment destination = TwoRanks.memory(64);
        new PeerOutbox(TwoRanks.fabric(true), 1, TwoRanks.remote(other), SLOTS).get(second, destination, 0, 60);
        assertEquals(2, destination.get(ValueLayout.JAVA_BYTE, 59));
        assertTrue(restored.fill(TwoRanks.filled(8, 3), 0, 8, null) != second, "that slot is not free");
    }

    @Test
    void anImageThatIsCutShortIsRefused() {
        fill(1);
        MemorySegment image = TwoRanks.memory(Outbox.imageBytes(SLOTS));
        long bytes = outbox.save(image, 0);
        assertEquals(-1, new Outbox(memory, SLOTS).restore(image, 0, bytes - 8));
        image.set(ValueLayout.JAVA_LONG, 8, SLOTS);
        assertEquals(-1, new Outbox(memory, SLOTS).restore(image, 0, bytes), "there is no such slot");
    }

    @Test
    void copiesAreFilledUpToWholeWords() {
        MemorySegment to = TwoRanks.filled(24, 9);
        assertEquals(16, Outbox.copyPadded(TwoRanks.filled(16, 1), 0, to, 0, 10));
        assertEquals(1, to.get(ValueLayout.JAVA_BYTE, 9));
        assertEquals(0, to.get(ValueLayout.JAVA_BYTE, 10));
        assertEquals(9, to.get(ValueLayout.JAVA_BYTE, 16));
    }
}
