package org.ftrma.rma.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Random;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.LockType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a rank has under way at others that must not be done twice, and what a death in the middle of it leaves behind.
 */
class InFlightTest extends LoggedRanks {
    /** The word N is cleared after the record: a rank that dies in between is not in doubt. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anAtomicWhoseResultIsLoggedIsNotInDoubt(boolean mapped) {
        Rank p = rank(mapped);
        for (int i = 0; i < 3; i++) {
            begin(p.log, 1, 100 + i, 105 + i);
            InFlightAccess access = inFlight(p, 1);
            assertEquals("an atomic update (INT64) of window 0 at offset 8 from " + (100 + i) + " to " + (105 + i),
                access.toString());
            long n = watch(1).n(0);
            p.log.atomic(0, 1, AtomicOp.SUM, DataType.INT64, 8, 5, 100 + i);
            p.remotes[1].flush();
            assertNull(inFlight(p, 1));
            regions[1].set(ValueLayout.JAVA_LONG, watch(1).entry(layout.getLog(0)) + LogDescriptor.ENTRY_N, n);
            assertNull(inFlight(p, 1), "the record is there");
        }
    }

    /** A log that is trimmed between the word and the record ends elsewhere although nothing was added. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatIsBegunStaysInDoubtWhenItsLogIsTrimmed(boolean mapped) {
        Rank p = rank(mapped);
        begin(p.log, 1, 100, 105);
        p.log.atomic(0, 1, AtomicOp.SUM, DataType.INT64, 8, 5, 100);
        assertTrue(p.log.beginShared(1));
        p.log.changing(0, 1, 4, 5);
        p.log.trim(p.log.marks());
        assertTrue(inFlight(p, 1).isUnknown());
        p.log.locked(0, 1, LockType.SHARED, 5, false);
        p.remotes[1].flush();
        assertNull(inFlight(p, 1));
        begin(p.log, 1, 105, 110);
        assertTrue(watch(1).isBeingUpdated());
        p.log.trim(p.log.marks());
        assertTrue(watch(1).isBeingUpdated(), "a copy waits for it still");
    }

    /** It dies with the rank, and nobody saw it before its log was complete. */
    @Test
    void whatARankUpdatesInItsOwnMemoryIsNeverInDoubt() {
        Rank p = rank(true);
        begin(p.log, 0, 100, 105);
        for (int other = 1; other < RANKS; other++) {
            assertNull(inFlight(p, other));
        }
        Rank q = new Rank(1, true, new Random(6));
        assertFalse(q.log.beginUpdate(0, 0, 8), "nobody else updates it meanwhile");
        p.log.atomic(0, 0, AtomicOp.SUM, DataType.INT64, 8, 5, 100);
        assertFalse(q.log.beginUpdate(0, 0, 8), "it is logged, and about to be done");
        p.log.ended();
        assertTrue(q.log.beginUpdate(0, 0, 8));
    }

