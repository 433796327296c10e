package org.ftrma.rma.log;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.ftrma.DataType;

/** Three ranks whose logs are regions of this process, and what somebody else finds in these. One thread. */
abstract class LoggedRanks {
    static final int RANKS = 3;
    static final int CHUNK = 4096;

    final Arena arena = Arena.ofAuto();
    final LogDescriptor layout = new LogDescriptor(RANKS, 32 * CHUNK, CHUNK);
    final MemorySegment[] regions = new MemorySegment[RANKS];
    final MemorySegment data = arena.allocate(8192, 8);

    LoggedRanks() {
        for (int rank = 0; rank < RANKS; rank++) {
            regions[rank] = arena.allocate(layout.regionBytes(), 4096);
            layout.format(regions[rank], 0);
        }
    }

    /** A rank whose peers are regions of this process. */
    final class Rank implements LogHome {
        final FakeRemote[] remotes = new FakeRemote[RANKS];
        final LogRegion[] opened = new LogRegion[RANKS];
        final AccessLog log;

        Rank(int rank, boolean mapped, Random random) {
            for (int peer = 0; peer < RANKS; peer++) {
                remotes[peer] = new FakeRemote(regions[peer], mapped || peer == rank, random);
                opened[peer] = new LogRegion(layout, peer, rank, remotes[peer], remotes[peer].mapped(),
                    remotes[peer]::flush, arena);
            }
            log = new AccessLog(rank, layout, this, 0);
        }

        @Override
        public LogRegion region(int of) {
            return opened[of];
        }
    }

    Rank rank(boolean mapped) {
        return new Rank(0, mapped, new Random(5));
    }

    List<String> read(int home, int log) {
        LogReader reader = new LogReader(watch(home), arena).open(log);
        List<String> records = new ArrayList<>();
        while (reader.next()) {
            LogRecord record = reader.record();
            StringBuilder values = new StringBuilder();
            for (int i = 0; i < record.length() / 8 && i < 3; i++) {
                values.append(' ').append(record.value(i));
            }
            records.add(LogDescriptor.kindName(record.kind()) + " w" + record.window() + "@" + record.offset() + "+"
                + record.length() + " ec" + record.ec()
                + (log < RANKS ? " le" + record.lockEvents() : " gc" + record.gc())
                + " sc" + record.sc() + " gnc" + record.gnc()
                + (record.repeats() > 0 ? (log < RANKS ? " #" : " x") + record.repeats() : "") + values);
        }
        return records;
    }

    /** A region as somebody else sees it. */
    LogRegion watch(int home) {
        return new LogRegion(layout, home, 2, new FakeRemote(regions[home], true, new Random(1)), regions[home],
            () -> { }, arena);
    }

    long f(int target) {
        return watch(target).f(0);
    }

    /** What is begun, without the tail. */
    long n(int target) {
        long n = watch(target).n(0);
        return n == 0 ? 0 : n & (LogDescriptor.NEEDS_ATOMIC | LogDescriptor.NEEDS_LOCK);
    }

    InFlightAccess inFlight(Rank p, int target) {
        return new LogRegion(layout, target, 0, p.remotes[target], regions[target], () -> { }, arena).inFlight(0);
    }

    /** An atomic update of a cell at offset 8 is about to be made. */
    static void begin(AccessLog log, int target, long old, long updated) {
        assertTrue(log.beginUpdate(0, target, 8));
        log.updating(0, target, DataType.INT64, 8, old, updated);
    }
}
