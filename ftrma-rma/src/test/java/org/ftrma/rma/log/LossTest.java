package org.ftrma.rma.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.LockType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a rank's logs tell of another one that is lost with all that it kept. Rank 1 is the buddy of rank 0. */
class LossTest {
    private static final int RANKS = 4;
    private static final int CHUNK = 4096;

    private final Arena arena = Arena.ofAuto();
    private final LogDescriptor layout = new LogDescriptor(RANKS, 32 * CHUNK, CHUNK);
    private final LogRegion[] regions = new LogRegion[RANKS];
    private AccessLog log;

    @BeforeEach
    void allRegionsAreEmpty() {
        for (int rank = 0; rank < RANKS; rank++) {
            renew(rank, 0);
        }
        log = new AccessLog(0, layout, rank -> regions[rank], 0);
    }

    /** As a replacement does. */
    private void renew(int rank, int timeline) {
        MemorySegment memory = arena.allocate(layout.regionBytes(), 4096);
        layout.format(memory, timeline);
        regions[rank] = new LogRegion(layout, rank, 0, new FakeRemote(memory, true, new Random(1)), memory, () -> { },
            arena);
    }

    private long lost(int rank) {
        return regions[0].entryWord(layout.putLog(rank), LogDescriptor.ENTRY_N);
    }

    @Test
    void anAccessThatIsUnderWayAtALostRankIsLost() {
        assertTrue(log.beginUpdate(0, 2, 8));
        log.updating(0, 2, DataType.INT64, 8, 0, 1);
        log.lostPeers().lost(2);
        assertEquals(LostPeers.LOST_RESULTS, lost(2));
        assertTrue(log.demand().lacksResults());
    }

    @Test
    void nothingIsLostWithARankThatKeptNothing() {
        log.putLong(0, 2, 1, 8);
        log.lostPeers().lost(2);
        assertEquals(0, lost(2));
        assertFalse(log.demand().lacksResults());
    }

    @Test
    void resultsThatTheBuddyKeptAreLostWithIt() {
        log.nondeterministic(5);
        log.lostPeers().lost(1);
        assertEquals(LostPeers.LOST_BUDDY, lost(1));
        assertTrue(log.demand().lacksResults());
    }

    @Test
    void howManyUpdatesALostRankHadIsTold() {
        for (int i = 0; i < 3; i++) {
            assertTrue(log.beginUpdate(0, 2, 8));
            log.atomic(0, 2, AtomicOp.SUM, DataType.INT64, 8, 1, i);
        }
        log.flushed(0, 2);
        log.lostPeers().lost(2);
        assertEquals(3, regions[0].entryWord(layout.putLog(2), LogDescriptor.ENTRY_UPDATES));
        assertEquals(1 << 1, regions[0].entryWord(layout.putLog(2), LogDescriptor.ENTRY_F));
    }

    /** An image is committed that was taken before the loss: it includes nothing of what was lost since. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void marksOfBeforeALossDoNotMakeUpForIt(int rank) {
        log.gotLong(0, 2, 1, 8);
        log.nondeterministic(5);
        LogMarks marks = log.resultMarks();
        log.lostPeers().lost(rank);
        log.demand().forget(marks, rank);
        renew(rank, 1);
        log.gotLong(0, 2, 2, 8);
        log.nondeterministic(6);
        log.trimResults(marks);
        assertTrue(log.demand().lacksResults());
        log.trimResults(log.resultMarks());
        assertFalse(log.demand().lacksResults(), "an image of after the loss does");
    }

    @Test
    void accessesUnderASharedLockAreToldApart() {
        log.locked(3, 2, LockType.SHARED, 17, false);
        log.putLong(3, 2, 1, 0);
        log.locked(3, 1, LockType.EXCLUSIVE, 18, false);
        log.putLong(3, 1, 1, 0);
        for (int target = 1; target <= 2; target++) {
            LogReader reader = new LogReader(regions[0], arena).open(layout.putLog(target));
            assertTrue(reader.next());
            assertEquals(target == 2, reader.record().isShared());
            assertEquals(target == 2 ? 17 : 18, reader.record().sc());
        }
    }

    /**
     * It is in no image, so that a replacement cannot know what came before a lock that it took, whichever image it
     * begins with.
     */
    @Test
    void aLockEventThatFindsNoRoomIsMissedWhateverImageAReplacementBeginsWith() {
        MemorySegment data = arena.allocate(4000, 8);
        while (regions[0].usedChunks() < layout.chunks()) {
            log.put(0, 2, data, 0, 0, data.byteSize());
        }
        assertEquals(0, log.drops());
        log.collective(9, true);
        log.locked(3, 2, LockType.EXCLUSIVE, 17, false);
        assertEquals(1, log.drops());
        LogReader events = new LogReader(regions[0], arena).open(layout.lockLog());
        assertTrue(events.hasGap());
        assertEquals(9, events.gapGnc());
        assertEquals(Long.MAX_VALUE, events.gapUpdates());
    }
}
