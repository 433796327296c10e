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
        long base = where.equals("entry") ? layout.entryOffset(layout.getLog(1)) : layout.chunkOffset(0) + (where.equals("record") ? 64 : 0);
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
