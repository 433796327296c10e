package org.ftrma.messaging.collective;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.ftrma.DeadlineException;
import org.ftrma.MisuseException;
import org.ftrma.messaging.match.ChannelMembers;
import org.ftrma.messaging.match.Contexts;
import org.ftrma.messaging.match.ReceiveRequest;
import org.ftrma.messaging.match.ReceiveRequests;
import org.ftrma.messaging.match.UnexpectedStore;
import org.junit.jupiter.api.Test;

/** Collectives of a channel that are like those of other ranks, and that are not. */
class CollectiveSequenceTest {
    private static final ChannelMembers CHANNEL = new ChannelMembers(new int[] {0, 1, 2}, 4, 0, 3);
    private static final long BARRIER = ChannelCall.of(ChannelCall.Kind.BARRIER, 0, 0);
    private static final long BROADCAST = ChannelCall.of(ChannelCall.Kind.BROADCAST, 1, 16);
    private static final long GATHER = ChannelCall.of(ChannelCall.Kind.GATHER, 2, 16);
    private final Contexts contexts = new Contexts();
    private final UnexpectedStore store = new UnexpectedStore(Arena.ofAuto(), 1 << 20);
    private final CollectiveSequence sequence = new CollectiveSequence(CHANNEL, contexts);

    private static ReceiveRequest receive(int source, int tag) {
        ReceiveRequest receive = new ReceiveRequests().fresh();
        receive.begin(CHANNEL, null, 0, 16, CHANNEL.collectiveContext(), source, tag);
        return receive;
    }

    private static ReceiveRequest received(int source, int tag, long call, long bytes) {
        ReceiveRequest receive = receive(source, tag);
        receive.matched(source, tag, call, bytes);
        return receive;
    }

    private void come(int source, int tag, long call) {
        contexts.of(CHANNEL.collectiveContext())
            .come(store.begin(source, 1, CHANNEL.collectiveContext(), tag, call, 16));
    }

    @Test
    void aMessageOfTheSameCallIsRight() {
        int tag = sequence.next(BROADCAST);
        assertEquals(1, tag);
        assertNull(sequence.refusal(received(1, tag, BROADCAST, 16)));
    }

    @Test
    void aMessageOfAnotherCallIsRefusedWithBoth() {
        int tag = sequence.next(BROADCAST);
        String refusal = sequence.refusal(received(1, tag, GATHER, 16)).getMessage();
        assertTrue(refusal.contains("rank 0 calls broadcast of 16 bytes from rank 1, rank 1 calls gather of 16 bytes"),
            refusal);
    }

    @Test
    void oneThatBlocksDoesNotMatchOneThatDoesNot() {
        int tag = sequence.next(BROADCAST);
        String refusal = sequence.refusal(received(1, tag, ChannelCall.begun(BROADCAST), 16)).getMessage();
        assertTrue(refusal.endsWith("one that blocks does not match one that does not"), refusal);
    }

    @Test
    void aMessageOfAnotherLengthIsRefused() {
        int tag = sequence.next(BROADCAST);
        String refusal = sequence.refusal(received(1, tag, BROADCAST, 8)).getMessage();
        assertTrue(refusal.contains("expects 16 bytes of rank 1, which sends 8"), refusal);
    }

    @Test
    void aMessageThatAnEarlierCollectiveHasLeftIsRefused() {
        sequence.next(BARRIER);
        come(1, 1, GATHER);
        int tag = sequence.next(BROADCAST);
        String refusal = sequence.refusal(received(1, tag, BROADCAST, 16)).getMessage();
        assertTrue(refusal.contains("collective 1 of a channel of 3 ranks: rank 0 calls barrier, rank 1 calls gather"),
            refusal);
    }

    @Test
    void whatABegunCollectiveHasNotTakenYetIsNotLeft() {
        int open = sequence.open(ChannelCall.begun(GATHER));
        come(1, open, ChannelCall.begun(GATHER));
        int tag = sequence.next(BROADCAST);
        assertNull(sequence.refusal(received(1, tag, BROADCAST, 16)));
        sequence.closed();
        assertTrue(sequence.refusal(received(1, tag, BROADCAST, 16)) != null);
    }

