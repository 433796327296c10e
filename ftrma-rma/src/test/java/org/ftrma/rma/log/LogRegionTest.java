package org.ftrma.rma.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.ftrma.DataType;
import org.ftrma.FtrmaException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where the logs of a region have their entries, and what is left of all that when the region is formatted again. */
class LogRegionTest {
    private static final int RANKS = 5;
    private static final int HOME = 1;
    private static final int CHUNK = 512;
    private static final int CHUNKS = 8;

    private final Arena arena = Arena.ofAuto();
    private final LogDescriptor layout = new LogDescriptor(RANKS, CHUNKS * CHUNK, CHUNK);
    private final MemorySegment memory = arena.allocate(layout.regionBytes(), 4096);
    private final MemorySegment data = arena.allocate(4096);

    LogRegionTest() {
        layout.format(memory, 3);
    }

    private LogRegion region(int member, FakeRemote remote) {
        return new LogRegion(layout, HOME, member, remote, remote.mapped(), remote::flush, arena);
    }

    private LogRegion region(int member, boolean mapped) {
        return region(member, new FakeRemote(memory, mapped, new Random(1)));
    }

    private long word(long offset) {
        return memory.get(ValueLayout.JAVA_LONG, offset);
    }

    private void word(long offset, long value) {
        memory.set(ValueLayout.JAVA_LONG, offset, value);
    }

    private long owner(int index) {
        return word(layout.entryOffset(index) + LogDescriptor.ENTRY_OWNER);
    }

    private int entriesTaken() {
        int taken = 0;
        while (taken < layout.logs() && owner(taken) != 0) {
            taken++;
        }
        return taken;
    }

    private boolean put(LogWriter writer, int length) {
        return writer.append(new Determinant().access(LogDescriptor.PUT, 0, 0, 0).ec(1).gnc(1), data, 0, length);
    }

