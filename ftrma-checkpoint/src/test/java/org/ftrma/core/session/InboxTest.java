package org.ftrma.core.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.ftrma.FtrmaException;
import org.ftrma.MisuseException;
import org.ftrma.PeerLostException;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.control.MessageCodec;
import org.ftrma.spi.ControlPlane;
import org.ftrma.spi.Unwind;
import org.junit.jupiter.api.Test;

/** What a member remembers of what it was told. */
class InboxTest implements ControlPlane {
    private final ArrayDeque<byte[]> frames = new ArrayDeque<>();
    private final List<String> heard = new ArrayList<>();
    private final Inbox inbox = new Inbox(this, (what, from, to) -> heard.add(to.name()));

    InboxTest() {
        inbox.playedHere();
        tell(new ControlMessage.Assign(1, 0, new ControlMessage.Start(1, 1, 1, 5), 0, Map.of(), new long[0],
            new long[3], new long[0]));
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

    @Test
    void aMemberGoesFromViewToViewByStatesWithNames() {
        assertThrows(Unwind.class, inbox::drain);
        inbox.enterView();
        inbox.ready();
        tell(new ControlMessage.Go(1));
        inbox.runs();
        tell(new ControlMessage.Rollback(2, 2, 1, 5));
        assertTrue(inbox.viewChanged());
        tell(new ControlMessage.Rollback(3, 3, 1, 5));
        assertThrows(Unwind.class, inbox::drain);
        inbox.enterView();
        inbox.drain();
        tell(new ControlMessage.End("enough"));
        assertThrows(FtrmaException.class, inbox::drain);
        tell(new ControlMessage.Rollback(4, 4, 1, 5));
        assertEquals(ViewState.ENDED, inbox.state());
        assertEquals(List.of("TOLD", "ENTERED", "READY", "RUNNING", "TOLD", "TOLD", "ENTERED", "ENDED"), heard);
    }

    @Test
    void whatIsOfAnotherViewCountsForNothing() {
        inbox.enterView();
        tell(new ControlMessage.Go(2));
        tell(new ControlMessage.DemandTake(0, 1, 70));
        assertTrue(!inbox.go() && inbox.demand() == null);
        tell(new ControlMessage.Go(1));
        assertTrue(inbox.go());
    }

    @Test
    void noWordOfAnOldViewLivesOn() {
        inbox.enterView();
        tell(new ControlMessage.Go(1));
        tell(new ControlMessage.Exchanged(1, 0, 0));
        tell(new ControlMessage.CutGo(1, 5, 2));
        tell(new ControlMessage.CutAwait(1, 6));
        tell(new ControlMessage.Resume(1, 4, 2));
        tell(new ControlMessage.DemandTake(1, 1, 70));
        tell(new ControlMessage.Returned(1, new long[] {0}, new long[] {9}));
        tell(new ControlMessage.Misuse(1, "told of view 1"));
        tell(new ControlMessage.ChecksumLost(1, 2));
        tell(new ControlMessage.Committed(1, 2, 7, 30));
        inbox.lost(new PeerLostException(0, "gone"));
        assertTrue(inbox.go() && inbox.isMissing(2) && inbox.returnedAfter(0) == 9 && inbox.loss() != null);
        tell(new ControlMessage.Rollback(2, 5, 1, 4));
        inbox.enterView();
        inbox.drain();
        assertEquals(List.of(2, 5, 1L, 30L), List.of(inbox.view(), inbox.timeline(), inbox.generation(),
            inbox.parityNanos()));
        assertTrue(!inbox.go() && !inbox.isMissing(2) && inbox.returnedAfter(0) == -1 && inbox.loss() == null);
        assertTrue(inbox.cuts().go() == null && inbox.cuts().awaitedStep() == -1 && inbox.cuts().resumedStep() == -1);
        assertTrue(inbox.demand() == null && !inbox.exchanges().takeComplete(0, 0));
    }

    @Test
    void misuseThatIsToldBeforeTheViewWasEnteredIsFoundInIt() {
        tell(new ControlMessage.Misuse(1, "two loops"));
        assertThrows(Unwind.class, inbox::drain);
        inbox.enterView();
        assertEquals("two loops", assertThrows(MisuseException.class, inbox::drain).getMessage());
        inbox.ready();
        assertEquals(ViewState.REFUSED, inbox.state());
        tell(new ControlMessage.Rollback(2, 2, 1, 5));
        inbox.enterView();
        inbox.drain();
        assertEquals(List.of("TOLD", "ENTERED", "REFUSED", "TOLD", "ENTERED"), heard);
    }

    @Test
    void whoAwaitedTheCoordinatorsWordIsWhereItWasUnlessTheWordIsANewView() {
        inbox.enterView();
        inbox.ready();
        inbox.runs();
        inbox.awaitingWord(() -> inbox.awaitingWord(() -> assertEquals(ViewState.AWAITING_WORD, inbox.state())));
        assertEquals(ViewState.RUNNING, inbox.state());
        assertThrows(Unwind.class, () -> inbox.awaitingWord(() -> {
            tell(new ControlMessage.Rollback(2, 2, 1, 5));
            inbox.drain();
        }));
        assertEquals(ViewState.TOLD, inbox.state());
        assertEquals(List.of("TOLD", "ENTERED", "READY", "RUNNING", "AWAITING_WORD", "RUNNING", "AWAITING_WORD",
            "TOLD"), heard);
    }

    @Test
    void accessesOfTheViewThatIsLeftAreGivenUpOnce() {
        List<String> given = new ArrayList<>();
        inbox.enterView();
        inbox.playThrough(AccessGate.NONE, () -> given.add("up"), () -> true);
        tell(new ControlMessage.Rollback(2, 2, 1, 5));
        assertThrows(Unwind.class, inbox::drain);
        tell(new ControlMessage.Rollback(3, 3, 1, 5));
        assertThrows(Unwind.class, inbox::drain);
        assertTrue(inbox.enterView());
        assertEquals(List.of("up"), given);
    }
}
