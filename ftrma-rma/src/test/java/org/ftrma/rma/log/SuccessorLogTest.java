package org.ftrma.rma.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a rank's death leaves in three ranks' logs, and what its replacement does with it. */
class SuccessorLogTest extends LoggedRanks {
    @Test
    void aSuccessorTakesOverTheChunksThatItsPredecessorKept() {
        Rank p = rank(true);
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 4 * CHUNK / 64; i++) {
                p.log.gotLong(0, 1, i, 8);
            }
            if (round < 2) {
                p.log.trim(p.log.marks());
            }
        }
        long used = p.opened[1].usedChunks();
        for (int life = 0; life < 20; life++) {
            Rank successor = new Rank(0, true, new Random(life));
            successor.log.lostPeers().resume(1, 0);
            for (int i = 0; i < 2 * CHUNK / 64; i++) {
                successor.log.gotLong(0, 1, i, 8);
            }
            successor.log.trim(successor.log.marks());
        }
        assertTrue(p.opened[1].usedChunks() <= used, "in use " + p.opened[1].usedChunks() + ", before the first death "
            + used);
    }

    /**
     * A rank is lost to which a replacement has not yet sent again what its predecessor had: nobody may take that for
     * closed.
     */
    @Test
    void whatIsYetToBeDoneAgainAtALostRankIsNotToldAsClosed() {
        Rank p = rank(true);
        p.log.lostPeers().resume(1, 3);
        assertFalse(p.log.putLong(0, 1, 41, 16), "it is there");
        p.log.lostPeers().lost(1);
        assertEquals(0, watch(0).entryWord(layout.putLog(1), LogDescriptor.ENTRY_F));
        assertTrue(p.log.putLong(0, 1, 42, 16));
    }

    /** Should it be lost as well, the next one sends nothing again that was closed before. */
    @Test
    void aReplacementThatClosesEarlierEpochsAgainTakesNothingBack() {
        Rank p = rank(true);
        p.log.lostPeers().resume(1, 5);
        p.log.putLong(0, 1, 1, 8);
        p.log.flushed(0, 1);
        assertEquals(5 << 1, f(1));
        for (int epoch = 2; epoch <= 6; epoch++) {
            p.log.putLong(0, 1, epoch, 8);
            p.log.flushed(0, 1);
        }
        assertEquals(6 << 1, f(1));
    }

    /** An image is taken, then the rank is lost that keeps results, and then the image is committed. */
    @Test
    void marksInALogThatIsLostTrimNothingOfTheNextOne() {
        Rank p = rank(true);
        for (int i = 0; i < 200; i++) {
            p.log.gotLong(0, 1, i, 8);
            p.log.nondeterministic(i);
        }
        LogMarks marks = p.log.resultMarks();
        p.log.gotLong(0, 1, 300, 8);
        p.log.lostPeers().lost(1);
        p.log.demand().forget(marks, 1);
        regions[1] = arena.allocate(layout.regionBytes(), 4096);
        layout.format(regions[1], 1);
        p.opened[1] = new Rank(0, true, new Random(8)).opened[1];
        p.log.gotLong(0, 1, 301, 8);
        p.log.nondeterministic(302);
        p.log.trimResults(marks);
        assertEquals(1, read(1, layout.getLog(0)).size());
        assertEquals(1, read(1, layout.buddyLog()).size());
        assertTrue(p.log.demand().lacksResults(), "the image does not include result 300");
        p.log.trimResults(p.log.resultMarks());
        assertEquals(0, read(1, layout.getLog(0)).size() + read(1, layout.buddyLog()).size());
    }

    /** Rank 0 dies, which rank 1 had put to and rank 2 had not; its replacement has a region of its own. */
    @Test
    void ranksThatNeverTalkedHaveNoEntriesAfterARecoveryEither() {
        Rank p = rank(true);
        Rank q = new Rank(1, true, new Random(6));
        Rank r = new Rank(2, true, new Random(7));
        q.log.putLong(0, 0, 41, 16);
        begin(q.log, 0, 100, 105);
        q.log.atomic(0, 0, AtomicOp.SUM, DataType.INT64, 8, 5, 100);
        q.log.flushed(0, 0);
        p.log.gotLong(0, 1, 7, 8);
        q.log.lostPeers().lost(0);
        r.log.lostPeers().lost(0);
        assertEquals(0, watch(2).entry(layout.putLog(0)), "nothing to tell");
        regions[0] = arena.allocate(layout.regionBytes(), 4096);
        layout.format(regions[0], 1);
        Rank again = rank(true);
        for (int survivor = 1; survivor <= 2; survivor++) {
            again.log.lostPeers().inherit(survivor);
            again.log.lostPeers().resume(survivor, 0);
        }
        assertEquals(1 << 1, watch(0).f(1));
        assertEquals(1, watch(0).updates(1));
        assertTrue(new LogReader(watch(0), arena).open(layout.getLog(1)).hasGap(), "the results of rank 1 are lost");
        assertEquals(0, watch(0).entry(layout.getLog(2)));
        assertEquals(0, watch(0).entry(layout.putLog(2)));
        assertEquals(0, watch(2).entry(layout.getLog(0)));
        again.log.flushed(0, -1);
        again.log.putLong(0, 2, 42, 0);
        again.log.gotLong(0, 2, 8, 8);
        again.log.flushed(0, 2);
        assertEquals(List.of("put w0@0+8 ec2 le0 sc0 gnc0 42"), read(0, layout.putLog(2)),
            "it is counted as if they had known each other");
        assertEquals(List.of("getLong w0@8+8 ec2 gc1 sc0 gnc0 8"), read(2, layout.getLog(0)));
        assertEquals(2 << 1, f(2));
    }

    @Test
    void aReplacementFindsTheEntryThatItsPredecessorTookAtASurvivorItDidNotKnow() {
        regions[2].set(ValueLayout.JAVA_LONG, layout.entryOffset(0) + LogDescriptor.ENTRY_OWNER, layout.getLog(0) + 1);
        new Rank(1, true, new Random(6)).log.gotLong(0, 2, 9, 8);
        Rank again = rank(true);
        again.log.lostPeers().resume(2, 0);
        assertEquals(0, watch(2).entry(layout.getLog(0)));
        again.log.gotLong(0, 2, 8, 8);
        assertEquals(layout.entryOffset(0), watch(2).entry(layout.getLog(0)));
        assertEquals(List.of("getLong w0@8+8 ec1 gc0 sc0 gnc0 8"), read(2, layout.getLog(0)));
        assertEquals(List.of("getLong w0@8+8 ec1 gc0 sc0 gnc0 9"), read(2, layout.getLog(1)));
    }

    static Stream<Arguments> deaths() {
        return IntStream.range(0, 8).boxed().flatMap(seed ->
            IntStream.range(1, 40).mapToObj(flush -> Arguments.of(seed, flush)));
    }

    /** On a network path, where nothing has an order but what a flush gives. */
    @ParameterizedTest
    @MethodSource("deaths")
    void aDeathInAnyFlushLeavesNoUnannouncedHoleInTheLogs(int seed, int flush) {
        Random random = new Random(seed);
        Rank p = new Rank(0, false, new Random(seed * 100L + flush));
        p.remotes[1].dieInFlush = flush;
        long[] atomics = {0};
        List<Long> epochOfGet = new ArrayList<>();
        assertThrows(FakeRemote.Death.class, () -> {
            for (int step = 0; step < 200; step++) {
                switch (random.nextInt(4)) {
                    case 0 -> {
                        epochOfGet.add(p.log.counters().epochs(1) + 1);
                        p.log.get(0, 1, data, 0, 0, random.nextInt(20) * 300L);
                    }
                    case 1 -> {
                        begin(p.log, 1, atomics[0], atomics[0] + 1);
                        atomics[0]++;
                        p.log.atomic(0, 1, AtomicOp.SUM, DataType.INT64, 8, 1, atomics[0] - 1);
                    }
                    case 2 -> {
                        p.remotes[1].flush();
                        p.log.flushed(0, 1);
                    }
                    default -> p.log.putLong(0, 1, step, 0);
                }
            }
        });
        FakeRemote remote = new FakeRemote(regions[1], true, random);
        LogReader reader = new LogReader(new LogRegion(layout, 1, 2, remote, regions[1], () -> { }, arena), arena)
            .open(layout.getLog(0));
        long loggedAtomics = 0;
        int loggedGets = 0;
        while (reader.next()) {
            if (reader.record().kind() == LogDescriptor.ATOMIC) {
                assertEquals(loggedAtomics++, reader.record().value(1));
            } else if (!reader.record().more()) {
                assertEquals(epochOfGet.get(loggedGets++), reader.record().ec());
            }
        }
        boolean announced = (n(1) & LogDescriptor.NEEDS_ATOMIC) != 0;
        assertTrue(loggedAtomics == atomics[0] || loggedAtomics == atomics[0] - 1 && announced,
            loggedAtomics + " of " + atomics[0] + ", N=" + n(1));
        long closed = f(1) >>> 1;
        assertFalse(reader.hasGap());
        for (int i = loggedGets; i < epochOfGet.size(); i++) {
            assertTrue(epochOfGet.get(i) > closed, "epoch " + closed + " closed without get " + i);
        }
    }
}