    private int records(int log) {
        LogReader reader = new LogReader(region(2, true), arena).open(log);
        assertFalse(reader.hasGap());
        int count = 0;
        while (reader.next()) {
            count++;
        }
        return count;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aLogHasAnEntryOnceItIsUsed(boolean mapped) {
        LogRegion region = region(4, mapped);
        for (int log = 0; log < layout.logs(); log++) {
            assertEquals(0, region.entry(log));
            assertEquals(0, region.chunksOf(log));
            assertEquals(0, records(log));
        }
        for (int rank = 0; rank < RANKS; rank++) {
            assertEquals(0, region.f(rank) | region.n(rank) | region.updates(rank));
            assertNull(region.inFlight(rank));
        }
        assertFalse(region.isBeingUpdated());
        assertEquals(0, entriesTaken(), "to look for an entry makes none");
        region.setF(6);
        assertEquals(1, entriesTaken());
        region.setN(LogDescriptor.NEEDS_LOCK);
        region.setUpdates(7);
        LogWriter writer = new LogWriter(region, layout.getLog(4), null);
        assertTrue(put(writer, 8));
        assertEquals(1, entriesTaken(), "F and N of the pair are in the entry of its log");
        assertEquals(1, records(layout.getLog(4)));
        LogRegion another = region(HOME, true);
        assertEquals(6, another.f(4));
        assertEquals(LogDescriptor.NEEDS_LOCK, another.n(4));
        assertEquals(7, another.updates(4));
        assertEquals(1, another.chunksOf(layout.getLog(4)));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void noTwoLogsShareAnEntryAndNoEntryMoves(boolean mapped) {
        List<Long> made = new ArrayList<>();
        for (int log = layout.logs() - 1; log >= 0; log--) {
            made.addFirst(region(log % RANKS, mapped).makeEntry(log));
        }
        assertEquals(layout.logs(), new HashSet<>(made).size());
        for (int log = 0; log < layout.logs(); log++) {
            assertEquals(made.get(log), region(2, mapped).makeEntry(log));
            assertEquals(made.get(log), region(3, !mapped).entry(log));
            assertTrue(made.get(log) % LogDescriptor.ENTRY_BYTES == 0 && made.get(log) >= layout.chunkOffset(CHUNKS)
                && made.get(log) + LogDescriptor.ENTRY_BYTES <= layout.regionBytes());
        }
    }

    /** The top of the free list is the same again, but what follows it is not. */
    @Test
    void aChunkThatCameAndWentWhileAnotherIsTakenIsNotTakenTwice() {
        LogRegion before = region(2, true);
        List<Integer> free = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            free.add(before.chunks.allocate(layout.getLog(2)));
        }
        free.forEach(before.chunks::free);
        before.chunks.freeKept();
        FakeRemote remote = new FakeRemote(memory, true, new Random(1));
        LogRegion one = region(3, remote);
        LogRegion other = region(4, true);
        List<Integer> held = new ArrayList<>();
        remote.beforeSwap = () -> {
            int top = other.chunks.allocate(layout.getLog(4));
            held.add(other.chunks.allocate(layout.getLog(4)));
            other.chunks.free(top);
            other.chunks.freeKept();
        };
        for (int i = 0; i < 3; i++) {
            held.add(one.chunks.allocate(layout.getLog(3)));
        }
        assertEquals(Set.copyOf(free), Set.copyOf(held), "each of the four has one owner: " + held);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aSuccessorTakesNeitherChunksOfItsOwnLogsNorOfOthers(boolean mapped) {
        LogWriter predecessor = new LogWriter(region(4, mapped), layout.getLog(4), null);
        LogWriter another = new LogWriter(region(3, mapped), layout.getLog(3), null);
        int own = 0;
        while (predecessor.chunks() < 3) {
            assertTrue(put(predecessor, 8));
            own++;
        }
        assertTrue(put(another, 8));
        LogRegion region = region(4, mapped);
        region.adopt();
        LogWriter successor = new LogWriter(region, layout.getLog(4), null);
        while (successor.chunks() < CHUNKS - 1) {
            assertTrue(put(successor, 8));
            own++;
        }
        assertEquals(own, records(layout.getLog(4)));
        assertEquals(1, records(layout.getLog(3)));
    }

    @Test
    void theDirectoryIsSixteenBytesForEachRank() {
        LogDescriptor large = new LogDescriptor(1024, 1 << 20, 4096);
        assertEquals(16 * 1024 + 24, large.slotOffset(large.logs()) - large.slotOffset(0));
    }

    @Test
    void makersAtTheSameTimeGetDifferentEntries() throws Exception {
        LogDescriptor large = new LogDescriptor(512, 4096, 4096);
        MemorySegment shared = arena.allocate(large.regionBytes(), 4096);
        int makers = 8;
        try (ExecutorService threads = Executors.newFixedThreadPool(makers)) {
            for (int round = 0; round < 30; round++) {
                large.format(shared, round);
                CyclicBarrier start = new CyclicBarrier(makers);
                List<Callable<List<Long>>> tasks = new ArrayList<>();
                for (int maker = 0; maker < makers; maker++) {
                    int first = maker;
                    LogRegion region = new LogRegion(large, 0, maker, new FakeRemote(shared, true, new Random(1)),
                        shared, () -> { }, arena);
                    tasks.add(() -> {
                        start.await();
                        List<Long> made = new ArrayList<>();
                        for (int log = first; log < large.logs(); log += makers) {
                            made.add(region.makeEntry(log));
                        }
                        return made;
                    });
                }
                Set<Long> all = new HashSet<>();
                for (Future<List<Long>> made : threads.invokeAll(tasks)) {
                    all.addAll(made.get());
                }
                assertEquals(large.logs(), all.size(), "the last entry of the pool is taken too");
            }
        }
    }

    /** A rank died after it had taken an entry and before the slot told of it; others may have taken entries since. */
    @ParameterizedTest
    @CsvSource({"true,true", "true,false", "false,true", "false,false"})
    void aSuccessorFindsTheEntryThatItsPredecessorTook(boolean mapped, boolean hintIsBehind) {
        int log = layout.getLog(3);
        region(0, mapped).makeEntry(layout.getLog(0));
        word(layout.entryOffset(1) + LogDescriptor.ENTRY_OWNER, log + 1);
        word(LogDescriptor.HEADER_ENTRIES, hintIsBehind ? 1 : 2);
        long others = region(2, mapped).makeEntry(layout.getLog(2));
        assertEquals(layout.entryOffset(2), others);
        assertEquals(0, region(HOME, true).entry(log));
        LogRegion successor = region(3, mapped);
        successor.adopt();
        assertEquals(layout.entryOffset(1), successor.makeEntry(log));
        assertEquals(layout.entryOffset(1), region(HOME, true).entry(log));
        assertEquals(layout.entryOffset(3), region(4, mapped).makeEntry(layout.getLog(4)),
            "nobody looks for what is missing");
        assertEquals(4, entriesTaken());
        assertTrue(put(new LogWriter(successor, log, null), 8));
        assertEquals(1, records(log));
        assertEquals(0, records(layout.getLog(2)));
    }

    /** On a network path: some of what was under way may have landed. */
    @Test
    void aDeathWhileAnEntryIsMadeLeavesOneEntryAtMost() {
        for (int seed = 0; seed < 50; seed++) {
            layout.format(memory, 3);
            Random random = new Random(seed);
            for (int life = 0; life < 3; life++) {
                FakeRemote remote = new FakeRemote(memory, false, random);
                remote.dieInFlush = 1;
                LogRegion region = region(3, remote);
                region.adopt();
                if (region.entry(layout.getLog(3)) == 0) {
                    assertThrows(FakeRemote.Death.class, () -> region.makeEntry(layout.getLog(3)));
                }
                region(4, false).makeEntry(layout.putLog(life)); // others go on
            }
            LogRegion last = region(3, false);
            last.adopt();
            assertEquals(layout.entryOffset(0), last.makeEntry(layout.getLog(3)));
            assertEquals(4, entriesTaken());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aFormattedRegionIsAsIfItWereNew(boolean mapped) {
        for (int round = 0; round < 4; round++) {
            int[] logs = {layout.putLog(0), layout.getLog(3), layout.buddyLog(), layout.collectiveLog()};
            for (int log : logs) {
                LogRegion region = region(log == layout.getLog(3) ? 3 : 0, mapped);
                region.setF(8);
                LogWriter writer = new LogWriter(region, log, null);
                assertTrue(put(writer, round == 1 ? 600 : 8));
                assertEquals(round == 1 ? 2 : 1, records(log));
            }
            int taken = entriesTaken();
            word(LogDescriptor.HEADER_ENTRIES, round); // the hint may be behind
            layout.format(memory, 4 + round);
            assertEquals(0, entriesTaken());
            assertTrue(taken > logs.length);
            LogRegion region = region(2, mapped);
            assertEquals(4 + round, region.timeline());
            assertEquals(0, region.usedChunks() + region.takenChunks() + region.f(0) + region.f(3));
            for (int log = 0; log < layout.logs(); log++) {
                assertEquals(0, region.entry(log) + region.chunksOf(log) + records(log));
            }
            MemorySegment pool = memory.asSlice(layout.entryOffset(0), layout.logs() * LogDescriptor.ENTRY_BYTES);
            assertEquals(-1, pool.mismatch(arena.allocate(pool.byteSize())));
            for (int chunk = 0; chunk < CHUNKS; chunk++) {
                assertEquals(0, word(layout.chunkOffset(chunk) + LogDescriptor.CHUNK_OWNER));
            }
        }
    }

    @Test
    void formattingTouchesNoMemoryThatWasNeverUsed() {
        LogRegion region = region(3, true);
        assertTrue(put(new LogWriter(region, layout.getLog(3), null), 600));
        assertEquals(2, region.takenChunks());
        long untouched = 77;
        for (int chunk = 2; chunk < CHUNKS; chunk++) {
            word(layout.chunkOffset(chunk) + LogDescriptor.CHUNK_OWNER, untouched);
        }
        for (int index = 1; index < layout.logs(); index++) {
            word(layout.entryOffset(index), untouched);
        }
        layout.format(memory, 4);
        assertEquals(0, owner(0));
        for (int chunk = 0; chunk < CHUNKS; chunk++) {
            assertEquals(chunk < 2 ? 0 : untouched, word(layout.chunkOffset(chunk) + LogDescriptor.CHUNK_OWNER));
        }
        for (int index = 1; index < layout.logs(); index++) {
            assertEquals(untouched, word(layout.entryOffset(index)));
        }
    }

    @Test
    void memoryOfAnotherLayoutIsClearedAsAWhole() {
        LogDescriptor other = new LogDescriptor(RANKS - 1, CHUNKS * CHUNK, CHUNK);
        memory.fill((byte) 9);
        word(0, 0);
        memory.asSlice(0, other.chunksOffset()).fill((byte) 0);
        other.format(memory, 1);
        memory.asSlice(other.entryOffset(0), 1024).fill((byte) 9);
        layout.format(memory, 2);
        assertEquals(0, entriesTaken());
        for (int log = 0; log < layout.logs(); log++) {
            assertEquals(0, records(log));
        }
        for (int chunk = 0; chunk < CHUNKS; chunk++) {
            assertEquals(0, word(layout.chunkOffset(chunk) + LogDescriptor.CHUNK_OWNER));
        }
        assertTrue(put(new LogWriter(region(3, true), layout.getLog(3), null), 8));
        assertEquals(1, records(layout.getLog(3)));
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 14, 1L << 32, Long.MIN_VALUE, Long.MAX_VALUE})
    void aDamagedSlotIsReportedWithLogAndValue(long value) {
        int log = layout.getLog(3);
        word(layout.slotOffset(log), value);
        for (boolean mapped : new boolean[] {true, false}) {
            LogRegion region = region(3, mapped);
            for (Executable use : List.<Executable>of(() -> region.f(3),
                () -> region.chunksOf(log), () -> region.setN(0), () -> new LogWriter(region, log, null), region::adopt,
                () -> new LogReader(region, arena).open(log))) {
                FtrmaException e = assertThrows(FtrmaException.class, use);
                assertEquals(FtrmaException.Category.FATAL, e.category());
                assertTrue(e.getMessage().startsWith("the log at rank 1 of what rank 3 read there: ")
                    && e.getMessage().contains("slot " + value + " "), e.getMessage());
            }
        }
    }

    @Test
    void aSlotThatNamesTheEntryOfAnotherLogIsReported() {
        assertNotEquals(0, region(0, true).makeEntry(layout.getLog(0)));
        word(layout.slotOffset(layout.buddyLog()), 1);
        FtrmaException e = assertThrows(FtrmaException.class,
            () -> new LogWriter(region(0, true), layout.buddyLog(), null));
        assertTrue(e.getMessage().contains("the log at rank 1 of what rank 0 did at itself: ")
            && e.getMessage().contains("owner 6"), e.getMessage());
    }

    @Test
    void aPoolWithoutRoomIsReported() {
        for (int index = 0; index < layout.logs(); index++) {
            word(layout.entryOffset(index) + LogDescriptor.ENTRY_OWNER, 99);
        }
        FtrmaException e = assertThrows(FtrmaException.class, () -> region(3, true).setF(1));
        assertEquals(FtrmaException.Category.FATAL, e.category());
        assertTrue(e.getMessage().contains("none of the 13 entries is left"), e.getMessage());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anUpdateLockIsHeldByOneRankAtATime(boolean mapped) {
        LogRegion one = region(3, mapped);
        LogRegion other = region(4, true);
        for (int lock = 0; lock < LogDescriptor.UPDATE_LOCKS; lock++) {
            assertTrue(one.lockUpdates(lock));
            assertTrue(one.lockUpdates(lock), "of a rank, not of an incarnation");
            assertFalse(other.lockUpdates(lock));
        }
        other.unlockUpdates(7);
        assertTrue(other.lockUpdates(7));
        one.resolve(null);
        assertFalse(one.lockUpdates(7), "what another rank holds stays held");
        for (int lock = 0; lock < LogDescriptor.UPDATE_LOCKS; lock++) {
            assertTrue(other.lockUpdates(lock), "what a lost rank held is free");
        }
    }

    @Test
    void locationsAreSpreadOverTheUpdateLocksButTheOneForLocks() {
        int[] used = new int[LogDescriptor.UPDATE_LOCKS];
        for (int cell = 0; cell < 3100; cell++) {
            used[LogDescriptor.updateLock(cell & 3, 8L * cell)]++;
            assertEquals(LogDescriptor.updateLock(2, 8L * cell), LogDescriptor.updateLock(2, 8L * cell + 4),
                "both halves of a cell");
        }
        assertEquals(0, used[LogDescriptor.LOCKS_LOCK]);
        for (int lock = 1; lock < used.length; lock++) {
            assertTrue(used[lock] > 50 && used[lock] < 200, lock + ": " + used[lock]);
        }
    }

    @Test
    void whatIsUnderWayIsReadAsItWasNoted() {
        LogRegion region = region(3, true);
        region.note(LogDescriptor.place(200, DataType.FLOAT64, (1L << 47) + 8), -1, Long.MIN_VALUE);
        region.setN(LogDescriptor.NEEDS_ATOMIC);
        InFlightAccess access = region.inFlight(3);
        assertEquals(new InFlightAccess(LogDescriptor.NEEDS_ATOMIC, 200, DataType.FLOAT64, (1L << 47) + 8, -1,
            Long.MIN_VALUE), access);
        assertTrue(access.isUpdate() && !access.isUnknown() && !access.isKnownToHaveHappened());
        region.setN(-1);
        assertTrue(region.inFlight(3).isUnknown());
    }
}
