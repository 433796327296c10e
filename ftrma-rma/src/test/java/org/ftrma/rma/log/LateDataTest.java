package org.ftrma.rma.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.spi.Blocks;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Data of staged puts that is copied to the log while the program computes. */
class LateDataTest {
    private static final int BYTES = 40_960;
    private static final int BLOCK = 2048;

    private final Arena arena = Arena.ofAuto();
    private final LogDescriptor layout = new LogDescriptor(3, 64 * 65_536, 65_536);
    private final LogRegion[] opened = new LogRegion[3];
    private final AccessLog log;
    private final Random random = new Random(3);

    LateDataTest() {
        for (int rank = 0; rank < 3; rank++) {
            MemorySegment memory = arena.allocate(layout.regionBytes(), 4096);
            layout.format(memory, 0);
            FakeRemote remote = new FakeRemote(memory, true, random);
            remote.streamed = 0;
            opened[rank] = new LogRegion(layout, rank, 0, remote, memory, remote::flush, arena);
        }
        log = new AccessLog(0, layout, rank -> opened[rank], 0);
    }

    private MemorySegment fill(MemorySegment memory) {
        for (long at = 0; at < memory.byteSize(); at += 8) {
            memory.set(ValueLayout.JAVA_LONG, at, random.nextLong());
        }
        return memory;
    }

    /** Returns a copy of what was put. */
    private byte[] put(int target, boolean strided) {
        MemorySegment staged = fill(log.stage(0, target, BYTES));
        if (strided) {
            log.putStrided(0, target, staged, new Blocks().of(BYTES / BLOCK, BLOCK).from(0, BLOCK).to(0, 2 * BLOCK));
        } else {
            log.put(0, target, staged, 0, 0, BYTES);
        }
        return staged.toArray(ValueLayout.JAVA_BYTE);
    }

    /** All data in the log of puts to a target, one after the other. */
    private byte[] logged(int target) {
        LogReader reader = new LogReader(opened[0], arena).open(layout.putLog(target));
        List<byte[]> parts = new ArrayList<>();
        int bytes = 0;
        while (reader.next()) {
            if (reader.record().length() > 24) {
                LogRecord record = reader.record();
                byte[] part = record.data().asSlice(record.dataOffset(), record.length())
                    .toArray(ValueLayout.JAVA_BYTE);
                parts.add(part);
                bytes += part.length;
            }
        }
        byte[] all = new byte[bytes];
        int at = 0;
        for (byte[] part : parts) {
            System.arraycopy(part, 0, all, at, part.length);
            at += part.length;
        }
        return all;
    }

    private void assertLogged(byte[] expected, int target) {
        assertEquals(-1, java.util.Arrays.mismatch(expected, logged(target)));
    }

    @Test
    void whoNeverMakesProgressHasPutsLoggedAtOnce() {
        assertNull(log.stage(0, 1, BYTES));
        MemorySegment source = fill(arena.allocate(BYTES, 64));
        log.put(0, 1, source, 0, 0, BYTES);
        assertLogged(source.toArray(ValueLayout.JAVA_BYTE), 1);
    }

    @Test
    void progressCopiesPiecesAndThenReadersSeeTheRecord() {
        log.progress();
        byte[] data = put(1, true);
        int calls = 0;
        while (logged(1).length == 0) {
            log.progress();
            calls++;
            assertTrue(calls < 100);
        }
        assertTrue(calls > 2, "pieces of a few KiB: " + calls);
        assertLogged(data, 1);
        log.progress();
        assertLogged(data, 1);
    }

    static Stream<Arguments> whatSettles() {
        return Stream.of(settling("flush", log -> log.flushed(0, 1)),
            settling("flush of all", log -> log.flushed(0, -1)),
            settling("unlock", log -> log.unlocking(0, 1)),
            settling("loss of the target", log -> log.lostPeers().lost(1)),
            settling("loss of another one", log -> log.lostPeers().lost(2)),
            settling("marks", AccessLog::marks), settling("end", AccessLog::settle),
            settling("a small put", log -> log.putLong(0, 1, 5, 0)),
            settling("an update", log -> log.atomic(0, 1, AtomicOp.SUM, DataType.INT64, 8, 1, 2)),
            settling("room in the log", log -> log.stage(0, 1, 8)));
    }

    private static Arguments settling(String what, Consumer<AccessLog> deed) {
        return Arguments.of(what, deed);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("whatSettles")
    void dataIsThereAfter(String what, Consumer<AccessLog> deed) {
        for (boolean strided : new boolean[] {true, false}) {
            log.progress();
            byte[] before = logged(1);
            byte[] data = put(1, strided);
            log.progress();
            assertEquals(before.length, logged(1).length);
            log.putLong(0, 2, 1, 0); // touches another log
            assertEquals(before.length, logged(1).length);
            deed.accept(log);
            byte[] after = logged(1);
            assertEquals(before.length + data.length, after.length, what);
            assertEquals(-1, java.util.Arrays.mismatch(data,
                java.util.Arrays.copyOfRange(after, after.length - data.length, after.length)));
        }
    }

    @Test
    void aBufferIsNotGivenWhileItsDataIsOnItsWay() {
        log.progress();
        byte[] first = put(1, true);
        MemorySegment second = fill(log.stage(0, 1, BYTES));
        assertSame(second, log.stage(0, 1, BYTES), "it was not put");
        log.put(0, 1, second, 0, 0, BYTES);
        MemorySegment third = log.stage(0, 1, BYTES);
        assertNotEquals(second.address(), third.address());
        fill(third); // the first put's buffer, perhaps: its data was copied when the second one was put
        log.flushed(0, 1);
        byte[] expected = java.util.Arrays.copyOf(first, 2 * BYTES);
        System.arraycopy(second.toArray(ValueLayout.JAVA_BYTE), 0, expected, BYTES, BYTES);
        assertLogged(expected, 1);
    }

    @Test
    void memoryOfTheProgramIsCopiedAtOnce() {
        log.progress();
        MemorySegment staged = fill(log.stage(0, 1, BYTES));
        log.put(0, 1, staged, 0, 0, 8); // less than was staged
        MemorySegment source = fill(arena.allocate(BYTES, 64));
        byte[] data = source.toArray(ValueLayout.JAVA_BYTE);
        log.put(0, 1, source, 0, 0, BYTES);
        fill(source);
        assertLogged(data, 1);
    }

    /** Of any number of targets, over the ends of chunks, with progress now and then. */
    @Test
    void nothingIsLostOrChangedInManyPuts() {
        log.progress();
        byte[][] expected = {null, {}, {}};
        for (int i = 0; i < 60; i++) {
            int target = 1 + random.nextInt(2);
            byte[] data = put(target, random.nextBoolean());
            expected[target] = java.util.Arrays.copyOf(expected[target], expected[target].length + BYTES);
            System.arraycopy(data, 0, expected[target], expected[target].length - BYTES, BYTES);
            for (int calls = random.nextInt(9); calls > 0; calls--) {
                log.progress();
            }
        }
        log.flushed(0, -1);
        assertLogged(expected[1], 1);
        assertLogged(expected[2], 2);
        assertEquals(0, log.drops());
    }

    @Test
    void aLogThatIsDroppedForgetsWhatWasOnItsWay() {
        log.progress();
        for (int i = 0; i < 400; i++) {
            put(1, true);
        }
        assertTrue(log.drops() > 0);
        log.flushed(0, 1);
        log.trim(log.marks());
        byte[] data = put(1, true);
        log.flushed(0, 1);
        assertLogged(data, 1);
    }
}