    @Test
    void aReceiveIsInVainWhenItsSourceIsInALaterCollective() {
        int tag = sequence.next(BROADCAST);
        ReceiveRequest receive = receive(1, tag);
        sequence.requirePossible(receive);
        come(1, tag + 1, BARRIER);
        String refusal = assertThrows(MisuseException.class, () -> sequence.requirePossible(receive)).getMessage();
        assertTrue(refusal.contains("rank 1 has sent nothing of that, and calls barrier as collective 2"), refusal);
        sequence.requirePossible(receive(2, tag));
    }

    @Test
    void allAreRefusedAfterOneThatWas() {
        sequence.next(BROADCAST);
        sequence.told(new MisuseException("unlike"));
        assertTrue(sequence.isBroken());
        String refusal = assertThrows(MisuseException.class, () -> sequence.next(BARRIER)).getMessage();
        assertEquals("barrier: an earlier collective of this channel was refused: unlike", refusal);
        assertEquals("", sequence.called(), "the coordinator has nothing to compare");
    }

    @Test
    void allAreRefusedAfterOneThatDidNotEnd() {
        sequence.next(BROADCAST);
        DeadlineException end = sequence.told(new DeadlineException("waited"));
        assertTrue(end.getMessage().endsWith("rank 0 calls broadcast of 16 bytes from rank 1, collective 1 of a "
            + "channel of 3 ranks"), end.getMessage());
        assertTrue(assertThrows(MisuseException.class, () -> sequence.next(BARRIER)).getMessage()
            .contains("did not end: waited"));
    }

    @Test
    void anImageHasNumberAndDigest() {
        sequence.next(BROADCAST);
        sequence.next(BARRIER);
        CollectiveSequence restored = new CollectiveSequence(CHANNEL, contexts);
        restored.restore(sequence.save());
        assertEquals(sequence.save(), restored.save());
        assertEquals(3, restored.next(GATHER));
        sequence.next(GATHER);
        assertEquals(sequence.save(), restored.save());
    }

    @Test
    void anImageHasARefusal() {
        sequence.next(BROADCAST);
        sequence.told(new MisuseException("unlike"));
        CollectiveSequence restored = new CollectiveSequence(CHANNEL, contexts);
        restored.restore(sequence.save());
        assertTrue(restored.isBroken());
        assertThrows(MisuseException.class, () -> restored.next(BARRIER));
    }

    @Test
    void theOrderOfCallsIsCompared() {
        CollectiveSequence other = new CollectiveSequence(CHANNEL, contexts);
        sequence.next(BROADCAST);
        sequence.next(BARRIER);
        other.next(BARRIER);
        other.next(BROADCAST);
        assertNotEquals(sequence.save(), other.save());
        assertNotEquals(sequence.called(), other.called());
    }

    @Test
    void theNewestCallsAreNamed() {
        for (int i = 0; i < 20; i++) {
            sequence.next(BARRIER);
        }
        sequence.next(BROADCAST);
        String[] words = sequence.called().strip().split("\t");
        assertEquals("5.0", words[0], "context and least rank");
        assertEquals("21", words[2]);
        assertEquals("broadcast of 16 bytes from rank 1", words[words.length - 1]);
        assertEquals(4 + 8, words.length);
    }

    @Test
    void countsOfAllChannelsAreSavedAndRestored() {
        CollectiveSequence second = new CollectiveSequence(CHANNEL, contexts);
        sequence.next(BARRIER);
        second.next(BROADCAST);
        CollectiveCounts counts = counts(sequence, second);
        MemorySegment image = Arena.ofAuto().allocate(64, 8);
        long bytes = counts.save(image, 8);
        CollectiveSequence one = new CollectiveSequence(CHANNEL, contexts);
        CollectiveSequence two = new CollectiveSequence(CHANNEL, contexts);
        assertEquals(bytes, counts(one, two).restore(image, 8, 8 + bytes));
        assertEquals(sequence.save(), one.save());
        assertEquals(second.save(), two.save());
        assertThrows(RuntimeException.class, () -> counts(one).restore(image, 8, 8 + bytes), "another number");
        assertThrows(RuntimeException.class, () -> counts(one, two).restore(image, 8, bytes), "cut short");
    }

    private static CollectiveCounts counts(CollectiveSequence... channels) {
        CollectiveCounts counts = new CollectiveCounts();
        for (CollectiveSequence one : channels) {
            counts.add(one);
        }
        return counts;
    }
}
