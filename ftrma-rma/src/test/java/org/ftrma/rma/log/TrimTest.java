package org.ftrma.rma.log;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.spi.Blocks;
import org.junit.jupiter.api.Test;

/**
 * What a committed demand checkpoint leaves of a log of several chunks: exactly what follows the first access that its
 * image does not include.
 */
class TrimTest {
    private static final int CHUNK = 1024;
    private static final int CHUNKS = 64;
    private static final int SCRATCH = 1;

    private final Arena arena = Arena.ofAuto();
    private final LogDescriptor layout = new LogDescriptor(2, CHUNKS * CHUNK, CHUNK);
    private final MemorySegment data = arena.allocate(4096, 8);

    /** Two ranks whose logs are in this process. */
    private final class Pair implements LogHome {
        final LogRegion[] regions = new LogRegion[2];
        final AccessLog source;
        final AccessLog target;
        long collectives;

        Pair() {
            for (int rank = 0; rank < 2; rank++) {
                MemorySegment memory = arena.allocate(layout.regionBytes(), 4096);
                layout.format(memory, 0);
                regions[rank] = new LogRegion(layout, rank, 0, new FakeRemote(memory, true, new Random(rank)), memory,
                    () -> { }, arena);
            }
            source = new AccessLog(0, layout, this, 0);
            target = new AccessLog(1, layout, this, 0);
        }

        @Override
        public LogRegion region(int of) {
            return regions[of];
        }

        LogReader read() {
            return new LogReader(regions[0], arena).open(layout.putLog(1));
        }

        void access(Random random, boolean updates) {
            int window = random.nextInt(2);
            switch (random.nextInt(updates ? 11 : 10)) {
                case 0, 1 -> source.putLong(window, 1, random.nextLong(), 8L * random.nextInt(100));
                case 2, 3 -> source.put(window, 1, data, 0, 0, 1 + random.nextInt(2000));
                case 4, 5 -> source.putStrided(window, 1, data,
                    new Blocks().of(1 + random.nextInt(40), 16).from(0, 16).to(8, 64));
                case 6 -> source.flushed(0, 1);
                case 7 -> {
                    collectives++;
                    source.flushed(0, -1);
                    source.collective(collectives, true);
                    target.collective(collectives, true);
                    source.result(collectives, 0, data, 0, 8 + random.nextInt(2000));
                }
                case 8, 9 -> {
                    MemorySegment staged = source.stage(window, 1, 1 + random.nextInt(500));
                    if (staged != null && random.nextBoolean()) {
                        source.put(window, 1, staged, 0, 0, staged.byteSize());
                    }
                }
                default -> {
                    source.beginUpdate(0, 1, 8);
                    source.atomic(0, 1, AtomicOp.SUM, DataType.INT64, 8, 1 + random.nextInt(5), 100);
                }
            }
        }

        /** GNC of each piece of a collective's result. */
        List<Long> collectiveResults() {
            List<Long> results = new ArrayList<>();
            LogReader reader = new LogReader(regions[0], arena).open(layout.collectiveLog());
            while (reader.next()) {
                results.add(reader.record().gnc());
            }
            return results;
        }

        /** Of each access and each of its blocks: whether the image includes it, and what it is. */
        List<String> records(Coverage image, boolean hasScratch) {
            List<String> records = new ArrayList<>();
            LogReader reader = read();
            while (reader.next()) {
                LogRecord record = reader.record();
                boolean included = image.includes(0, record, window -> hasScratch && window == SCRATCH);
                records.add((included ? "in " : "out ") + record.kind() + " w" + record.window() + " ec" + record.ec()
                    + " gnc"
                    + record.gnc() + " #" + record.update() + " @" + record.offset() + "+" + record.length());
            }
            return records;
        }
    }

    /** Twice with each pair: the second time the log begins in the middle of a chunk. */
    @Test
    void whatFollowsTheFirstAccessThatIsNotIncludedStays() {
        int several = 0;
        int some = 0;
        int someResults = 0;
        for (int seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            Pair pair = new Pair();
            boolean updates = random.nextBoolean();
            boolean hasScratch = random.nextBoolean();
            for (int time = 0; time < 2; time++) {
                accesses(pair, random, updates);
                Coverage image = pair.target.demand().coverage(() -> { });
                accesses(pair, random, updates);
                assertEquals(0, pair.source.drops(), "there is room");
                List<String> records = pair.records(image, hasScratch);
                List<Long> results = pair.collectiveResults();
                boolean isLong = pair.read().chunksAhead().length > 1;
                pair.source.demand().trimFor(1, image, window -> hasScratch && window == SCRATCH, hasScratch);
                List<String> left = records.stream().dropWhile(record -> record.startsWith("in")).toList();
                assertEquals(left, pair.records(image, hasScratch), "seed " + seed);
                List<Long> resultsLeft = results.stream().filter(gnc -> gnc > image.gnc()).toList();
                assertEquals(resultsLeft, pair.collectiveResults(), "seed " + seed);
                several += isLong ? 1 : 0;
                some += !left.isEmpty() && left.size() < records.size() ? 1 : 0;
                someResults += !resultsLeft.isEmpty() && resultsLeft.size() < results.size() ? 1 : 0;
            }
        }
        assertTrue(several > 600 && some > 400 && someResults > 400,
            several + " logs of several chunks; something was dropped and something stays of "
            + some + ", and of " + someResults + " logs of collectives");
    }

    private void accesses(Pair pair, Random random, boolean updates) {
        for (int i = random.nextInt(30); i > 0; i--) {
            pair.access(random, updates);
        }
    }

    @Test
    void aReaderGoesFromChunkToChunkAndFromWriteToWrite() {
        Pair pair = new Pair();
        pair.source.putStrided(0, 1, data, new Blocks().of(30, 16).from(0, 16).to(8, 64));
        pair.source.put(0, 1, data, 0, 8, 900);
        pair.source.putLong(0, 1, 7, 16);
        LogReader reader = pair.read();
        assertTrue(reader.nextWrite());
        assertEquals(16, reader.record().length(), "the first of 30 blocks");
        assertTrue(reader.nextWrite());
        assertEquals(8, reader.record().offset());
        long second = reader.markBefore();
        LogReader again = pair.read();
        int[] chunks = again.chunksAhead();
        assertEquals(2, chunks.length);
        assertArrayEquals(Arrays.copyOfRange(chunks, 1, 2), again.toChunk(chunks[1]).chunksAhead(), "the newest one");
        assertTrue(again.nextWrite());
        assertTrue(again.record().offset() > 8, "the rest of what did not fit the first chunk");
        assertTrue(again.nextWrite());
        assertEquals(16, again.record().offset());
        assertFalse(again.nextWrite());
        again.open(layout.putLog(1)).seek(second);
        assertTrue(again.next());
        assertEquals(8, again.record().offset());
        again.toChunk(chunks[0]);
        assertTrue(again.nextWrite());
        assertEquals(16, again.record().length(), "from the beginning again");
        assertEquals(0, new LogReader(pair.regions[0], arena).open(layout.putLog(0)).chunksAhead().length,
            "nothing was ever written there");
    }
}
