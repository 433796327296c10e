package org.ftrma.rma.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Random;
import org.ftrma.AtomicOp;
import org.ftrma.Counters;
import org.ftrma.DataType;
import org.ftrma.LockType;
import org.ftrma.spi.Blocks;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What three ranks' logs hold after accesses of rank 0: the patterns A to E of section 4.1. */
class AccessLogTest extends LoggedRanks {
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void putsAndFlushesAreOrderedByEpochs(boolean mapped) {
        Rank p = rank(mapped);
        p.log.putLong(0, 1, 41, 16);
        p.log.putLong(1, 2, 42, 24);
        assertEquals(List.of("put w0@16+8 ec1 le0 sc0 gnc0 41"), read(0, layout.putLog(1)),
            "logged before the epoch closes");
        p.log.flushed(0, 1);
        p.log.flushed(0, 1);
        data.set(ValueLayout.JAVA_LONG, 8, 43);
        p.log.put(0, 1, data, 8, 32, 8);
        p.log.put(0, 1, data, 8, 40, 16);
        assertEquals(List.of("put w0@16+8 ec1 le0 sc0 gnc0 41", "put w0@32+8 ec3 le0 sc0 gnc0 43",
            "put w0@40+16 ec3 le0 sc0 gnc0 43 0"),
            read(0, layout.putLog(1)));
        assertEquals(List.of("put w1@24+8 ec1 le0 sc0 gnc0 42"), read(0, layout.putLog(2)));
        assertEquals(1 << 1, f(1));
        assertEquals(0, f(2));
        Counters counters = p.log.counters();
        assertEquals(2, counters.epochs(1), "epochs close with every flush");
        assertEquals(0, counters.epochs(2));
        assertEquals(2, counters.flushes());
        assertEquals(4, counters.records());
        assertEquals(3 * 64 + 72, counters.putLogBytes());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void getsAreLoggedAtTheirTargetInTheOrderOfIssueWhenTheyCanBeUsed(boolean mapped) {
        Rank p = rank(mapped);
        p.log.get(0, 1, data, 0, 64, 8);
        p.log.get(0, 2, data, 8, 0, 8);
        p.log.get(2, 1, data, 16, 72, 8);
        assertEquals(List.of(), read(1, layout.getLog(0)));
        assertEquals(0, n(1), "a get whose result was never used may be issued again");
        data.set(ValueLayout.JAVA_LONG, 0, 7);
        data.set(ValueLayout.JAVA_LONG, 16, 8);
        p.log.arrived(1);
        assertEquals(List.of("get w0@64+8 ec1 gc0 sc0 gnc0 7", "get w2@72+8 ec1 gc0 sc0 gnc0 8"),
            read(1, layout.getLog(0)));
        assertEquals(0, f(1), "flushLocal closes no epoch");
        data.set(ValueLayout.JAVA_LONG, 8, 9);
        p.log.flushed(0, -1);
        assertEquals(List.of("get w0@0+8 ec1 gc0 sc0 gnc0 9"), read(2, layout.getLog(0)));
        assertEquals(2, read(1, layout.getLog(0)).size(), "once");
        assertEquals(0, f(1), "F is about what would be sent again");
        assertEquals(1, p.log.counters().flushes());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void pollingIsOneRecordWithACount(boolean mapped) {
        Rank p = rank(mapped);
        for (int i = 0; i < 5; i++) {
            p.log.gotLong(0, 1, 0, 8);
        }
        p.log.gotLong(0, 1, 1, 8);
        p.log.gotLong(0, 1, 1, 16);
        p.log.flushed(0, 1);
        p.log.gotLong(0, 1, 1, 16);
        for (int i = 0; i < 3; i++) {
            assertTrue(p.log.beginUpdate(0, 1, 4));
            p.log.compareAndSwap(0, 1, 4, DataType.INT32, 0, 1, -1);
        }
        assertTrue(p.log.beginUpdate(0, 1, 4));
        p.log.compareAndSwap(0, 1, 4, DataType.INT32, 0, 1, 0);
        assertEquals(List.of("getLong w0@8+8 ec1 gc0 sc0 gnc0 x4 0", "getLong w0@8+8 ec1 gc0 sc0 gnc0 1",
            "getLong w0@16+8 ec1 gc0 sc0 gnc0 1",
            "getLong w0@16+8 ec2 gc1 sc0 gnc0 1", "compareAndSwap w0@4+24 ec2 gc1 sc0 gnc0 x2 0 -1 -1",
            "compareAndSwap w0@4+24 ec2 gc1 sc0 gnc0 0 0 1"), read(1, layout.getLog(0)));
        assertEquals(List.of("compareAndSwap w0@4+24 ec2 le0 sc0 gnc0 #1 0 0 1"), read(0, layout.putLog(1)),
            "what changed nothing is no put");
    }

    @Test
    void aPollThatGoesOnAfterALockIsAnotherRecord() {
        Rank p = rank(true);
        p.log.gotLong(0, 1, 9, 8);
        p.log.locked(1, 1, LockType.EXCLUSIVE, 3, false);
        p.log.gotLong(0, 1, 9, 8);
        assertEquals(List.of("getLong w0@8+8 ec1 gc0 sc0 gnc0 9", "lock w1@0+8 ec1 gc0 sc3 gnc0 1",
            "getLong w0@8+8 ec1 gc0 sc0 gnc0 9"),
            read(1, layout.getLog(0)));
    }

    @Test
    void aStagedPutIsLoggedWithoutASecondCopy() {
        Rank p = rank(true);
        MemorySegment room = p.log.stage(0, 1, 1000);
        room.fill((byte) 3);
        p.log.put(0, 1, room, 0, 64, 1000);
        long before = p.log.counters().putLogBytes();
        assertEquals(1056, before);
        LogReader reader = new LogReader(watch(0), arena).open(layout.putLog(1));
        assertTrue(reader.next());
        assertEquals(room.address(), reader.record().data().address() + reader.record().dataOffset());
        p.log.put(0, 1, room, 0, 64, 1000);
        assertEquals(2 * before, p.log.counters().putLogBytes(), "a second put from there is a put like any other");
        assertEquals(0, p.log.drops());
    }

    /** Regions of two ranks, mapped, that can be streamed to. */
    private LogRegion[] streamedTo(LogDescriptor large, FakeRemote[] remotes) {
        LogRegion[] opened = new LogRegion[2];
        for (int rank = 0; rank < 2; rank++) {
            MemorySegment memory = arena.allocate(large.regionBytes(), 64);
            large.format(memory, 0);
            remotes[rank] = new FakeRemote(memory, true, new Random(1));
            remotes[rank].streamed = 0;
            opened[rank] = new LogRegion(large, rank, 0, remotes[rank], memory, () -> { }, arena);
        }
        return opened;
    }

    @Test
    void whereTheLogIsStreamedToALargePutIsPackedElsewhere() {
        LogDescriptor large = new LogDescriptor(2, 16 * 16_384, 16_384);
        FakeRemote[] remotes = new FakeRemote[2];
        LogRegion[] opened = streamedTo(large, remotes);
        AccessLog log = new AccessLog(0, large, rank -> opened[rank], 0);
        assertNull(log.stage(0, 1, 4096), "it would be written row by row");
        assertNotNull(log.stage(0, 1, 4095));
        log.put(0, 1, data, 0, 0, 4088);
        assertEquals(0, remotes[0].streamed);
        for (int i = 0; i < 5; i++) {
            data.setAtIndex(ValueLayout.JAVA_LONG, 0, 40 + i);
            log.put(0, 1, data, 0, 0, 4096);
        }
        log.putStrided(0, 1, data, new Blocks().of(2, 2048).from(0, 2048).to(0, 4096));
        assertTrue(remotes[0].streamed >= 4 * 4096 && remotes[0].streamed <= 6 * 4096,
            "all but parts that end a chunk: " + remotes[0].streamed);
        LogReader reader = new LogReader(opened[0], arena).open(large.putLog(1));
        long bytes = 0;
        long newest = 0;
        while (reader.next()) {
            bytes += reader.record().length();
            newest = Math.max(newest, reader.record().value(0));
        }
        assertEquals(4088 + 6 * 4096, bytes);
        assertEquals(44, newest);
        assertEquals(0, log.drops());
    }

    @Test
    void packedInTheLogALargePutIsNotCopiedThoughItCouldBeStreamed() {
        LogDescriptor large = new LogDescriptor(2, 16 * 16_384, 16_384);
        FakeRemote[] remotes = new FakeRemote[2];
        LogRegion[] opened = streamedTo(large, remotes);
        opened[0].packHere();
        AccessLog log = new AccessLog(0, large, rank -> opened[rank], 0);
        MemorySegment room = log.stage(0, 1, 8192);
        room.fill((byte) 3);
        log.putStrided(0, 1, room, new Blocks().of(2, 4096).from(0, 4096).to(0, 5000));
        LogReader reader = new LogReader(opened[0], arena).open(large.putLog(1));
        for (int block = 0; block < 2; block++) {
            assertTrue(reader.next());
            LogRecord record = reader.record();
            assertEquals(room.address() + block * 4096, record.data().address() + record.dataOffset());
            assertEquals(4096, reader.record().length());
        }
        assertEquals(0, remotes[0].streamed);
        log.put(0, 1, data, 0, 0, 4096);
        assertEquals(4096, remotes[0].streamed, "what comes from elsewhere is streamed all the same");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aStridedPutIsOneRecord(boolean mapped) {
        Rank p = rank(mapped);
        data.setAtIndex(ValueLayout.JAVA_LONG, 2, 12);
        p.log.putStrided(0, 1, data, new Blocks().of(2, 8).from(0, 16).to(100, 50));
        assertEquals(List.of("put w0@100+8 ec1 le0 sc0 gnc0 0", "put w0@150+8 ec1 le0 sc0 gnc0 12"),
            read(0, layout.putLog(1)));
        assertEquals(1, p.log.counters().records());
        MemorySegment room = p.log.stage(0, 1, 32);
        room.fill((byte) 0);
        room.set(ValueLayout.JAVA_LONG, 8, 13);
        p.log.putStrided(0, 1, room, new Blocks().of(2, 8).from(0, 8).to(0, 64));
        assertEquals(List.of("put w0@0+8 ec1 le0 sc0 gnc0 0", "put w0@64+8 ec1 le0 sc0 gnc0 13"),
            read(0, layout.putLog(1)).subList(2, 4));
        assertEquals(2, p.log.counters().records());
    }

    @Test
    void aLogThatOutgrowsTheBudgetIsReported() {
        Rank p = rank(true);
        assertFalse(p.log.runsLow());
        for (int i = 0; i < 40; i++) {
            p.log.put(0, 1, data, 0, 0, 4000);
        }
        assertTrue(p.log.runsLow());
        assertEquals(1, p.log.drops());
        p.log.trim(p.log.marks());
        assertEquals(0, p.log.drops());
        assertEquals(1, p.log.counters().droppedLogs());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatAnImageIncludesIsDroppedAndNothingElse(boolean mapped) {
        Rank p = rank(mapped);
        Rank q = new Rank(1, true, new Random(6));
        p.log.putLong(0, 1, 41, 16);
        begin(p.log, 1, 100, 105);
        p.log.atomic(0, 1, AtomicOp.SUM, DataType.INT64, 8, 5, 100);
        p.log.flushed(0, 1);
        begin(p.log, 1, 105, 110);
        p.log.atomic(0, 1, AtomicOp.SUM, DataType.INT64, 8, 5, 105);
        p.remotes[1].flush();
        Coverage image = q.log.demand().coverage(() -> { });
        assertEquals(1, image.closed()[0]);
        assertEquals(2, image.updates()[0], "updates are included before their epoch closes");
        p.log.putLong(0, 1, 42, 24);
        begin(p.log, 1, 110, 115);
        p.log.atomic(0, 1, AtomicOp.SUM, DataType.INT64, 8, 5, 110);
        p.log.putLong(0, 2, 43, 0);
        p.log.demand().trimFor(1, image, window -> false, false);
        List<String> kept = List.of("put w0@24+8 ec2 le0 sc0 gnc0 42", "atomic w0@8+24 ec2 le0 sc0 gnc0 #3 5 110 115");
        assertEquals(kept, read(0, layout.putLog(1)));
        assertEquals(1, read(0, layout.putLog(2)).size(), "what another rank needs stays");
        assertEquals(image.gnc(), Coverage.of(image.toLongs(), RANKS).gnc());
        assertNull(Coverage.of(new long[3], RANKS));
    }

    @Test
    void putsToScratchWindowsAreKeptUntilABarrierSeparatesThemFromTheImage() {
        Rank p = rank(true);
        Rank q = new Rank(1, true, new Random(6));
        p.log.putLong(0, 1, 41, 16);
        p.log.flushed(0, -1);
        Coverage early = q.log.demand().coverage(() -> { });
        p.log.demand().trimFor(1, early, window -> true, true);
        assertEquals(1, read(0, layout.putLog(1)).size(), "no image holds it");
        q.log.collective(1, true);
        p.log.demand().trimFor(1, q.log.demand().coverage(() -> { }), window -> true, true);
        assertEquals(0, read(0, layout.putLog(1)).size());
    }

    @Test
    void aGapIsClosedByAnImageThatIncludesWhatIsMissing() {
        Rank p = rank(true);
        Rank q = new Rank(1, true, new Random(6));
        p.log.putLong(0, 1, 41, 16);
        p.log.flushed(0, 1);
        Coverage before = q.log.demand().coverage(() -> { });
        MemorySegment image = arena.allocate(LogImage.bytes(RANKS), 8);
        p.log.putLong(0, 1, 42, 16);
        new LogImage(p.log, image, 0).save();
        layout.format(regions[0], 1);
        Rank again = rank(true);
        new LogImage(again.log, image, 0).restore();
        new LogImage(again.log, image, 0).lackPutsBefore();
        assertTrue(again.log.demand().lacksFor(1));
        again.log.demand().trimFor(1, before, window -> false, false);
        assertTrue(again.log.demand().lacksFor(1), "epoch 2 is not included");
        again.log.flushed(0, 1);
        again.log.demand().trimFor(1, q.log.demand().coverage(() -> { }), window -> false, false);
        assertFalse(again.log.demand().lacksFor(1));
        assertFalse(again.log.demand().lacksFor(2), "nothing was ever put there");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void accessesUnderALockCarryItsNumber(boolean mapped) {
        Rank p = rank(mapped);
        p.log.locked(3, 1, LockType.EXCLUSIVE, 17, false);
        assertEquals(17, p.log.counters().lockSequence(3, 1));
        p.log.putLong(3, 1, 1, 0);
        p.log.putLong(2, 1, 2, 0);
        p.log.gotLong(3, 1, 4, 8);
        p.log.unlocking(3, 1);
        assertEquals(1 << 1, f(1));
        p.log.leaving(3, 1, LockType.EXCLUSIVE);
        p.log.unlocked(3, 1, LockType.EXCLUSIVE, false);
        assertEquals(0, p.log.counters().lockSequence(3, 1));
        p.log.putLong(3, 1, 3, 0);
        assertEquals(List.of("put w3@0+8 ec1 le1 sc17 gnc0 1", "put w2@0+8 ec1 le1 sc0 gnc0 2",
            "put w3@0+8 ec2 le2 sc0 gnc0 3"),
            read(0, layout.putLog(1)));
        assertEquals(List.of("lock w3@0+8 ec1 gc0 sc17 gnc0 1", "getLong w3@8+8 ec1 gc0 sc17 gnc0 4"),
            read(1, layout.getLog(0)));
        assertEquals(List.of("lock w3@1+8 ec0 gc1 sc17 gnc0 0", "unlock w3@1+8 ec0 gc2 sc17 gnc0 0"),
            read(0, layout.lockLog()));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void resultsWithoutARemoteHomeGoToTheBuddy(boolean mapped) {
        Rank p = rank(mapped);
        p.log.putLong(0, 0, 1, 0);
        assertTrue(p.log.beginUpdate(0, 0, 8));
        p.log.atomic(0, 0, AtomicOp.MAX, DataType.INT64, 8, 5, 3);
        p.log.nondeterministic(77);
        p.log.nondeterministic(0);
        p.log.nondeterministic(0);
        assertEquals(List.of("atomic w0@8+24 ec0 gc0 sc0 gnc0 5 3 5", "nondeterministic w0@0+8 ec0 gc0 sc0 gnc0 77",
            "nondeterministic w0@0+8 ec0 gc0 sc0 gnc0 x1 0"), read(1, layout.buddyLog()));
        assertEquals(List.of(), read(0, layout.putLog(0)));
        assertEquals(List.of(), read(0, layout.getLog(0)));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aCommittedCutTrimsAllLogsOfTheRank(boolean mapped) {
        Rank p = rank(mapped);
        act(p, 1);
        LogMarks marks = p.log.marks();
        act(p, 2);
        p.log.trim(marks);
        assertEquals(List.of("put w0@0+8 ec2 le0 sc0 gnc1 2"), read(0, layout.putLog(1)));
        assertEquals(List.of("getLong w0@8+8 ec2 gc1 sc0 gnc1 2"), read(1, layout.getLog(0)));
        assertEquals(List.of("nondeterministic w0@0+8 ec0 gc1 sc0 gnc1 2"), read(1, layout.buddyLog()));
        assertEquals(1, read(0, layout.collectiveLog()).size());
        p.log.trim(p.log.marks());
        assertEquals(List.of(), read(0, layout.putLog(1)));
        act(p, 3);
        assertEquals(1, read(0, layout.putLog(1)).size());
    }

    private void act(Rank p, long value) {
        p.log.putLong(0, 1, value, 0);
        p.log.gotLong(0, 1, value, 8);
        p.log.nondeterministic(value);
        data.set(ValueLayout.JAVA_LONG, 0, value);
        p.log.flushed(0, 1);
        p.log.collective(value, false);
        p.log.result(value, 0, data, 0, 8);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aPollIsNotCountedInARecordBeforeACut(boolean mapped) {
        Rank p = rank(mapped);
        p.log.gotLong(0, 1, 9, 8);
        p.log.gotLong(0, 1, 9, 8);
        LogMarks marks = p.log.marks();
        p.log.gotLong(0, 1, 9, 8);
        assertEquals(List.of("getLong w0@8+8 ec1 gc0 sc0 gnc0 x1 9", "getLong w0@8+8 ec1 gc0 sc0 gnc0 9"),
            read(1, layout.getLog(0)));
        p.log.trim(marks);
        assertEquals(List.of("getLong w0@8+8 ec1 gc0 sc0 gnc0 9"), read(1, layout.getLog(0)));
    }
}
