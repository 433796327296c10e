package org.ftrma.rma.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.LockType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a rank does lies in the other process's region when its epoch is closed, with its determinant. */
class ChecksumLogTest {
    private static final int CHUNK = 1024;

    private final Arena arena = Arena.ofAuto();
    private final LogDescriptor layout = new LogDescriptor(3, 16 * CHUNK, CHUNK);
    private final MemorySegment memory = arena.allocate(layout.regionBytes(), 4096);
    private final MemorySegment data = arena.allocate(8192, 8);

    private ChecksumLog log(boolean mapped) {
        layout.format(memory, 0);
        FakeRemote remote = new FakeRemote(memory, mapped, new Random(7));
        return new ChecksumLog(layout, new LogRegion(layout, 3, 0, remote, remote.mapped(), remote::flush, arena));
    }

    private List<String> read(int log) {
        FakeRemote remote = new FakeRemote(memory, true, new Random(1));
        LogReader reader = new LogReader(new LogRegion(layout, 3, 2, remote, memory, () -> { }, arena), arena)
            .open(log);
        List<String> records = new ArrayList<>();
        while (reader.next()) {
            LogRecord record = reader.record();
            records.add(LogDescriptor.kindName(record.kind()) + " w" + record.window() + "@" + record.offset() + "+"
                + record.length() + " ec" + record.ec() + " gc" + record.gc() + " sc" + record.sc() + " gnc"
                + record.gnc() + " "
                + record.value(0));
        }
        return records;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void accessesAreLoggedByTargetWithTheirCounters(boolean mapped) {
        ChecksumLog log = log(mapped);
        log.putLong(0, 1, 41, 16);
        data.set(ValueLayout.JAVA_LONG, 8, 42);
        log.put(1, 2, data, 8, 32, 16);
        log.get(0, 1, data, 64, 8, 8);
        log.gotLong(0, 1, 43, 24);
        assertEquals(List.of("getLong w0@24+8 ec1 gc0 sc0 gnc0 43"), read(layout.getLog(1)), "the get has not arrived");
        data.set(ValueLayout.JAVA_LONG, 64, 44);
        log.flushed(0, 1);
        log.locked(0, 1, LockType.EXCLUSIVE, 9, false);
        log.atomic(0, 1, AtomicOp.SUM, DataType.INT64, 40, 5, 100);
        log.unlocking(0, 1);
        log.unlocked(0, 1, LockType.EXCLUSIVE, false);
        log.collective(7, true);
        log.compareAndSwap(0, 1, 40, DataType.INT64, 1, 2, 105);
        log.flushed(0, -1);
        log.putLong(0, 2, 45, 0);
        assertEquals(List.of("put w0@16+8 ec1 gc0 sc0 gnc0 41", "atomic w0@40+24 ec2 gc1 sc9 gnc0 5",
            "compareAndSwap w0@40+24 ec3 gc2 sc0 gnc7 1"),
            read(layout.putLog(1)));
        assertEquals(List.of("getLong w0@24+8 ec1 gc0 sc0 gnc0 43", "get w0@8+8 ec1 gc0 sc0 gnc0 44",
            "lock w0@0+8 ec2 gc1 sc9 gnc0 1",
            "atomic w0@40+24 ec2 gc1 sc9 gnc0 5", "compareAndSwap w0@40+24 ec3 gc2 sc0 gnc7 1"),
            read(layout.getLog(1)));
        assertEquals(List.of("put w1@32+16 ec1 gc0 sc0 gnc0 42", "put w0@0+8 ec2 gc3 sc0 gnc7 45"),
            read(layout.putLog(2)));
        assertEquals(0, log.drops());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void memoryIsUsedAgainAfterATrimAndMissedWithoutOne(boolean mapped) {
        ChecksumLog log = log(mapped);
        for (int round = 0; round < 40; round++) {
            log.put(0, 1, data, 0, 0, 4096);
            log.get(0, 2, data, 0, 0, 2000);
            log.flushed(0, -1);
            log.trim(log.marks());
        }
        assertEquals(0, log.drops());
        assertTrue(log.bytes() > 40 * 6096);
        while (!log.runsLow()) {
            log.put(0, 1, data, 0, 0, 4096);
        }
        log.put(0, 1, data, 0, 0, 8192);
        log.put(0, 1, data, 0, 0, 8192);
        assertTrue(log.drops() > 0);
        log.relieved();
        assertEquals(0, log.drops());
    }
}
