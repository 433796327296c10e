package org.ftrma.messaging.pessimistic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import org.ftrma.Channel;
import org.ftrma.core.session.StateListener;
import org.ftrma.core.session.StateMachine;
import org.ftrma.messaging.event.EventDescriptor;
import org.ftrma.messaging.event.EventLog;
import org.ftrma.messaging.match.ChannelMembers;
import org.ftrma.messaging.match.ReceiveRequest;
import org.ftrma.messaging.match.ReceiveRequests;
import org.ftrma.messaging.receive.DuplicateFilter;
import org.ftrma.messaging.receive.MessageDeterminants.Call;
import org.ftrma.messaging.transport.TwoRanks;
import org.junit.jupiter.api.Test;

/** Outcomes of a rank, and the same calls in a replay; there are no event loggers. */
class LoggedDeterminantsTest {
    private static final long FREE = LoggedDeterminants.FREE;
    private static final ChannelMembers CHANNEL = new ChannelMembers(new int[] {0, 1, 2}, 0, 0, 3);
    private final StateMachine<MessageLoggingState> state = MessageLoggingState.machine(StateListener.NONE);
    private final EventLog events = new EventLog(null, null, Arena.ofAuto().allocate(EventDescriptor.bytes(), 64));
    private final LoggedDeterminants determinants = new LoggedDeterminants(null, events, state);

    private static ReceiveRequest receive(int source) {
        ReceiveRequest receive = new ReceiveRequests().fresh();
        receive.begin(CHANNEL, null, 0, 0, 0, source, 1);
        return receive;
    }

    private ReceiveRequest post(int source) {
        ReceiveRequest receive = receive(source);
        determinants.posted(receive);
        return receive;
    }

    /** The program is run again from that call on. */
    private void replayFrom(long clock) {
        determinants.clock(clock);
        determinants.replay();
    }

    private void call(Call call, long outcome) {
        assertEquals(FREE, determinants.next(call));
        determinants.was(call, outcome);
    }

    @Test
    void callsTellAgainWhatTheyTold() {
        call(Call.ANY, 2);
        call(Call.PROBE, 1);
        replayFrom(0);
        assertTrue(determinants.isReplaying());
        assertEquals(2, determinants.next(Call.ANY));
        assertEquals(1, determinants.next(Call.PROBE));
        assertFalse(determinants.isReplaying(), "all events are used");
        assertEquals(FREE, determinants.next(Call.ANY));
    }

    @Test
    void callsBeforeAnEventTellOfNothing() {
        assertEquals(FREE, determinants.next(Call.TEST));
        assertEquals(FREE, determinants.next(Call.TEST));
        call(Call.TEST, 0);
        replayFrom(0);
        assertEquals(LoggedDeterminants.NOTHING, determinants.next(Call.TEST));
        assertEquals(LoggedDeterminants.NOTHING, determinants.next(Call.TEST));
        assertEquals(0, determinants.next(Call.TEST));
    }

    @Test
    void callsThatToldOfNothingAreNoEventByThemselves() {
        call(Call.TEST, LoggedDeterminants.NOTHING);
        call(Call.TEST, LoggedDeterminants.NOTHING);
        assertEquals(0, events.end());
    }

    @Test
    void aReceiveOfAnySourceTakesTheSameOneAgain() {
        ReceiveRequest first = post(Channel.ANY_SOURCE);
        ReceiveRequest second = post(Channel.ANY_SOURCE);
        determinants.matched(second, 1);
        determinants.matched(first, 2);
        replayFrom(0);
        assertEquals(2, post(Channel.ANY_SOURCE).peer());
        assertTrue(determinants.isReplaying());
        assertEquals(1, post(Channel.ANY_SOURCE).peer());
        assertFalse(determinants.isReplaying());
        assertEquals(Channel.ANY_SOURCE, post(Channel.ANY_SOURCE).peer());
    }

