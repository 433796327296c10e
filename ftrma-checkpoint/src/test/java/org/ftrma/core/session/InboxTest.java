package org.ftrma.core.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.ArrayDeque;
import java.util.Map;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.control.MessageCodec;
import org.ftrma.spi.ControlPlane;
import org.junit.jupiter.api.Test;

/** What a member remembers of what it was told. */
class InboxTest implements ControlPlane {
    private final ArrayDeque<byte[]> frames = new ArrayDeque<>();
    private final Inbox inbox = new Inbox(this);

    InboxTest() {
        inbox.playedHere();
        tell(new ControlMessage.Assign(1, 0, 1, 1, 1, 5, 0, Map.of(), new long[0], new long[3], new long[0]));
    }

    @Override
    public void send(byte[] frame) {
        throw new AssertionError();
    }

    @Override
    public boolean ready() {
        return !frames.isEmpty();
    }

    @Override
    public byte[] poll() {
        return frames.poll();
    }

    @Override
    public void close() {
        // nothing is open
    }

    private void tell(ControlMessage message) {
        frames.add(MessageCodec.encode(message));
        inbox.receive();
    }

    @Test
    void aParityThatIsToBeMadeIsForgottenWhenAllGoBack() {
        tell(new ControlMessage.Encode(1, 10, 2));
        tell(new ControlMessage.Encode(1, 15, 3));
        assertEquals(10, ((ControlMessage.Encode) inbox.encodes().poll()).step());
        tell(new ControlMessage.Rollback(2, 2, 1, 5));
        assertNull(inbox.encodes().poll());
    }

    @Test
    void aDemandCheckpointEndsWithTheWordOnItselfAndNotOnThatOfAnotherRank() {
        tell(new ControlMessage.DemandTake(1, 1, 70));
        tell(new ControlMessage.DemandAbandoned(1, 2, 71));
        assertNotNull(inbox.demand());
        tell(new ControlMessage.DemandAbandoned(1, 1, 70));
        assertNull(inbox.demand());
    }
}
