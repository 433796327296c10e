package org.ftrma.rma.log;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import java.util.stream.IntStream;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.FtrmaException;
import org.ftrma.LockType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an image has of a log: the same as if it had something of every rank of the job. */
class LogImageTest {
    private static final int RANKS = 29;
    private static final int CHUNK = 4096;
    private static final long HEAD = 64;
    private static final long ENTRY = 72;
    private static final long GUARD = 0x5a5a_5a5a_5a5a_5a5aL;

    private final Arena arena = Arena.ofAuto();
    private final LogDescriptor layout = new LogDescriptor(RANKS, 64 * CHUNK, CHUNK);
    private final MemorySegment[] regions = new MemorySegment[RANKS];

    LogImageTest() {
        for (int rank = 0; rank < RANKS; rank++) {
            regions[rank] = arena.allocate(layout.regionBytes(), 4096);
            layout.format(regions[rank], 100 + rank);
        }
    }

    private AccessLog log(int self) {
        return new AccessLog(self, layout, rank -> region(rank, self), 7);
    }

    private LogRegion region(int home, int member) {
        FakeRemote remote = new FakeRemote(regions[home], true, new Random(1));
        return new LogRegion(layout, home, member, remote, remote.mapped(), remote::flush, arena);
    }

    /** The image in the form that has something of every rank. */
    private static final class Dense {
        private final long gc;
        private final long gnc;
        private final long flushesOfAll;
        private final long lockEvents;
        private final long[][] by = new long[RANKS][];
        private final LogMarks marks;
        private final long[] timelines = new long[RANKS + 1];

        Dense(AccessLog log) {
            gc = log.epochs.gc;
            gnc = log.epochs.gnc;
            flushesOfAll = log.epochs.flushesOfAll;
            lockEvents = log.epochs.lockEvents;
            marks = log.resultMarks();
            for (int rank = 0; rank < RANKS; rank++) {
                Peer peer = log.logs.peers[rank];
                by[rank] = new long[] {peer == null ? 1 + log.epochs.flushesOfAll : peer.epoch(),
                    log.demand().covered == null ? 0 : log.demand().covered.closed()[rank],
                    log.demand().covered == null ? 0 : log.demand().covered.updates()[rank],
                    peer == null ? 0 : peer.touched ? peer.epoch() : peer.closed,
                    peer == null ? 0 : peer.updates, peer == null ? 0 : peer.lastGnc()};
            }
            for (int rank = 0; rank <= RANKS; rank++) {
                Peer keeper = log.logs.peers[rank < RANKS ? rank : log.logs.buddy];
                timelines[rank] = keeper == null || keeper.region == null ? 0 : keeper.region.timeline();
            }
        }

        void restore(AccessLog log) {
            log.epochs.gc = gc;
            log.epochs.gnc = gnc;
            log.epochs.flushesOfAll = flushesOfAll;
            log.epochs.lockEvents = lockEvents;
            for (int rank = 0; rank < RANKS; rank++) {
                if (by[rank][0] != 1 + flushesOfAll) {
                    Peer peer = log.logs.peer(rank);
                    peer.epoch(by[rank][0]);
                    peer.flushes = by[rank][0] - 1 - flushesOfAll;
                }
                if (by[rank][3] > 0) {
                    Peer peer = log.logs.peer(rank);
                    peer.touched = by[rank][3] == by[rank][0];
                    peer.updates = by[rank][4];
                    peer.lastGnc(by[rank][5]);
                }
            }
        }

        LogMarks marks(AccessLog log) {
            LogMarks found = new LogMarks(RANKS);
            for (int rank = 0; rank < RANKS; rank++) {
                if (isStill(log, rank, rank)) {
                    found.results(rank, marks.results(rank));
                }
            }
            if (isStill(log, log.logs.buddy, RANKS)) {
                found.ownResults(marks.ownResults());
            }
            return found;
        }

        private boolean isStill(AccessLog log, int keeper, int index) {
            return keeper != log.logs.self && timelines[index] == log.logs.home.region(keeper).timeline();
        }
    }

