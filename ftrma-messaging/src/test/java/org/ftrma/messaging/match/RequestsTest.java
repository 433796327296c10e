package org.ftrma.messaging.match;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ftrma.Channel;
import org.ftrma.Message;
import org.ftrma.MisuseException;
import org.junit.jupiter.api.Test;

/** Receives from their begin to their end, and the list of those that a program holds. */
class RequestsTest {
    /** Ranks 2, 0 and 3 of four: the numbers of the channel are others than those of the job. */
    private static final ChannelMembers CHANNEL = new ChannelMembers(new int[] {2, 0, 3}, 4, 0, 4);
    private final ReceiveRequests receives = new ReceiveRequests();
    private final Calls calls = new Calls();
    private final HeldRequests held = new HeldRequests(calls);

    /** Completes what it is asked for, and ends receives where that is wanted. */
    private static final class Calls implements RequestCalls {
        private boolean endsReceives;
        private boolean completes = true;

        @Override
        public void enter() {
            // nothing is under way
        }

        @Override
        public boolean test(PendingRequest request) {
            return completes;
        }

        @Override
        public void await(PendingRequest request) {
            request.complete();
        }

        @Override
        public boolean isTakenBack(ReceiveRequest receive) {
            return endsReceives;
        }
    }

    private ReceiveRequest receive(int source, int tag, long bytes) {
        ReceiveRequest receive = receives.fresh();
        receive.begin(CHANNEL, Arena.ofAuto().allocate(bytes, 8), 0, bytes, 4, source, tag);
        return receive;
    }

    @Test
    void aMessageTellsTheNumberOfItsSourceInTheChannel() {
        ReceiveRequest receive = held.add(receive(Channel.ANY_SOURCE, Channel.ANY_TAG, 16));
        receive.matched(3, 5, 0, 16);
        Message message = receive.await();
        assertEquals(2, message.source());
        assertEquals(5, message.tag());
        assertEquals(16, message.bytes());
    }

    @Test
    void aRequestIsUsedAgainWhenACallHasToldItsEnd() {
        ReceiveRequest receive = held.add(receive(2, 1, 8));
        assertNotSame(receive, receives.fresh(), "it is not complete");
        assertTrue(receive.test());
        assertSame(receive, receives.fresh());
    }

    @Test
    void aRequestThatACallHasToldOfIsRefused() {
        ReceiveRequest receive = held.add(receive(2, 1, 8));
        receive.await();
        assertTrue(assertThrows(MisuseException.class, receive::test).getMessage().startsWith("test: "));
        assertThrows(MisuseException.class, receive::await);
        assertThrows(MisuseException.class, receive::cancel);
    }

    @Test
    void aRequestIsOpenUntilACallHasToldItsEnd() {
        calls.completes = false;
        ReceiveRequest receive = held.add(receive(2, 1, 8));
        assertFalse(receive.test());
        String refusal = assertThrows(MisuseException.class, () -> held.checkNoneOpen("step 3")).getMessage();
        assertTrue(refusal.startsWith("step 3: 1 request is open, such as a receive of at most 8 bytes from rank 0 "
            + "with tag 1"), refusal);
        receive.await();
        held.checkNoneOpen("step 3");
    }

    @Test
    void theNewestOpenRequestIsNamed() {
        ReceiveRequest first = held.add(receive(2, 1, 8));
        ReceiveRequest second = held.add(receive(2, 2, 8));
        ReceiveRequest third = held.add(receive(2, 3, 8));
        third.await();
        first.await();
        String refusal = assertThrows(MisuseException.class, () -> held.checkNoneOpen("x")).getMessage();
        assertTrue(refusal.contains("with tag 2"), refusal);
        second.await();
        held.checkNoneOpen("x");
    }

    @Test
    void aMessageThatDoesNotFitIsToldWithBothLengths() {
        ReceiveRequest receive = held.add(receive(2, 1, 8));
        receive.matched(2, 1, 0, 24);
        String refusal = assertThrows(MisuseException.class, receive::await).getMessage();
        assertTrue(refusal.contains("24 bytes from rank 0 with tag 1") && refusal.contains("of 8 bytes"), refusal);
        held.checkNoneOpen("it is over all the same");
    }

    @Test
    void asMuchOfAMessageIsCopiedAsThereIsRoomFor() {
        ReceiveRequest receive = receive(2, 1, 8);
        receive.copyFrom(Arena.ofAuto().allocate(24, 8).fill((byte) 7), 4, 20);
        MemorySegment destination = receive.segment();
        assertEquals(0x0707_0707_0707_0707L, destination.get(ValueLayout.JAVA_LONG, 0));
    }

    @Test
    void aReceiveThatWasEndedHasNoMessage() {
        calls.endsReceives = true;
        ReceiveRequest receive = held.add(receive(Channel.ANY_SOURCE, 1, 8));
        assertTrue(receive.cancel());
        assertTrue(receive.isComplete());
        assertNull(receive.await());
        assertFalse(receive.isWrong());
    }

    @Test
    void aReceiveThatHasMatchedIsNotEnded() {
        ReceiveRequest receive = held.add(receive(2, 1, 8));
        assertFalse(receive.cancel());
        assertFalse(receive.isComplete());
    }

    @Test
    void aProgramThatIsEnteredAnewHoldsNothing() {
        held.add(receive(2, 1, 8));
        held.clear();
        held.checkNoneOpen("the end of step 1");
    }

    @Test
    void whatBelongsToACollectiveIsDroppedWithItsReceive() {
        ReceiveRequest receive = receive(2, 1, 8);
        assertFalse(receive.dropsItsMessage());
        receive.isPartOf(one -> {
            throw new MisuseException("nothing comes");
        });
        assertTrue(receive.dropsItsMessage());
        assertEquals("nothing comes", assertThrows(MisuseException.class, receive::requirePossible).getMessage());
        ReceiveRequest dropper = receive.dropper();
        assertEquals(0, dropper.length());
        assertTrue(dropper.matches(2, 1));
    }

    @Test
    void aReplayDecidesWhichSourceAReceiveTakes() {
        ReceiveRequest receive = receive(Channel.ANY_SOURCE, 1, 8);
        receive.forcedTo(3);
        assertFalse(receive.matches(2, 1));
        assertTrue(receive.matches(3, 1));
        assertEquals(3, receive.expectedSource());
    }

    @Test
    void ranksOfTheJobThatAreNotInAChannelHaveNoNumberThere() {
        assertEquals(-1, CHANNEL.numberOf(1));
        assertEquals(1, CHANNEL.rank());
        assertEquals(0, CHANNEL.least());
        assertEquals(5, CHANNEL.collectiveContext());
    }
}
