package org.ftrma.messaging.match;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import org.ftrma.Channel;
import org.junit.jupiter.api.Test;

/** Receives and messages of one context, in all orders in which they meet. */
class MatchingTest {
    private static final ChannelMembers CHANNEL = new ChannelMembers(new int[] {0, 1, 2}, 0, 0, 3);
    private final Matching matching = new Matching();
    private final ReceiveRequests receives = new ReceiveRequests();
    private final UnexpectedStore store = new UnexpectedStore(Arena.ofAuto(), 1 << 20);

    private ReceiveRequest receive(int source, int tag) {
        ReceiveRequest request = receives.fresh();
        request.begin(CHANNEL, null, 0, 0, 0, source, tag);
        return request;
    }

    private ReceiveRequest post(int source, int tag) {
        ReceiveRequest request = receive(source, tag);
        matching.post(request);
        return request;
    }

    private Incoming come(int source, int tag) {
        Incoming message = store.begin(source, 1, 0, tag, 0, 0);
        matching.come(message);
        return message;
    }

    private List<Integer> tags() {
        List<Integer> tags = new ArrayList<>();
        for (Incoming one = matching.firstCome(); one != null; one = one.next()) {
            tags.add(one.tag());
        }
        return tags;
    }

    @Test
    void theReceiveThatWasPostedFirstGetsTheMessage() {
        ReceiveRequest first = post(1, 7);
        ReceiveRequest second = post(1, 7);
        assertSame(first, matching.take(1, 7));
        assertSame(second, matching.take(1, 7));
        assertNull(matching.take(1, 7));
    }

    @Test
    void aReceiveOfAnySourceAndOneOfAnyTagCompeteInTheOrderOfTheirPosts() {
        ReceiveRequest anySource = post(Channel.ANY_SOURCE, 7);
        ReceiveRequest anyTag = post(1, Channel.ANY_TAG);
        assertSame(anySource, matching.take(1, 7));
        assertSame(anyTag, matching.take(1, 7));
    }

    @Test
    void aReceiveOfAnotherTagOrSourceIsPassedOver() {
        post(1, 8);
        post(2, 7);
        ReceiveRequest third = post(1, 7);
        assertSame(third, matching.take(1, 7));
        assertTrue(matching.isAwaited(1, 8));
        assertTrue(matching.isAwaited(2, 7));
    }

    @Test
    void lookingForAReceiveLeavesItThere() {
        ReceiveRequest only = post(Channel.ANY_SOURCE, Channel.ANY_TAG);
        assertTrue(matching.isAwaited(2, 5));
        assertSame(only, matching.take(2, 5));
        assertFalse(matching.isAwaited(2, 5));
    }

    @Test
    void aReceiveIsTakenBackOnce() {
        post(1, 7);
        ReceiveRequest middle = post(1, 7);
        ReceiveRequest last = post(1, 7);
        assertTrue(matching.takeBack(middle));
        assertFalse(matching.takeBack(middle));
        assertTrue(matching.takeBack(last));
        ReceiveRequest after = post(1, 9);
        assertSame(after, matching.take(1, 9));
    }

    @Test
    void aReceiveFindsTheMessageThatCameFirst() {
        come(2, 7);
        Incoming first = come(1, 7);
        come(1, 7);
        assertSame(first, matching.find(receive(1, Channel.ANY_TAG)));
        assertEquals(2, matching.find(receive(Channel.ANY_SOURCE, 7)).source());
        assertNull(matching.find(receive(1, 8)));
    }

    @Test
    void aMessageThatComesBackIsWhereItWas() {
        come(1, 1);
        Incoming second = come(1, 2);
        come(1, 3);
        matching.remove(second);
        come(1, 4);
        assertEquals(List.of(1, 3, 4), tags());
        matching.comeBack(second);
        assertEquals(List.of(1, 2, 3, 4), tags());
    }

    @Test
    void theFirstAndTheLastMessageComeBackToTheirPlaces() {
        Incoming first = come(1, 1);
        come(1, 2);
        Incoming last = come(1, 3);
        matching.remove(first);
        matching.remove(last);
        matching.comeBack(last);
        matching.comeBack(first);
        assertEquals(List.of(1, 2, 3), tags());
        come(1, 4);
        assertEquals(List.of(1, 2, 3, 4), tags(), "the last one is known again");
    }

    @Test
    void messagesOfEarlierAndLaterCollectivesAreTold() {
        come(1, 5);
        come(2, 3);
        assertEquals(5, matching.before(1, 6).tag());
        assertNull(matching.before(1, 5));
        assertNull(matching.after(1, 5));
        assertEquals(5, matching.after(1, 4).tag());
        assertNull(matching.after(2, 4));
    }

    @Test
    void numbersOfCollectivesBeginAgainBehindTheGreatest() {
        come(1, Integer.MAX_VALUE);
        assertEquals(Integer.MAX_VALUE, matching.before(1, 2).tag(), "2 comes after the greatest number");
        assertNull(matching.after(1, 2));
    }

    @Test
    void nothingIsLeftWhenItIsCleared() {
        post(1, 7);
        come(1, 8);
        matching.clear();
        assertNull(matching.take(1, 7));
        assertNull(matching.firstCome());
        come(1, 9);
        assertEquals(List.of(9), tags());
    }
}
