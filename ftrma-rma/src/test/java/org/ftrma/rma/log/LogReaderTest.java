package org.ftrma.rma.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.ftrma.FtrmaException;
import org.ftrma.spi.Blocks;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a reader sees of a log whose writer is at work, has died, or whose memory is damaged. */
class LogReaderTest {
    private static final int CHUNK = 512;

    private final Arena arena = Arena.ofAuto();
    private final LogDescriptor layout = new LogDescriptor(2, 4 * CHUNK, CHUNK);
    private final MemorySegment memory = arena.allocate(layout.regionBytes(), 4096);
    private final MemorySegment data = arena.allocate(4096);

    LogReaderTest() {
        layout.format(memory, 3);
    }

    private LogRegion region(boolean mapped) {
        FakeRemote remote = new FakeRemote(memory, mapped, new Random(1));
        return new LogRegion(layout, 0, 1, remote, mapped ? memory : null, remote::flush, arena);
    }

    private LogWriter writer(boolean mapped) {
        return new LogWriter(region(mapped), layout.getLog(1), null);
    }

    private LogReader reader(boolean mapped) {
        return new LogReader(region(mapped), arena).open(layout.getLog(1));
    }

    private static Determinant put(int window, long offset, long ec) {
        return new Determinant().access(LogDescriptor.PUT, window, 0, offset).ec(ec);
    }

