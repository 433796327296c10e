package org.ftrma.messaging.receive;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ftrma.messaging.transport.FrameDescriptor;
import org.ftrma.messaging.transport.TwoRanks;
import org.junit.jupiter.api.Test;

/** Messages that come once, come again, and are received out of their order. */
class DuplicateFilterTest {
    private static final int RANKS = 3;
    private static final int SOURCE = 1;
    private final TwoRanks two = new TwoRanks(RANKS, true);
    private final DuplicateFilter filter = new DuplicateFilter(two.lanes());

    private boolean begins(long number) {
        return filter.begins(SOURCE, number, number * 7, 100);
    }

    /** Messages of these numbers begin. */
    private void come(int from, int to) {
        for (int number = from; number <= to; number++) {
            begins(number);
        }
    }

    private static long digest(int messages) {
        long digest = 0;
        for (int number = 1; number <= messages; number++) {
            digest = FrameDescriptor.digest(digest, number * 7, 100);
        }
        return digest;
    }

    @Test
    void theSourceReadsTheLastNumberOfThePrefixAndItsDigest() {
        come(1, 3);
        filter.received(SOURCE, 1);
        filter.received(SOURCE, 2);
        assertEquals(2, two.out(SOURCE).received());
        assertEquals(digest(2), two.out(SOURCE).receivedDigest());
        assertEquals(0, two.out(2).received(), "of another source");
    }

    @Test
    void aMessageThatIsReceivedBeforeOlderOnesDoesNotCountYet() {
        come(1, 3);
        filter.received(SOURCE, 3);
        filter.received(SOURCE, 1);
        assertEquals(1, filter.receivedUpTo(SOURCE));
        filter.received(SOURCE, 2);
        assertEquals(3, filter.receivedUpTo(SOURCE), "all that follows counts at once");
        assertEquals(digest(3), two.out(SOURCE).receivedDigest());
    }

    @Test
    void aMessageThatComesAgainIsReceivedOnce() {
        come(1, 3);
        filter.received(SOURCE, 1);
        filter.received(SOURCE, 3);
        filter.again(SOURCE);
        assertTrue(begins(2), "it was not received");
        assertFalse(begins(3), "it was, out of its order");
        assertTrue(begins(4));
    }

    @Test
    void aReceivedMessageCountsOnlyWhenAllOfItHasComeAgain() {
        come(1, 2);
        filter.received(SOURCE, 2);
        filter.again(SOURCE);
        begins(1);
        filter.received(SOURCE, 1);
        assertEquals(1, filter.receivedUpTo(SOURCE), "the sender of 2 may still wait for its answer");
        assertFalse(begins(2));
        filter.received(SOURCE, 2);
        assertEquals(2, filter.receivedUpTo(SOURCE));
    }

    @Test
    void manyMessagesMayWaitForAnOldOne() {
        come(1, 100);
        for (int number = 2; number <= 100; number++) {
            filter.received(SOURCE, number);
        }
        assertEquals(0, filter.receivedUpTo(SOURCE));
        assertEquals(99, filter.received());
        filter.received(SOURCE, 1);
        assertEquals(100, filter.receivedUpTo(SOURCE));
        assertEquals(digest(100), two.out(SOURCE).receivedDigest());
    }

    @Test
    void numbersGoOnBehindTheFirstRounds() {
        for (int number = 1; number <= 1000; number++) {
            assertTrue(begins(number));
            filter.received(SOURCE, number);
        }
        assertEquals(1000, filter.receivedUpTo(SOURCE));
        assertEquals(digest(1000), two.out(SOURCE).receivedDigest());
    }

    @Test
    void marksAreOfAllSources() {
        come(1, 2);
        filter.received(SOURCE, 1);
        filter.begins(2, 1, 5, 10);
        filter.received(2, 1);
        assertArrayEquals(new long[] {0, 1, 1}, filter.marks());
    }

    @Test
    void sourcesReadWhatACommittedImageCovers() {
        filter.covered(new long[] {0, 4, 0});
        assertEquals(4, two.out(SOURCE).covered());
        assertEquals(0, two.out(2).covered());
    }

    private DuplicateFilter restored(TwoRanks other) {
        MemorySegment image = TwoRanks.memory(DuplicateFilter.imageBytes(RANKS));
        long bytes = filter.save(image, 16);
        DuplicateFilter restored = new DuplicateFilter(other.lanes());
        assertEquals(bytes, restored.restore(image, 16, 16 + bytes));
        return restored;
    }

    @Test
    void anImageHasPrefixAndWhatIsAboveIt() {
        come(1, 9);
        for (int number : new int[] {1, 2, 4, 5, 8}) {
            filter.received(SOURCE, number);
        }
        TwoRanks other = new TwoRanks(RANKS, true);
        DuplicateFilter restored = restored(other);
        assertEquals(5, restored.received());
        restored.tellAll();
        assertEquals(2, other.out(SOURCE).received());
        assertEquals(2, other.out(SOURCE).covered());
        boolean[] isNew = new boolean[10];
        for (int number = 3; number <= 9; number++) {
            isNew[number] = restored.begins(SOURCE, number, number * 7, 100);
        }
        assertArrayEquals(new boolean[] {false, false, false, true, false, false, true, true, false, true}, isNew);
        restored.received(SOURCE, 3);
        restored.received(SOURCE, 4);
        restored.received(SOURCE, 5);
        assertEquals(5, restored.receivedUpTo(SOURCE));
        assertEquals(digest(5), other.out(SOURCE).receivedDigest(), "the digest goes on from the image's");
    }

    @Test
    void aSourceThatHasSentNothingIsNotInTheImage() {
        MemorySegment image = TwoRanks.memory(DuplicateFilter.imageBytes(RANKS));
        assertEquals(8, filter.save(image, 0));
        assertEquals(0, restored(new TwoRanks(RANKS, true)).received());
    }

    @Test
    void anImageThatMakesNoSenseIsRefused() {
        begins(1);
        filter.received(SOURCE, 1);
        MemorySegment image = TwoRanks.memory(DuplicateFilter.imageBytes(RANKS));
        long bytes = filter.save(image, 0);
        assertThrows(RuntimeException.class, () -> filter.restore(image, 0, bytes - 8));
        image.set(ValueLayout.JAVA_LONG, 8, RANKS);
        assertThrows(RuntimeException.class, () -> filter.restore(image, 0, bytes));
    }

    @Test
    void moreGapsThanAnImageHasRoomForAreTold() {
        assertTrue(filter.fitsImage());
        come(1, 10_000);
        for (int number = 2; number <= 2 << 12; number += 2) {
            filter.received(SOURCE, number);
        }
        assertTrue(filter.fitsImage());
        filter.received(SOURCE, (2 << 12) + 2);
        assertFalse(filter.fitsImage());
    }
}