    private static void act(AccessLog log, int[] others, Random random) {
        int target = others[random.nextInt(others.length)];
        switch (random.nextInt(9)) {
            case 0, 1 -> log.putLong(0, target, random.nextLong(), 8);
            case 2 -> log.flushed(0, target);
            case 3 -> log.flushed(0, -1);
            case 4 -> log.collective(log.epochs.gnc + 1, true);
            case 5 -> {
                log.beginUpdate(0, target, 8);
                log.atomic(0, target, AtomicOp.SUM, DataType.INT64, 8, 1 + random.nextInt(9), random.nextInt());
            }
            case 7 -> {
                log.locked(1, target, LockType.EXCLUSIVE, 3, false);
                log.leaving(1, target, LockType.EXCLUSIVE);
                log.unlocked(1, target, LockType.EXCLUSIVE, false);
            }
            case 6 -> log.gotLong(0, target, random.nextLong(), 16);
            default -> log.nondeterministic(random.nextLong());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void whatIsNotInTheImageIsAsIfItWere(int seed) {
        Random random = new Random(seed);
        int self = random.nextInt(RANKS);
        AccessLog log = log(self);
        int[] others = random.ints(0, RANKS).filter(rank -> rank != self).distinct().limit(1 + random.nextInt(6))
            .toArray();
        for (int i = random.nextInt(60); i > 0; i--) {
            act(log, others, random);
        }
        if (random.nextBoolean()) {
            log.lostPeers().lost(others[0]);
        }
        if (random.nextBoolean()) {
            long[] closed = IntStream.range(0, RANKS).mapToLong(rank -> random.nextInt(8) == 0 ? random.nextInt(9) : 0)
                .toArray();
            long[] updates = IntStream.range(0, RANKS).mapToLong(rank -> random.nextInt(8) == 0 ? random.nextInt(9) : 0)
                .toArray();
            log.demand().covered = new Coverage(log.epochs.gnc, closed, updates);
        }
        Dense dense = new Dense(log);
        long offset = 8L * random.nextInt(4);
        MemorySegment image = arena.allocate(offset + LogImage.bytes(RANKS) + 8, 8);
        for (long at = 0; at < image.byteSize(); at += 8) {
            image.set(ValueLayout.JAVA_LONG, at, GUARD); // what was there before counts for nothing
        }
        long length = new LogImage(log, image, offset).save();
        assertTrue(length <= LogImage.bytes(RANKS));
        assertEquals(GUARD, image.get(ValueLayout.JAVA_LONG, offset + length));
        LogImage.check(image, offset, length, RANKS);
        if (random.nextBoolean()) {
            int replaced = others[random.nextInt(others.length)];
            layout.format(regions[replaced], 200);
        }
        AccessLog expected = log(self);
        dense.restore(expected);
        AccessLog restored = log(self);
        LogImage sparse = new LogImage(restored, image, offset);
        sparse.restore();
        assertEquals(counters(expected.epochs), counters(restored.epochs));
        for (int rank = 0; rank < RANKS; rank++) {
            assertEquals(state(expected.logs.peers[rank]), state(restored.logs.peers[rank]), "rank " + rank);
        }
        assertEquals(dense.marks(expected).toString(), sparse.marks().toString());
        assertEquals(dense.gnc, sparse.coverage().gnc());
        assertArrayEquals(IntStream.range(0, RANKS).mapToLong(rank -> dense.by[rank][1]).toArray(),
            sparse.coverage().closed());
        assertArrayEquals(IntStream.range(0, RANKS).mapToLong(rank -> dense.by[rank][2]).toArray(),
            sparse.coverage().updates());
    }

    private static String counters(Epochs epochs) {
        return epochs.gc + " " + epochs.gnc + " " + epochs.flushesOfAll + " " + epochs.lockEvents;
    }

    private static String state(Peer peer) {
        return peer == null ? "none" : peer.epoch() + " " + peer.flushes + " " + peer.touched + " " + peer.updates + " "
            + peer.lastGnc();
    }

    @Test
    void ranksThatNothingIsKnownOfTakeNothing() {
        AccessLog log = log(3);
        log.flushed(0, -1);
        MemorySegment image = arena.allocate(LogImage.bytes(RANKS), 8);
        assertEquals(HEAD, new LogImage(log, image, 0).save());
        log.putLong(0, 5, 1, 8);
        assertEquals(HEAD + ENTRY, new LogImage(log, image, 0).save());
        log.flushed(0, -1);
        log.collective(8, true);
        assertEquals(HEAD + ENTRY, new LogImage(log, image, 0).save());
        LogImage none = new LogImage(log(4), LogImage.empty(), 0);
        assertEquals(new LogMarks(RANKS).toString(), none.marks().toString());
        assertArrayEquals(new long[RANKS], none.coverage().closed());
    }

    /** A replacement that begins with a demand image has no log of what came before it, and says so. */
    @Test
    void whatIsMissingBeforeADemandImageIsToldWithItsEpochUpdateAndBarrier() {
        AccessLog log = log(3);
        for (int i = 0; i < 3; i++) {
            log.beginUpdate(0, 5, 8);
            log.atomic(0, 5, AtomicOp.SUM, DataType.INT64, 8, 1, i);
        }
        log.flushed(0, 5);
        log.collective(8, true);
        log.putLong(0, 5, 1, 8);
        log.locked(1, 5, LockType.EXCLUSIVE, 4, false);
        log.recoveryOver(LogImage.recoveryNumber(1, 1));
        MemorySegment image = arena.allocate(LogImage.bytes(RANKS), 8);
        new LogImage(log, image, 0).save();
        layout.format(regions[3], 300);
        LogImage restored = new LogImage(log(3), image, 0);
        assertEquals(LogImage.recoveryNumber(1, 1), restored.recoveriesOver());
        restored.restore();
        restored.lackPutsBefore();
        restored.lackLocksBefore(LogImage.recoveryNumber(1, 2));
        LogReader puts = new LogReader(region(3, 4), arena).open(layout.putLog(5));
        assertTrue(puts.hasGap());
        assertArrayEquals(new long[] {2, 8, 3}, new long[] {puts.gapEc(), puts.gapGnc(), puts.gapUpdates()});
        LogReader locks = new LogReader(region(3, 4), arena).open(layout.lockLog());
        assertTrue(locks.hasGap());
        assertArrayEquals(new long[] {8, LogImage.recoveryNumber(1, 2)},
            new long[] {locks.gapGnc(), locks.gapUpdates()});
    }

    private static void assertMalformed(MemorySegment image, long length) {
        FtrmaException refusal = assertThrows(FtrmaException.class, () -> LogImage.check(image, 0, length, RANKS));
        assertEquals(FtrmaException.Category.FATAL, refusal.category());
        assertTrue(refusal.getMessage().contains("header of an image is malformed"), refusal.getMessage());
    }

    @Test
    void countersThatNobodySavedAreRefused() {
        AccessLog log = log(0);
        log.putLong(0, 1, 1, 8);
        log.putLong(0, 2, 1, 8);
        MemorySegment image = arena.allocate(LogImage.bytes(RANKS) + ENTRY, 8);
        long length = new LogImage(log, image, 0).save();
        LogImage.check(image, 0, length, RANKS);
        assertMalformed(image, length - 8);
        assertMalformed(image, length + ENTRY);
        assertMalformed(image, 40);
        assertMalformed(image, 0);
        image.set(ValueLayout.JAVA_LONG, HEAD + ENTRY, 1);
        assertMalformed(image, length);
        image.set(ValueLayout.JAVA_LONG, HEAD + ENTRY, RANKS);
        assertMalformed(image, length);
        image.set(ValueLayout.JAVA_LONG, HEAD, -1);
        image.set(ValueLayout.JAVA_LONG, HEAD + ENTRY, 2);
        assertMalformed(image, length);
        image.set(ValueLayout.JAVA_LONG, 40, RANKS + 1);
        assertMalformed(image, HEAD + ENTRY * (RANKS + 1));
        image.set(ValueLayout.JAVA_LONG, 40, -1);
        assertMalformed(image, HEAD - ENTRY);
    }
}