    @Test
    void aReceiveThatHadMatchedNothingIsFree() {
        post(Channel.ANY_SOURCE);
        ReceiveRequest second = post(Channel.ANY_SOURCE);
        determinants.matched(second, 1);
        replayFrom(0);
        assertEquals(Channel.ANY_SOURCE, post(Channel.ANY_SOURCE).peer());
        assertEquals(1, post(Channel.ANY_SOURCE).peer());
    }

    @Test
    void aReceiveThatWasEndedTakesNothing() {
        ReceiveRequest receive = post(1);
        call(Call.CANCEL, receive.clock() << 1 | 1);
        ReceiveRequest other = post(1);
        call(Call.CANCEL, other.clock() << 1);
        replayFrom(0);
        assertTrue(post(1).isInert());
        assertEquals(1 << 1 | 1, determinants.next(Call.CANCEL));
        assertFalse(post(1).isInert(), "it had matched before");
    }

    @Test
    void valuesAreToldAgainWhateverTheyAre() {
        long[] values = {0, -1, FREE, Long.MAX_VALUE};
        for (long value : values) {
            assertEquals(FREE, determinants.next(Call.VALUE));
            determinants.wasValue(value);
        }
        assertEquals(values.length, determinants.values());
        replayFrom(0);
        for (long value : values) {
            long known = determinants.next(Call.VALUE);
            assertTrue(known != FREE);
            assertEquals(value, determinants.value(known));
        }
    }

    @Test
    void eventsThatAnImageCoversAreNotReplayed() {
        call(Call.ANY, 2);
        call(Call.ANY, 1);
        long mark = determinants.mark();
        long clock = determinants.clock();
        call(Call.ANY, 0);
        assertEquals(2, mark);
        events.trim(mark);
        replayFrom(clock);
        assertEquals(0, determinants.next(Call.ANY));
        assertFalse(determinants.isReplaying());
    }

    @Test
    void aRankWithoutEventsReplaysNothing() {
        replayFrom(0);
        assertFalse(determinants.isReplaying());
        assertEquals(FREE, determinants.next(Call.PROBE));
    }

    @Test
    void sourcesReadWhatIsCoveredWhenTheImageIsCommitted() {
        TwoRanks two = new TwoRanks(3, true);
        DuplicateFilter received = new DuplicateFilter(two.lanes());
        ImageMarks marks = new ImageMarks(received, determinants, events);
        received.begins(1, 1, 7, 8);
        received.received(1, 1);
        call(Call.ANY, 2);
        marks.copied(4);
        marks.publish();
        assertEquals(0, two.out(1).covered(), "a copy may be given up");
        received.begins(1, 2, 7, 8);
        received.received(1, 2);
        call(Call.ANY, 1);
        marks.committed(3);
        marks.publish();
        assertEquals(0, two.out(1).covered(), "that was another generation");
        marks.committed(4);
        assertEquals(0, two.out(1).covered(), "it is put off");
        marks.publish();
        assertEquals(1, two.out(1).covered(), "what was received later is not in the image");
        assertEquals(1, events.begin());
    }

    @Test
    void anImageOfThisRankAloneCoversSomethingWhenItIsCommitted() {
        TwoRanks two = new TwoRanks(3, true);
        DuplicateFilter received = new DuplicateFilter(two.lanes());
        ImageMarks marks = new ImageMarks(received, determinants, events);
        received.begins(1, 1, 7, 8);
        received.received(1, 1);
        marks.copiedAlone();
        marks.abandonedAlone();
        marks.committedAlone();
        marks.publish();
        assertEquals(0, two.out(1).covered(), "it was given up");
        marks.copiedAlone();
        marks.committedAlone();
        marks.publish();
        assertEquals(1, two.out(1).covered());
    }

    @Test
    void nothingOfAnEarlierViewIsPublished() {
        TwoRanks two = new TwoRanks(3, true);
        DuplicateFilter received = new DuplicateFilter(two.lanes());
        ImageMarks marks = new ImageMarks(received, determinants, events);
        received.begins(1, 1, 7, 8);
        received.received(1, 1);
        marks.copied(4);
        marks.copiedAlone();
        marks.clear();
        marks.committed(4);
        marks.committedAlone();
        marks.publish();
        assertEquals(0, two.out(1).covered());
    }
}
