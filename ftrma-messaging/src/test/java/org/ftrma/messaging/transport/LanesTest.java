package org.ftrma.messaging.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ftrma.FtrmaException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Both ends of a lane. */
class LanesTest {
    private static final int SOURCE = 1;
    private static final int CONTEXT = 4;

    private static boolean send(OutLane out, int tag, long length, int value) {
        return out.eager(tag, CONTEXT, 0, TwoRanks.filled(Math.max(1, length), value), 0, length);
    }

    private static int firstByte(TwoRanks two, InLane in) {
        return two.inbox().get(ValueLayout.JAVA_BYTE, in.payloadAt());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aFrameTellsWhatWasSent(boolean isMapped) {
        TwoRanks two = new TwoRanks(2, isMapped);
        InLane in = two.in(SOURCE);
        assertFalse(in.hasFrame());
        assertTrue(two.out(SOURCE).eager(7, CONTEXT, 99, TwoRanks.filled(20, 3), 5, 10));
        assertTrue(in.hasFrame());
        assertEquals(FrameDescriptor.EAGER, in.kind());
        assertEquals(7, in.tag());
        assertEquals(CONTEXT, in.context());
        assertEquals(99, in.call());
        assertEquals(10, in.total());
        assertEquals(1, in.number());
        assertEquals(3, firstByte(two, in));
        in.take();
        assertFalse(in.hasFrame());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aLaneIsAnnouncedWithItsFirstFrame(boolean isMapped) {
        TwoRanks two = new TwoRanks(70, isMapped);
        assertEquals(0, InLane.senders(two.inbox(), 1));
        send(two.out(65), 1, 8, 1);
        assertEquals(1L << 1, InLane.senders(two.inbox(), 1));
        assertEquals(0, InLane.senders(two.inbox(), 0));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aFullLaneTakesNothingUntilSomethingIsTakenOut(boolean isMapped) {
        TwoRanks two = new TwoRanks(2, isMapped);
        OutLane out = two.out(SOURCE);
        InLane in = two.in(SOURCE);
        int sent = 0;
        while (send(out, sent, 100, sent)) {
            sent++;
        }
        assertTrue(sent > 2 && sent < TwoRanks.LANE / 100, sent + " frames");
        assertEquals(sent, out.messages());
        assertTrue(in.hasFrame());
        in.take();
        assertTrue(send(out, sent, 20, 1));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void framesOfAllLengthsComeInOrderOverTheEndOfTheLane(boolean isMapped) {
        TwoRanks two = new TwoRanks(2, isMapped);
        OutLane out = two.out(SOURCE);
        InLane in = two.in(SOURCE);
        for (int i = 0; i < 200; i++) {
            assertTrue(send(out, i, i * 37 % 300, i % 100), "frame " + i);
            assertTrue(in.hasFrame(), "frame " + i);
            assertEquals(i, in.tag());
            assertEquals(i + 1, in.number());
            assertEquals(i * 37 % 300, in.total());
            if (in.total() > 0) {
                assertEquals(i % 100, firstByte(two, in));
            }
            in.take();
        }
        assertFalse(in.hasFrame());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void piecesOfAMessageHaveOneNumber(boolean isMapped) {
        TwoRanks two = new TwoRanks(2, isMapped);
        OutLane out = two.out(SOURCE);
        InLane in = two.in(SOURCE);
        out.piece(true, 7, CONTEXT, 0, 150, 640, 100);
        out.piece(false, 7, CONTEXT, 0, 150, 1280, 50);
        send(out, 8, 8, 1);
        assertTrue(in.hasFrame());
        assertEquals(FrameDescriptor.FIRST, in.kind());
        assertEquals(640, in.slot());
        assertEquals(100, in.pieceBytes());
        in.take();
        assertTrue(in.hasFrame());
        assertEquals(FrameDescriptor.NEXT, in.kind());
        assertEquals(1, in.number());
        assertEquals(50, in.pieceBytes());
        in.take();
        assertTrue(in.hasFrame());
        assertEquals(2, in.number());
    }

    @Test
    void aSourceReadsWhatWasReceivedAndCovered() {
        TwoRanks two = new TwoRanks(3, true);
        InLane in = two.in(2);
        OutLane out = two.out(2);
        in.tellReceived(5, 77);
        in.tellCovered(3);
        assertEquals(5, out.received());
        assertEquals(77, out.receivedDigest());
        assertEquals(3, out.covered());
        assertEquals(0, two.out(1).received(), "of another source");
    }

    @Test
    void aLaneThatIsOpenedAgainGoesOnBehindWhatWasReceived() {
        TwoRanks two = new TwoRanks(2, true);
        OutLane out = two.out(SOURCE);
        send(out, 1, 8, 1);
        InLane in = two.in(SOURCE);
        in.clear(4);
        assertFalse(in.hasFrame(), "the old frame is not there any more");
        OutLane next = two.out(SOURCE);
        next.startAfter(4);
        send(next, 2, 8, 1);
        assertTrue(in.hasFrame());
        assertEquals(5, in.number());
    }

    @Test
    void aFrameThatIsMissingBeforeAnotherOneIsNoticed() {
        TwoRanks two = new TwoRanks(2, true);
        OutLane out = two.out(SOURCE);
        out.startAfter(1);
        send(out, 1, 8, 1);
        String refusal = assertThrows(FtrmaException.class, () -> two.in(SOURCE).hasFrame()).getMessage();
        assertTrue(refusal.contains("rank 1 is malformed: message 2 where 1 is next"), refusal);
    }

    @Test
    void bytesThatAreNoFrameAreRefused() {
        TwoRanks two = new TwoRanks(2, true);
        MemorySegment inbox = two.inbox();
        inbox.set(ValueLayout.JAVA_LONG, FrameDescriptor.laneOffset(2, TwoRanks.LANE, SOURCE),
            FrameDescriptor.header(9, 8));
        assertThrows(FtrmaException.class, () -> two.in(SOURCE).hasFrame());
        inbox.set(ValueLayout.JAVA_LONG, FrameDescriptor.laneOffset(2, TwoRanks.LANE, SOURCE),
            FrameDescriptor.header(FrameDescriptor.EAGER, TwoRanks.LANE));
        assertThrows(FtrmaException.class, () -> two.in(SOURCE).hasFrame());
    }

    @Test
    void lanesOfAnInboxDoNotOverlap() {
        for (int ranks : new int[] {1, 2, 63, 64, 65, 1024}) {
            long end = FrameDescriptor.headOffset(ranks, 0);
            assertTrue(end >= FrameDescriptor.senderOffset(ranks - 1) + 8);
            for (int source = 0; source < ranks; source++) {
                assertEquals(end + source * FrameDescriptor.LINE, FrameDescriptor.headOffset(ranks, source));
                assertEquals(FrameDescriptor.headOffset(ranks, ranks) + source * TwoRanks.LANE,
                    FrameDescriptor.laneOffset(ranks, TwoRanks.LANE, source));
            }
            assertEquals(FrameDescriptor.laneOffset(ranks, TwoRanks.LANE, ranks),
                FrameDescriptor.inboxBytes(ranks, TwoRanks.LANE));
        }
    }

    @Test
    void theDigestKnowsOrderTagAndLength() {
        long one = FrameDescriptor.digest(FrameDescriptor.digest(0, 1, 8), 2, 8);
        assertFalse(one == FrameDescriptor.digest(FrameDescriptor.digest(0, 2, 8), 1, 8), "order");
        assertFalse(one == FrameDescriptor.digest(FrameDescriptor.digest(0, 1, 8), 2, 9), "length");
        assertFalse(one == FrameDescriptor.digest(FrameDescriptor.digest(0, 1, 8), 3, 8), "tag");
    }
}