    private boolean put(LogWriter writer, long ec, int length) {
        return writer.append(put(0, 0, ec).gnc(ec), data, 0, length);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void recordsAreSeenWhenTheTailIsPublishedAndNotBefore(boolean mapped) {
        LogWriter writer = writer(mapped);
        assertTrue(put(writer, 1, 10));
        assertTrue(writer.write(put(0, 0, 2), data, 0, 1000));
        LogReader reader = reader(mapped);
        assertTrue(reader.next());
        assertEquals(1, reader.record().ec());
        assertFalse(reader.next());
        writer.publish();
        reader.open(layout.getLog(1));
        assertTrue(reader.next());
        assertTrue(reader.next());
        assertEquals(2, reader.record().ec());
        assertTrue(reader.record().more());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aSuccessorGoesOnBehindWhatWasPublishedAndLosesNoChunk(boolean mapped) {
        LogWriter writer = writer(mapped);
        assertTrue(put(writer, 1, 10));
        assertTrue(writer.write(put(0, 0, 2), data, 0, 1000), "three chunks are linked and none of it is published");
        LogRegion region = region(mapped);
        region.adopt();
        LogWriter successor = new LogWriter(region, layout.getLog(1), null);
        assertTrue(put(successor, 3, 1300), "what the first one had taken is free again");
        LogReader reader = reader(mapped);
        assertTrue(reader.next());
        assertEquals(1, reader.record().ec());
        long length = 0;
        while (reader.next()) {
            assertEquals(3, reader.record().ec());
            assertEquals(length, reader.record().offset());
            length += reader.record().length();
        }
        assertEquals(1300, length);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aLogThatOutgrowsItsBudgetIsDroppedWithAGapAndGoesOn(boolean mapped) {
        List<Long> chunksWhenDropped = new ArrayList<>();
        LogRegion region = region(mapped);
        LogWriter[] writer = new LogWriter[1];
        writer[0] = new LogWriter(region, layout.getLog(1), () -> chunksWhenDropped.add((long) writer[0].chunks()));
        assertTrue(put(writer[0], 1, 1000));
        long before = writer[0].mark();
        assertFalse(put(writer[0], 5, 2000));
        assertEquals(List.of(4L), chunksWhenDropped, "puts from the log are completed while it still has its memory");
        LogReader reader = reader(mapped);
        assertFalse(reader.next());
        assertTrue(reader.hasGap());
        assertEquals(5, reader.gapEc());
        assertEquals(5, reader.gapGnc());
        assertTrue(put(writer[0], 6, 1000), "what follows the gap is logged");
        assertTrue(reader(mapped).next());
        writer[0].trimTo(before);
        assertTrue(reader(mapped).hasGap(), "an older cut does not cover the gap");
        writer[0].trimTo(writer[0].mark());
        assertFalse(reader(mapped).hasGap());
        assertEquals(0, writer[0].chunks());
        assertEquals(1, writer[0].drops());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aGapSaysUpToWhichEpochBarrierAndUpdateRecordsAreMissingAndNeverLess(boolean mapped) {
        LogWriter writer = writer(mapped);
        Determinant update = new Determinant().access(LogDescriptor.ATOMIC, 0, 0, 8).ec(5).gnc(6).numbered(7);
        assertTrue(writer.appendUpdate(update, 1, 100, 101));
        writer.drop(update);
        for (int times = 1; times <= 2; times++) {
            LogReader reader = reader(mapped);
            assertTrue(reader.hasGap());
            assertEquals(List.of(5L, 6L, 7L), List.of(reader.gapEc(), reader.gapGnc(), reader.gapUpdates()));
            writer.drop(0, 0, 0); // what was lost elsewhere has no numbers
        }
    }

    @Test
    void anotherLogsChunksAreNotTaken() {
        LogRegion region = region(true);
        LogWriter first = new LogWriter(region, layout.getLog(1), null);
        LogWriter second = new LogWriter(region, layout.putLog(1), null);
        assertTrue(put(first, 1, 1000));
        assertFalse(put(second, 1, 1000));
        assertTrue(put(second, 2, 100));
        LogReader reader = reader(true);
        long length = 0;
        while (reader.next()) {
            length += reader.record().length();
        }
        assertEquals(1000, length);
        assertFalse(reader.hasGap());
    }

    @Test
    void dataIsWrittenInPlaceIntoAReservation() {
        LogWriter writer = writer(true);
        MemorySegment room = writer.reservation().take(100);
        room.fill((byte) 9);
        assertFalse(reader(true).next());
        assertTrue(writer.reservation().commit(put(1, 40, 2).gc(3).sc(4).gnc(5), 90));
        LogReader reader = reader(true);
        assertTrue(reader.next());
        assertEquals(90, reader.record().length());
        assertEquals(room.address(), reader.record().data().address() + reader.record().dataOffset(), "no second copy");
        assertEquals(9, reader.record().data().get(ValueLayout.JAVA_BYTE, reader.record().dataOffset() + 89));
    }

    /** Blocks of that size, so many, data packed or with gaps. */
    @ParameterizedTest
    @CsvSource({"8,3,8,true", "8,3,8,false", "8,100,24,true", "8,100,24,false", "13,30,16,true", "13,30,16,false",
        "300,2,300,true",
        "300,2,300,false", "600,2,700,true", "600,2,700,false", "1,1,1,true"})
    void aWriteOfBlocksIsReadBlockByBlock(int blockBytes, int count, int dataStride, boolean mapped) {
        LogWriter writer = writer(mapped);
        assertTrue(put(writer, 1, 100));
        for (int i = 0; i < data.byteSize(); i++) {
            data.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 7 + i / 256));
        }
        long stride = blockBytes + 3;
        assertTrue(writer.appendStrided(put(2, 40, 5).gc(6).sc(7).gnc(8), data,
            new Blocks().of(count, blockBytes).from(16, dataStride).to(40, stride)));
        assertTrue(put(writer, 9, 20));
        LogReader reader = reader(mapped);
        assertTrue(reader.next());
        for (int i = 0; i < count; i++) {
            int seen = 0;
            while (seen < blockBytes) {
                assertTrue(reader.next());
                LogRecord record = reader.record();
                assertEquals(LogDescriptor.PUT, record.kind());
                assertEquals(List.of(5L, 6L, 7L, 8L, 2L),
                    List.of(record.ec(), record.gc(), record.sc(), record.gnc(), (long) record.window()));
                assertEquals(40 + i * stride + seen, record.offset());
                MemorySegment found = record.data().asSlice(record.dataOffset(), record.length());
                assertEquals(-1, found.mismatch(data.asSlice(16 + i * dataStride + seen, record.length())),
                    "block " + i);
                seen += (int) record.length();
            }
            assertEquals(blockBytes, seen);
        }
        assertTrue(reader.next());
        assertEquals(9, reader.record().ec());
        assertFalse(reader.next());
    }

    @Test
    void blocksWrittenIntoAReservationAreNotCopied() {
        LogWriter writer = writer(true);
        MemorySegment room = writer.reservation().take(layout.maxReserve());
        room.fill((byte) 4);
        assertTrue(writer.reservation().commitStrided(put(1, 80, 2).gc(3).sc(4).gnc(5), room,
            new Blocks().of(6, 7).from(0, 7).to(80, 100)));
        room = writer.reservation().take(42);
        assertTrue(put(writer, 3, 10), "another record comes between");
        room.fill((byte) 5);
        assertTrue(writer.reservation().commitStrided(put(1, 0, 4).gc(3).sc(4).gnc(5), room,
            new Blocks().of(6, 7).from(0, 7).to(0, 100)));
        LogReader reader = reader(true);
        for (int i = 0; i < 6; i++) {
            assertTrue(reader.next());
            assertEquals(80 + 100L * i, reader.record().offset());
            assertEquals(4, reader.record().data().get(ValueLayout.JAVA_BYTE, reader.record().dataOffset() + 6));
        }
        assertTrue(reader.next());
        assertEquals(3, reader.record().ec());
        for (int i = 0; i < 6; i++) {
            assertTrue(reader.next());
            assertEquals(5, reader.record().data().get(ValueLayout.JAVA_BYTE, reader.record().dataOffset() + 6));
        }
        assertFalse(reader.next());
    }

    @ParameterizedTest
    @CsvSource({"0,0", "0,6", "0,9223372036854775807", "8,0", "8,-7", "8,5", "8,43"})
    void damagedBlocksAreReported(long offset, long value) {
        LogWriter writer = writer(true);
        assertTrue(writer.appendStrided(put(1, 80, 2).gc(3).sc(4).gnc(5), data,
            new Blocks().of(6, 7).from(0, 7).to(80, 100)));
        memory.set(ValueLayout.JAVA_LONG, layout.chunkOffset(0) + 64 + 56 + 48 + offset, value);
        FtrmaException e = assertThrows(FtrmaException.class, () -> reader(true).next());
        assertTrue(e.getMessage().contains(" is malformed"), e.getMessage());
    }

    @Test
    void aWriteOfBlocksWithoutRoomIsDroppedAsAWhole() {
        LogWriter writer = writer(true);
        assertFalse(writer.appendStrided(put(1, 0, 5).gnc(2), data,
            new Blocks().of(200, 16).from(0, 16).to(0, 16)));
        LogReader reader = reader(true);
        assertFalse(reader.next());
        assertTrue(reader.hasGap());
        assertEquals(5, reader.gapEc());
    }

    @Test
    void memoryOfAReservationIsNotGivenAwayByADrop() {
        LogWriter writer = writer(true);
        MemorySegment room = writer.reservation().take(100);
        room.fill((byte) 9);
        assertFalse(put(writer, 1, 4000));
        LogWriter other = new LogWriter(region(true), layout.putLog(1), null);
        data.fill((byte) 1);
        assertTrue(put(other, 1, 1150));
        assertFalse(put(other, 2, 4000), "three of four chunks are free");
        assertEquals(9, room.get(ValueLayout.JAVA_BYTE, 0));
        assertEquals(9, room.get(ValueLayout.JAVA_BYTE, 99));
        assertTrue(writer.reservation().commit(put(0, 0, 3), 100));
        LogReader reader = reader(true);
        assertTrue(reader.next());
        assertEquals(9, reader.record().data().get(ValueLayout.JAVA_BYTE, reader.record().dataOffset()));
    }

    /** Word at an offset of the region (entry of LG_0[1], or the first chunk) is overwritten. */
    @ParameterizedTest
    @CsvSource({"entry,0,-1", "entry,0,17179869184", "entry,0,8", "entry,8,-8", "entry,8,1",
        "entry,8,4611686018427387904", "chunk,8,5",
        "chunk,0,0", "chunk,0,99", "chunk,0,1", "chunk,0,-7", "chunk,16,8", "chunk,16,100000", "record,0,0",
        "record,0,8589934592",
        "record,0,8589934593", "record,0,8589934784", "record,0,8589935192", "record,0,68719477232",
        "record,0,21474836976", "record,40,-1",
        "record,48,4096"})
    void damagedMemoryIsReportedWithLogAndPosition(String where, long offset, long value) {
        LogWriter writer = writer(true);
        assertTrue(put(writer, 1, 1000));
        long base = where.equals("entry") ? region(true).entry(layout.getLog(1))
            : layout.chunkOffset(0) + (where.equals("record") ? 64 : 0);
        memory.set(ValueLayout.JAVA_LONG, base + offset, value);
        for (boolean mapped : new boolean[] {true, false}) {
            FtrmaException e = assertThrows(FtrmaException.class, () -> {
                LogReader reader = reader(mapped);
                while (reader.next()) {
                    assertTrue(reader.record().length() <= CHUNK);
                }
            });
            assertTrue(e.getMessage().startsWith("the log at rank 0 of what rank 1 read there: position chunk="),
                e.getMessage());
        }
    }

    @Test
    void aRegionOfAnotherJobIsRefused() {
        memory.set(ValueLayout.JAVA_LONG, LogDescriptor.HEADER_RANKS, 5);
        assertTrue(assertThrows(FtrmaException.class, () -> region(true)).getMessage().contains("ranks=5"));
        layout.format(memory, 0);
        region(true);
        LogDescriptor larger = new LogDescriptor(2, 5 * CHUNK, CHUNK);
        assertThrows(FtrmaException.class, () -> new LogRegion(larger, 0, 1,
            new FakeRemote(memory, true, new Random(1)), memory, () -> { }, arena));
    }

    @Test
    void aBudgetBelowOneChunkIsRefused() {
        assertThrows(FtrmaException.class, () -> new LogDescriptor(2, 511, 512));
        assertThrows(FtrmaException.class, () -> new LogDescriptor(2, 1 << 20, 500));
    }
}
