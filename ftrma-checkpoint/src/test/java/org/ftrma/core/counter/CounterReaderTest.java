package org.ftrma.core.counter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.ftrma.core.session.ProgramPhase;
import org.ftrma.spi.Clock;
import org.ftrma.spi.CounterStore;
import org.junit.jupiter.api.Test;

/** The layout byte by byte, and what becomes of memory that has another one. */
class CounterReaderTest {
    private MemorySegment memory;

    CounterReaderTest() {
        Clock clock = new Clock() {
            @Override
            public long nanoTime() {
                return 0x1122334455667788L;
            }

            @Override
            public void relax(int turn) {
                throw new AssertionError("counters never wait");
            }
        };
        StateCounters counters = new StateCounters(new CounterStore() {
            @Override
            public MemorySegment memory(long bytes) {
                memory = CounterStore.NONE.memory(bytes);
                return memory;
            }

            @Override
            public long wallMillis() {
                return 99;
            }

            @Override
            public String host() {
                return "here";
            }
        }, clock);
        counters.plays(5, 2);
        counters.told(3, 4, 6, 60);
        counters.step(61);
        new ProgramPhase(counters).enter();
        counters.waits("rain", 1, -1, 7);
        counters.waits("rain", 1, 40, 47);
        StateCounters.beaten(memory, 70, 80);
    }

    private String refused(MemorySegment given) {
        return assertThrows(CounterReader.MalformedException.class, () -> CounterReader.read(given)).getMessage();
    }

    private void putInt(int offset, int value) {
        memory.set(ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN), offset, value);
    }

    @Test
    void layoutIsThatOfTheDiagram() {
        ByteBuffer bytes = ByteBuffer.wrap(memory.toArray(ValueLayout.JAVA_BYTE)).order(ByteOrder.LITTLE_ENDIAN);
        assertEquals(128 + 48 * 8 + 8 * 128 + 12 * 64, bytes.capacity());
        assertEquals("ftrmaCNT", text(bytes, 0, 8));
        int[] header = {2, bytes.capacity(), 5, 2, 1, 1};
        for (int i = 0; i < header.length; i++) {
            assertEquals(header[i], bytes.getInt(8 + 4 * i), "word " + i);
        }
        assertEquals("here\0", text(bytes, 32, 5));
        long[] numbers = {0x1122334455667788L, 3, 4, 6, 60, 61, 99, 70, 80};
        assertTrue(Counter.values().length <= 48, "there are " + Counter.values().length + " counters");
        for (int i = 0; i < numbers.length; i++) {
            assertEquals(numbers[i], bytes.getLong(128 + 8 * i), Counter.values()[i].label());
        }
        int state = 128 + 48 * 8;
        assertEquals(1 << 1, bytes.getLong(state));
        assertEquals(0x1122334455667788L, bytes.getLong(state + 8));
        assertEquals(ProgramPhase.State.ALLOCATING.ordinal(), bytes.getInt(state + 16));
        assertEquals("program\0", text(bytes, state + 24, 8));
        assertEquals("ALLOCATING\0", text(bytes, state + 64, 11));
        int wait = state + 8 * 128;
        for (int i = state + 128; i < wait; i++) {
            assertEquals(0, bytes.get(i), "byte " + i);
        }
        assertEquals(1, bytes.getLong(wait));
        assertEquals(40, bytes.getLong(wait + 8));
        assertEquals("rain\0", text(bytes, wait + 16, 5));
    }

    private static String text(ByteBuffer bytes, int offset, int length) {
        return new String(bytes.array(), offset, length, StandardCharsets.US_ASCII);
    }

    @Test
    void countersOfAnotherVersionAreRefusedByItsNumber() {
        putInt(8, 1);
        assertEquals("the counters have version 1, this library reads version 2: read them with the library that the "
            + "process ran with", refused(memory));
    }

    @Test
    void processThatDiedBeforeItCountedIsToldSo() {
        assertEquals("the process had not begun to count", refused(MemorySegment.ofArray(new long[512])));
    }

    @Test
    void whatIsNoFileOfCountersIsRefused() {
        assertTrue(refused(MemorySegment.ofArray(new long[0])).contains("bytes=0"));
        assertTrue(refused(memory.asSlice(0, 63)).contains("bytes=63"));
        memory.set(ValueLayout.JAVA_BYTE, 0, (byte) 'g');
        assertTrue(refused(memory).contains("magic=0x544e43616d727467 instead of 0x544e43616d727466"));
    }

    @Test
    void lengthsThatTheFileDoesNotBearOutAreRefused() {
        assertTrue(refused(memory.asSlice(0, memory.byteSize() - 1)).contains("length=2304 in a file of 2303 bytes"));
        putInt(12, Integer.MAX_VALUE);
        assertTrue(refused(memory).contains("length=2147483647 in a file of 2304 bytes"));
        putInt(12, 2304);
        for (int states : new int[] {-1, 9, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            putInt(24, states);
            assertTrue(refused(memory).contains("states=" + states + ", at most 8"));
        }
    }

    @Test
    void damageOfAnyKindIsReadAsTextThatCanBePrintedOrRefused() {
        Random random = new Random(7);
        byte[] whole = memory.toArray(ValueLayout.JAVA_BYTE);
        int read = 0;
        for (int run = 0; run < 5000; run++) {
            MemorySegment copy = MemorySegment.ofArray(new long[1 + random.nextInt(whole.length / 8)]);
            MemorySegment.copy(whole, 0, copy, ValueLayout.JAVA_BYTE, 0, (int) copy.byteSize());
            if (run % 2 == 0) {
                copy = CounterStore.NONE.memory(whole.length);
                MemorySegment.copy(whole, 0, copy, ValueLayout.JAVA_BYTE, 0, whole.length);
            }
            for (int i = random.nextInt(40); i >= 0; i--) {
                copy.set(ValueLayout.JAVA_BYTE, random.nextInt((int) copy.byteSize()), (byte) random.nextInt());
            }
            try {
                String text = CounterReader.read(copy).text();
                assertTrue(text.chars().allMatch(c -> c >= ' ' && c < 0x7f), text);
                read++;
            } catch (CounterReader.MalformedException e) {
                assertTrue(e.getMessage().length() > 10, e.getMessage());
            }
        }
        assertTrue(read > 100, read + " read");
    }
}
