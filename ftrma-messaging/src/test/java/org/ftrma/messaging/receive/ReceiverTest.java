package org.ftrma.messaging.receive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.ftrma.Channel;
import org.ftrma.FtrmaException;
import org.ftrma.messaging.match.ChannelMembers;
import org.ftrma.messaging.match.Contexts;
import org.ftrma.messaging.match.ReceiveRequest;
import org.ftrma.messaging.match.ReceiveRequests;
import org.ftrma.messaging.match.UnexpectedStore;
import org.ftrma.messaging.send.ReleaseGate;
import org.ftrma.messaging.transport.OutLane;
import org.ftrma.messaging.transport.Outbox;
import org.ftrma.messaging.transport.OutboxDescriptor;
import org.ftrma.messaging.transport.PeerOutbox;
import org.ftrma.messaging.transport.PieceSource;
import org.ftrma.messaging.transport.TwoRanks;
import org.junit.jupiter.api.Test;

/** The receiving half of a rank, to which sources in the same process send. */
class ReceiverTest {
    private static final int RANKS = 3;
    private static final int SLOTS = 4;
    private static final long LIMIT = 1000;
    private static final ChannelMembers CHANNEL = new ChannelMembers(new int[] {0, 1, 2}, 0, 0, RANKS);
    private final TwoRanks two = new TwoRanks(RANKS, true);
    private final MemorySegment pieces = TwoRanks.memory(OutboxDescriptor.bytes(SLOTS));
    private final Outbox outbox = new Outbox(pieces, SLOTS);
    private final ReceiveRequests receives = new ReceiveRequests();
    /** What the receiver asks of its protocol, in order. */
    private final List<String> asked = new ArrayList<>();
    private final Receiver receiver = receiver(new Recorded(asked));

    private Receiver receiver(Recorded sequence) {
        return new Receiver(two.inbox(), two.lanes(), new Contexts(), new UnexpectedStore(Arena.ofAuto(), LIMIT),
            new Pieces(pieces), null, new Gate(asked), sequence, new Determinants(asked));
    }

    /** All sources have the same outbox. */
    private record Pieces(MemorySegment memory) implements PieceMemory {
        @Override
        public byte[] key() {
            return new byte[0];
        }

        @Override
        public boolean mayHavePiece(long place, long bytes) {
            return place >= 0 && place < SLOTS;
        }

        @Override
        public PieceSource open(int peer) {
            return new PeerOutbox(TwoRanks.fabric(true), peer, TwoRanks.remote(memory), SLOTS);
        }
    }

    private record Recorded(List<String> asked) implements ReceiveSequence {
        @Override
        public boolean begins(int source, long number, long tag, long total) {
            return !asked.contains("again " + source + " " + number);
        }

        @Override
        public void received(int source, long number) {
            asked.add("received " + source + " " + number);
        }

        @Override
        public void clear() {
            asked.clear();
        }
    }

    private record Gate(List<String> asked) implements ReleaseGate {
        @Override
        public void beforeMessage(int target) {
            throw new AssertionError("a receiver sends no messages");
        }

        @Override
        public void beforeAnswer(int source) {
            asked.add("answer " + source);
        }

        @Override
        public void beforeReport() {
            throw new AssertionError("a receiver reports nothing");
        }
    }

    private record Determinants(List<String> asked) implements MessageDeterminants {
        @Override
        public long next(Call call) {
            return FREE;
        }

        @Override
        public void was(Call call, long outcome) {
            throw new AssertionError(call.toString());
        }

        @Override
        public long value(long known) {
            return known;
        }

        @Override
        public void wasValue(long value) {
            throw new AssertionError("a value");
        }

        @Override
        public void gaveUp() {
            throw new AssertionError("nothing waits");
        }

        @Override
        public void posted(ReceiveRequest receive) {
            throw new AssertionError("who posts says so");
        }

        @Override
        public void matched(ReceiveRequest receive, int source) {
            asked.add("matched " + source);
        }
    }

    private static void send(OutLane lane, int tag, long length, int value) {
        assertTrue(lane.eager(tag, 0, 0, TwoRanks.filled(Math.max(1, length), value), 0, length));
    }

    /** A message in two pieces, of which the second one may be left for later. */
    private int[] sendLong(OutLane lane, int tag, boolean isWhole) {
        int[] slots = {outbox.fill(TwoRanks.filled(100, 1), 0, 100, null), -1};
        lane.piece(true, tag, 0, 0, 150, slots[0], 100);
        if (isWhole) {
            slots[1] = rest(lane, tag);
        }
        return slots;
    }

    private int rest(OutLane lane, int tag) {
        int slot = outbox.fill(TwoRanks.filled(50, 2), 0, 50, null);
        lane.piece(false, tag, 0, 0, 150, slot, 50);
        return slot;
    }

