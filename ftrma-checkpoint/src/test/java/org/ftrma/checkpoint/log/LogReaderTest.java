package org.ftrma.checkpoint.log;

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

    private boolean put(LogWriter writer, long ec, int length) {
        return writer.append(LogDescriptor.PUT, 0, 0, 0, ec, 0, 0, ec, data, 0, length);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void recordsAreSeenWhenTheTailIsPublishedAndNotBefore(boolean mapped) {
        LogWriter writer = writer(mapped);
        assertTrue(put(writer, 1, 10));
        assertTrue(writer.write(LogDescriptor.PUT, 0, 0, 0, 2, 0, 0, 0, data, 0, 1000));
        LogReader reader = reader(mapped);
        assertTrue(reader.next());
        assertEquals(1, reader.ec());
        assertFalse(reader.next());
        writer.publish();
        reader.open(layout.getLog(1));
        assertTrue(reader.next());
        assertTrue(reader.next());
        assertEquals(2, reader.ec());
        assertTrue(reader.more());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aSuccessorGoesOnBehindWhatWasPublishedAndLosesNoChunk(boolean mapped) {
        LogWriter writer = writer(mapped);
        assertTrue(put(writer, 1, 10));
        assertTrue(writer.write(LogDescriptor.PUT, 0, 0, 0, 2, 0, 0, 0, data, 0, 1000), "three chunks are linked and none of it is published");
        LogRegion region = region(mapped);
        region.adopt();
        LogWriter successor = new LogWriter(region, layout.getLog(1), null);
        assertTrue(put(successor, 3, 1300), "what the first one had taken is free again");
        LogReader reader = reader(mapped);
        assertTrue(reader.next());
        assertEquals(1, reader.ec());
        long length = 0;
        while (reader.next()) {
            assertEquals(3, reader.ec());
            assertEquals(length, reader.offset());
            length += reader.length();
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
        assertTrue(writer.appendUpdate(LogDescriptor.ATOMIC, 0, 0, 8, 5, 0, 0, 6, 7, 1, 100, 101));
        writer.drop(5, 6);
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
            length += reader.length();
        }
        assertEquals(1000, length);
        assertFalse(reader.hasGap());
    }

    @Test
    void dataIsWrittenInPlaceIntoAReservation() {
        LogWriter writer = writer(true);
        MemorySegment room = writer.reserve(100);
        room.fill((byte) 9);
        assertFalse(reader(true).next());
        assertTrue(writer.commit(LogDescriptor.PUT, 1, 0, 40, 2, 3, 4, 5, 90));
        LogReader reader = reader(true);
        assertTrue(reader.next());
        assertEquals(90, reader.length());
        assertEquals(room.address(), reader.data().address() + reader.dataOffset(), "no second copy");
        assertEquals(9, reader.data().get(ValueLayout.JAVA_BYTE, reader.dataOffset() + 89));
    }

    /** Blocks of that size, so many, data packed or with gaps. */
    @ParameterizedTest
    @CsvSource({"8,3,8,true", "8,3,8,false", "8,100,24,true", "8,100,24,false", "13,30,16,true", "13,30,16,false", "300,2,300,true",
        "300,2,300,false", "600,2,700,true", "600,2,700,false", "1,1,1,true"})
    void aWriteOfBlocksIsReadBlockByBlock(int blockBytes, int count, int dataStride, boolean mapped) {
        LogWriter writer = writer(mapped);
        assertTrue(put(writer, 1, 100));
        for (int i = 0; i < data.byteSize(); i++) {
            data.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 7 + i / 256));
        }
        long stride = blockBytes + 3;
        assertTrue(writer.appendStrided(2, 40, stride, blockBytes, count, 5, 6, 7, 8, data, 16, dataStride));
        assertTrue(put(writer, 9, 20));
        LogReader reader = reader(mapped);
        assertTrue(reader.next());
        for (int i = 0; i < count; i++) {
            int seen = 0;
            while (seen < blockBytes) {
                assertTrue(reader.next());
                assertEquals(LogDescriptor.PUT, reader.kind());
                assertEquals(List.of(5L, 6L, 7L, 8L, 2L), List.of(reader.ec(), reader.gc(), reader.sc(), reader.gnc(), (long) reader.window()));
                assertEquals(40 + i * stride + seen, reader.offset());
                MemorySegment found = reader.data().asSlice(reader.dataOffset(), reader.length());
                assertEquals(-1, found.mismatch(data.asSlice(16 + i * dataStride + seen, reader.length())), "block " + i);
                seen += (int) reader.length();
            }
            assertEquals(blockBytes, seen);
        }
        assertTrue(reader.next());
        assertEquals(9, reader.ec());
        assertFalse(reader.next());
    }

    @Test
    void blocksWrittenIntoAReservationAreNotCopied() {
        LogWriter writer = writer(true);
        MemorySegment room = writer.reserve(layout.maxReserve());
        room.fill((byte) 4);
        assertTrue(writer.commitStrided(1, 80, 100, 7, 6, 2, 3, 4, 5));
        room = writer.reserve(42);
        assertTrue(put(writer, 3, 10), "another record comes between");
        room.fill((byte) 5);
        assertTrue(writer.commitStrided(1, 0, 100, 7, 6, 4, 3, 4, 5));
        LogReader reader = reader(true);
        for (int i = 0; i < 6; i++) {
            assertTrue(reader.next());
            assertEquals(80 + 100L * i, reader.offset());
            assertEquals(4, reader.data().get(ValueLayout.JAVA_BYTE, reader.dataOffset() + 6));
        }
        assertTrue(reader.next());
        assertEquals(3, reader.ec());
        for (int i = 0; i < 6; i++) {
            assertTrue(reader.next());
            assertEquals(5, reader.data().get(ValueLayout.JAVA_BYTE, reader.dataOffset() + 6));
        }
        assertFalse(reader.next());
    }

    @ParameterizedTest
    @CsvSource({"0,0", "0,6", "0,9223372036854775807", "8,0", "8,-7", "8,5", "8,43"})
    void damagedBlocksAreReported(long offset, long value) {
        LogWriter writer = writer(true);
        assertTrue(writer.appendStrided(1, 80, 100, 7, 6, 2, 3, 4, 5, data, 0, 7));
        memory.set(ValueLayout.JAVA_LONG, layout.chunkOffset(0) + 64 + 56 + 48 + offset, value);
        FtrmaException e = assertThrows(FtrmaException.class, () -> reader(true).next());
        assertTrue(e.getMessage().contains(" is malformed"), e.getMessage());
    }

    @Test
    void aWriteOfBlocksWithoutRoomIsDroppedAsAWhole() {
        LogWriter writer = writer(true);
        assertFalse(writer.appendStrided(1, 0, 16, 16, 200, 5, 0, 0, 2, data, 0, 16));
        LogReader reader = reader(true);
        assertFalse(reader.next());
        assertTrue(reader.hasGap());
        assertEquals(5, reader.gapEc());
    }

    @Test
    void memoryOfAReservationIsNotGivenAwayByADrop() {
        LogWriter writer = writer(true);
        MemorySegment room = writer.reserve(100);
        room.fill((byte) 9);
        assertFalse(put(writer, 1, 4000));
        LogWriter other = new LogWriter(region(true), layout.putLog(1), null);
        data.fill((byte) 1);
        assertTrue(put(other, 1, 1150));
        assertFalse(put(other, 2, 4000), "three of four chunks are free");
        assertEquals(9, room.get(ValueLayout.JAVA_BYTE, 0));
        assertEquals(9, room.get(ValueLayout.JAVA_BYTE, 99));
        assertTrue(writer.commit(LogDescriptor.PUT, 0, 0, 0, 3, 0, 0, 0, 100));
        LogReader reader = reader(true);
        assertTrue(reader.next());
        assertEquals(9, reader.data().get(ValueLayout.JAVA_BYTE, reader.dataOffset()));
    }

    /** Word at an offset of the region (entry of LG_0[1], or the first chunk) is overwritten. */
    @ParameterizedTest
    @CsvSource({"entry,0,-1", "entry,0,17179869184", "entry,0,8", "entry,8,-8", "entry,8,1", "entry,8,4611686018427387904", "chunk,8,5",
        "chunk,0,0", "chunk,0,99", "chunk,0,1", "chunk,0,-7", "chunk,16,8", "chunk,16,100000", "record,0,0", "record,0,8589934592",
        "record,0,8589934593", "record,0,8589934784", "record,0,8589935192", "record,0,68719477232", "record,0,21474836976", "record,40,-1",
        "record,48,4096"})
    void damagedMemoryIsReportedWithLogAndPosition(String where, long offset, long value) {
        LogWriter writer = writer(true);
        assertTrue(put(writer, 1, 1000));
        long base = where.equals("entry") ? region(true).entry(layout.getLog(1)) : layout.chunkOffset(0) + (where.equals("record") ? 64 : 0);
        memory.set(ValueLayout.JAVA_LONG, base + offset, value);
        for (boolean mapped : new boolean[] {true, false}) {
            FtrmaException e = assertThrows(FtrmaException.class, () -> {
                LogReader reader = reader(mapped);
                while (reader.next()) {
                    assertTrue(reader.length() <= CHUNK);
                }
            });
            assertTrue(e.getMessage().startsWith("LG_0[1]: position chunk="), e.getMessage());
        }
    }

    @Test
    void aRegionOfAnotherJobIsRefused() {
        memory.set(ValueLayout.JAVA_LONG, LogDescriptor.HEADER_RANKS, 5);
        assertTrue(assertThrows(FtrmaException.class, () -> region(true)).getMessage().contains("ranks=5"));
        layout.format(memory, 0);
        region(true);
        LogDescriptor larger = new LogDescriptor(2, 5 * CHUNK, CHUNK);
        assertThrows(FtrmaException.class, () -> new LogRegion(larger, 0, 1, new FakeRemote(memory, true, new Random(1)), memory, () -> { }, arena));
    }

    @Test
    void aBudgetBelowOneChunkIsRefused() {
        assertThrows(FtrmaException.class, () -> new LogDescriptor(2, 511, 512));
        assertThrows(FtrmaException.class, () -> new LogDescriptor(2, 1 << 20, 500));
    }
}
