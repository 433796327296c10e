package org.ftrma.core.image;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.ftrma.FtrmaException;
import org.ftrma.core.control.Blob;
import org.junit.jupiter.api.Test;

/** The header of an image, and what is refused of one. */
class ImageHeaderTest {
    private static final long START = 8192;
    private final MemorySegment memory = Arena.ofAuto().allocate(1 << 16, 4096);

    private final Longs first = new Longs(1000);
    private final Longs second = new Longs(1000);
    private final List<CheckpointedState> parts = List.of(first, second);
    private final long capacity = ImageHeader.capacity(parts);

    @Test
    void partsFollowOneAnotherAndTheRestOfTheLastBlockIsZero() {
        assertEquals(4 * 4096, capacity);
        memory.fill((byte) 0x77);
        first.values = new long[] {1, 2, 3};
        second.values = new long[600];
        assertEquals(2 * 4096, ImageHeader.write(memory, START, 17, 2, parts));
        assertEquals(0x77, memory.get(ValueLayout.JAVA_BYTE, START - 1));
        assertEquals(0x77, memory.get(ValueLayout.JAVA_BYTE, START + 2 * 4096));
        long used = 64 + 8 + 24 + 8 + 4800;
        assertEquals(used, memory.get(ValueLayout.JAVA_LONG, START + 16));
        for (long at = used; at < 2 * 4096; at++) {
            assertEquals(0, memory.get(ValueLayout.JAVA_BYTE, START + at));
        }
        first.values = null;
        second.values = null;
        assertEquals(17, ImageHeader.read(memory, START, capacity, parts));
        assertEquals(3, first.values.length);
        assertEquals(3, first.values[2]);
        assertEquals(600, second.values.length);
        assertEquals(2 * 4096, ImageHeader.usedBlocks(memory, START, capacity));
    }

    private void assertMalformed() {
        FtrmaException refusal = assertThrows(FtrmaException.class,
            () -> ImageHeader.read(memory, START, capacity, parts));
        assertEquals(FtrmaException.Category.FATAL, refusal.category());
        assertTrue(refusal.getMessage().contains("header of an image is malformed"), refusal.getMessage());
    }

    @Test
    void lengthsThatCannotBeAreRefused() {
        first.values = new long[] {1, 2, 3};
        second.values = new long[] {4};
        ImageHeader.write(memory, START, 1, 1, parts);
        for (long used : new long[] {0, 63, 64, 72, 104, 111, 120, 128, capacity, capacity + 8, -8, Long.MAX_VALUE}) {
            memory.set(ValueLayout.JAVA_LONG, START + 16, used);
            assertMalformed();
        }
        memory.set(ValueLayout.JAVA_LONG, START + 16, 64 + 8 + 24 + 8 + 8);
        assertEquals(1, ImageHeader.read(memory, START, capacity, parts));
        for (long length : new long[] {-8, 4, 23, 32, 8, 8001, 8008, Long.MIN_VALUE, Long.MAX_VALUE - 7}) {
            memory.set(ValueLayout.JAVA_LONG, START + 64, length);
            assertMalformed();
        }
        memory.asSlice(START, capacity).fill((byte) 0);
        assertMalformed();
    }

    private static void assertNoLayout(long... values) {
        FtrmaException refusal = assertThrows(FtrmaException.class, () -> ImageLayout.decode(Blob.longs(values), 2));
        assertEquals(FtrmaException.Category.FATAL, refusal.category());
    }

    @Test
    void aLayoutTellsTheRoomForTheHeader() {
        ImageLayout layout = new ImageLayout(8192, 16384, new long[] {4096}, 2);
        ImageLayout told = ImageLayout.decode(layout.encode(), 2);
        assertTrue(layout.sameAs(told));
        assertEquals(8192, told.headerBytes());
        assertEquals(16384 + 4096, told.imageBytes());
        assertNoLayout(8192);
        assertNoLayout(0, 8192);
        assertNoLayout(8192, 4096);
        assertNoLayout(4000, 8192);
        assertNoLayout(-4096, 8192);
    }
}