    private ReceiveRequest post(int source, int tag, long bytes) {
        ReceiveRequest receive = receives.fresh();
        receive.begin(CHANNEL, TwoRanks.memory(Math.max(8, bytes)), 0, bytes, 0, source, tag);
        receiver.post(receive);
        return receive;
    }

    private static int at(ReceiveRequest receive, long offset) {
        return receive.segment().get(ValueLayout.JAVA_BYTE, offset);
    }

    @Test
    void aMessageGoesToTheReceiveThatWaitsForIt() {
        ReceiveRequest receive = post(1, 7, 16);
        send(two.out(1), 7, 16, 3);
        assertFalse(receive.isComplete());
        assertTrue(receiver.poll(true, false));
        assertTrue(receive.isComplete());
        assertEquals(3, at(receive, 15));
        assertEquals(List.of("received 1 1"), asked);
        assertFalse(receiver.poll(true, false), "there is no more");
    }

    @Test
    void aMessageThatComesFirstIsKeptForItsReceive() {
        send(two.out(1), 7, 16, 3);
        receiver.poll(true, false);
        assertEquals(List.of(), asked, "it was not received yet");
        assertTrue(receiver.hasUnreceived());
        ReceiveRequest receive = post(1, 7, 16);
        assertTrue(receive.isComplete());
        assertEquals(3, at(receive, 0));
        assertEquals(List.of("received 1 1"), asked);
        assertFalse(receiver.hasUnreceived());
    }

    @Test
    void theSourceOfAReceiveOfAnySourceIsToldWhenItIsMatched() {
        ReceiveRequest receive = post(Channel.ANY_SOURCE, 7, 150);
        OutLane lane = two.out(2);
        sendLong(lane, 7, false);
        receiver.poll(true, false);
        assertFalse(receive.isComplete());
        assertEquals(List.of("matched 2"), asked);
        rest(lane, 7);
        receiver.poll(true, false);
        assertTrue(receive.isComplete());
        assertEquals(List.of("matched 2", "answer 2", "received 2 1"), asked);
    }

    @Test
    void aNamedSourceIsNoDeterminant() {
        post(1, Channel.ANY_TAG, 8);
        send(two.out(1), 7, 8, 3);
        receiver.poll(true, false);
        assertEquals(List.of("received 1 1"), asked);
    }

    @Test
    void aLongMessageIsPulledIntoItsDestination() {
        ReceiveRequest receive = post(1, 7, 150);
        sendLong(two.out(1), 7, true);
        receiver.poll(false, false);
        assertFalse(receive.isComplete(), "other ranks' memory must not be accessed now");
        receiver.poll(true, false);
        assertTrue(receive.isComplete());
        assertEquals(1, at(receive, 99));
        assertEquals(2, at(receive, 100));
        outbox.reclaim();
        assertEquals(0, outbox.used(), "its slots are the sender's again");
    }

    @Test
    void aLongMessageThatDoesNotFitIsReadToItsEnd() {
        ReceiveRequest receive = post(1, 7, 120);
        sendLong(two.out(1), 7, true);
        receiver.poll(true, false);
        assertTrue(receive.isComplete() && receive.isTooLong());
        assertEquals(2, at(receive, 119));
        outbox.reclaim();
        assertEquals(0, outbox.used());
    }

    @Test
    void shortMessagesBehindALongOneWaitForIt() {
        ReceiveRequest receive = post(1, 8, 8);
        OutLane lane = two.out(1);
        sendLong(lane, 7, true);
        send(lane, 8, 8, 5);
        receiver.poll(true, false);
        assertTrue(receive.isComplete(), "they do not wait for its receive");
        assertEquals(5, at(receive, 0));
        ReceiveRequest late = post(1, 7, 150);
        assertTrue(late.isComplete());
        assertEquals(2, at(late, 149));
    }

    @Test
    void messagesStayInTheLaneWhereTheStoreIsFull() {
        OutLane lane = two.out(1);
        send(lane, 7, 400, 1);
        receiver.poll(true, false);
        send(lane, 7, 400, 2);
        receiver.poll(true, false);
        send(two.out(2), 7, 400, 3);
        assertFalse(receiver.poll(true, false), "there is no room for a third one");
        ReceiveRequest receive = post(2, 7, 400);
        assertTrue(receiver.poll(true, false), "it is taken since a receive waits for it");
        assertEquals(3, at(receive, 399));
    }

    @Test
    void allIsTakenOutAtACut() {
        for (int source = 0; source < RANKS; source++) {
            send(two.out(source), 7, 600, source);
        }
        assertTrue(receiver.poll(false, true));
        assertFalse(receiver.poll(false, true));
        assertTrue(receiver.describe().startsWith("3 messages have come that nobody has received"),
            receiver.describe());
    }