    /** What gives a lock back must not land when the same rank has it again. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anUpdateLockIsFreeBeforeItIsTakenAgain(boolean mapped) {
        Rank p = rank(mapped);
        begin(p.log, 1, 100, 105);
        p.log.atomic(0, 1, AtomicOp.SUM, DataType.INT64, 8, 5, 100);
        begin(p.log, 1, 105, 110);
        p.remotes[1].flush();
        Rank q = new Rank(2, true, new Random(6));
        assertFalse(q.log.beginUpdate(0, 1, 8), "it is held");
        p.log.atomic(0, 1, AtomicOp.SUM, DataType.INT64, 8, 5, 105);
        p.remotes[1].flush();
        assertTrue(q.log.beginUpdate(0, 1, 8), "it was given back");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatHadHappenedStaysKnownUntilItIsLogged(boolean mapped) {
        Rank p = rank(mapped);
        begin(p.log, 1, 100, 105);
        Rank q = new Rank(2, true, new Random(6));
        assertFalse(q.log.beginUpdate(0, 1, 8), "nobody else updates it before it is found out");
        LogRegion region = new LogRegion(layout, 1, 0, p.remotes[1], mapped ? regions[1] : null, p.remotes[1]::flush,
            arena);
        region.resolve(region.inFlight(0));
        assertTrue(q.log.beginUpdate(0, 1, 8));
        assertTrue(inFlight(p, 1).isKnownToHaveHappened(), "a replacement of the replacement finds it, too");
        assertTrue(new Rank(1, true, new Random(7)).log.demand().isBeingUpdated(),
            "no image says whether it includes it");
        Rank again = rank(mapped);
        again.log.lostPeers().resume(1, 0);
        again.log.atomic(0, 1, AtomicOp.SUM, DataType.INT64, 8, 5, 100);
        again.remotes[1].flush();
        assertNull(inFlight(p, 1));
        assertEquals(0, n(1));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theCountOfASharedLockIsInDoubtUntilItIsLogged(boolean mapped) {
        Rank p = rank(mapped);
        assertTrue(p.log.beginShared(1));
        p.log.changing(0, 1, 4, 5);
        assertEquals(LogDescriptor.NEEDS_LOCK, n(1));
        assertEquals(List.of(4L, 5L), List.of(inFlight(p, 1).old(), inFlight(p, 1).updated()));
        p.log.locked(0, 1, LockType.SHARED, 5, false);
        p.remotes[1].flush();
        assertEquals(0, n(1));
        p.log.unlocking(0, 1);
        p.log.leaving(0, 1, LockType.SHARED);
        assertTrue(p.log.beginShared(1));
        p.log.changing(0, 1, 5, 6);
        p.log.gaveUp(1);
        p.remotes[1].flush();
        assertEquals(0, n(1), "the word was changed by somebody else");
        assertTrue(p.log.beginShared(1));
        p.log.changing(0, 1, 7, 8);
        assertEquals(LogDescriptor.NEEDS_LOCK, n(1));
        p.log.unlocked(0, 1, LockType.SHARED, false);
        p.remotes[1].flush();
        assertEquals(0, n(1));
        assertEquals(List.of("lock w0@0+8 ec1 gc0 sc5 gnc0 0", "unlock w0@0+8 ec2 gc1 sc5 gnc0 0"),
            read(1, layout.getLog(0)));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anAtomicIsAnnouncedAndLoggedOnBothSides(boolean mapped) {
        Rank p = rank(mapped);
        begin(p.log, 1, 100, 105);
        assertEquals(LogDescriptor.NEEDS_ATOMIC, n(1));
        p.log.atomic(0, 1, AtomicOp.SUM, DataType.INT64, 8, 5, 100);
        assertEquals(List.of("atomic w0@8+24 ec1 le0 sc0 gnc0 #1 5 100 105"), read(0, layout.putLog(1)));
        assertEquals(List.of("atomic w0@8+24 ec1 gc0 sc0 gnc0 5 100 105"), read(1, layout.getLog(0)));
        p.remotes[1].flush();
        assertEquals(0, n(1));
        assertEquals(1, watch(1).updates(0));
        p.log.atomic(0, 1, AtomicOp.NO_OP, DataType.INT64, 8, 0, 105);
        assertEquals(1, read(0, layout.putLog(1)).size(), "reading is no put");
        assertEquals(2, read(1, layout.getLog(0)).size());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anAtomicWaitsWhileItsTargetCopies(boolean mapped) {
        Rank p = rank(mapped);
        Rank q = new Rank(1, true, new Random(6));
        q.region(1).hold(true);
        assertFalse(p.log.beginUpdate(0, 1, 8));
        p.remotes[1].flush();
        assertEquals(0, n(1), "it is not under way");
        assertFalse(q.log.demand().isBeingUpdated());
        begin(p.log, 2, 0, 1);
        p.log.atomic(0, 2, AtomicOp.SUM, DataType.INT64, 8, 1, 0);
        q.region(1).hold(false);
        assertTrue(p.log.beginUpdate(0, 1, 8));
        p.remotes[1].flush();
        assertTrue(q.log.demand().isBeingUpdated());
    }
}