    @Test
    void aReceiveThatIsWithdrawnLeavesItsMessageForTheNextOne() {
        ReceiveRequest first = post(1, 7, 150);
        OutLane lane = two.out(1);
        sendLong(lane, 7, false);
        receiver.poll(true, false);
        receiver.withdraw(first);
        assertTrue(receiver.isAnyHalf());
        ReceiveRequest second = post(1, 7, 150);
        rest(lane, 7);
        receiver.poll(true, false);
        assertTrue(second.isComplete());
        assertFalse(first.isComplete());
        assertEquals(1, at(second, 0), "what the first one had read");
        assertEquals(2, at(second, 149));
        assertFalse(receiver.isAnyHalf());
    }

    @Test
    void aReceiveThatIsTooShortDropsItsMessageWhenItIsWithdrawn() {
        ReceiveRequest receive = post(1, 7, 20);
        OutLane lane = two.out(1);
        sendLong(lane, 7, false);
        receiver.poll(true, false);
        receiver.withdraw(receive);
        rest(lane, 7);
        send(lane, 7, 8, 5);
        ReceiveRequest next = post(1, 7, 150);
        receiver.poll(true, false);
        assertTrue(next.isComplete());
        assertEquals(8, next.bytes(), "the long one is gone");
        assertFalse(receive.isComplete());
    }

    @Test
    void aReceiveThatHasMatchedNothingIsGoneWhenItIsWithdrawn() {
        ReceiveRequest receive = post(1, 7, 8);
        receiver.withdraw(receive);
        send(two.out(1), 7, 8, 5);
        receiver.poll(true, false);
        assertFalse(receive.isComplete());
        assertTrue(receiver.hasUnreceived());
    }

    @Test
    void aMessageThatWasReceivedBeforeIsAnsweredAndDropped() {
        asked.add("again 1 1");
        sendLong(two.out(1), 7, true);
        receiver.poll(true, false);
        assertFalse(receiver.hasUnreceived());
        assertEquals("received 1 1", asked.getLast());
        assertTrue(asked.indexOf("answer 1") < asked.indexOf("received 1 1"),
            "its sender may use its memory again as soon as it counts: " + asked);
        outbox.reclaim();
        assertEquals(0, outbox.used());
    }

    @Test
    void aProbeFindsAMessageAndLeavesIt() {
        ReceiveRequest probe = receives.apart();
        probe.begin(CHANNEL, null, 0, 0, 0, Channel.ANY_SOURCE, Channel.ANY_TAG);
        assertFalse(receiver.find(probe));
        send(two.out(2), 7, 24, 5);
        receiver.poll(true, false);
        assertTrue(receiver.find(probe));
        assertEquals(2, probe.source());
        assertEquals(7, probe.tag());
        assertEquals(24, probe.bytes());
        assertTrue(receiver.hasUnreceived());
    }

    @Test
    void messagesOfALostSourceThatWereNotReceivedAreForgotten() {
        send(two.out(1), 7, 24, 5);
        send(two.out(2), 7, 24, 6);
        receiver.poll(true, false);
        receiver.lost(1);
        ReceiveRequest receive = post(Channel.ANY_SOURCE, 7, 24);
        assertEquals(2, receive.peer());
        assertEquals(6, at(receive, 0));
        assertFalse(receiver.hasUnreceived());
    }

    @Test
    void aMatchedMessageOfALostSourceStaysWithItsReceive() {
        ReceiveRequest first = post(1, 7, 150);
        sendLong(two.out(1), 7, false);
        receiver.poll(true, false);
        receiver.lost(1);
        ReceiveRequest second = post(1, 7, 150);
        assertFalse(first.isComplete() || second.isComplete(), "what was read of it does not count");
        assertTrue(receiver.isAnyHalf());
        receiver.withdraw(first);
        assertFalse(receiver.isAnyHalf(), "it comes again for any receive");
    }

    @Test
    void aPieceWhereNoneCanBeIsRefused() {
        two.out(1).piece(true, 7, 0, 0, 150, SLOTS, 100);
        String refusal = assertThrows(FtrmaException.class, () -> receiver.poll(true, false)).getMessage();
        assertTrue(refusal.contains("rank 1 announces 100 bytes at place " + SLOTS), refusal);
    }

    @Test
    void moreBytesThanTheMessageHasAreRefused() {
        two.out(1).piece(true, 7, 0, 0, 150, 1, 151);
        assertThrows(FtrmaException.class, () -> receiver.poll(true, false));
    }

    @Test
    void nothingIsLeftOfAnEarlierView() {
        post(1, 7, 8);
        send(two.out(2), 9, 8, 5);
        receiver.poll(true, false);
        send(two.out(1), 7, 8, 5);
        receiver.clear();
        assertFalse(receiver.poll(true, false), "the lanes are empty");
        assertFalse(receiver.hasUnreceived());
    }
}
