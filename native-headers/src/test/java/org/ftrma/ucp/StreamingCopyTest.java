package org.ftrma.ucp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StreamingCopyTest {
    private static final int BYTES = 3 << 20;

    private final Random random = new Random(7);

    @Test
    void isThereOnTheProcessorsItIsFor() {
        assertEquals(System.getProperty("os.arch").equals("amd64") && System.getProperty("os.name").equals("Linux"),
            StreamingCopy.isAvailable());
    }

    /** Of any alignment and length, and no byte beyond. */
    @Test
    void copiesWhatAPlainCopyCopies() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment source = noise(arena.allocate(BYTES));
            MemorySegment copied = noise(arena.allocate(BYTES));
            MemorySegment expected = arena.allocate(BYTES).copyFrom(copied);
            for (int i = 0; i < 4000; i++) {
                int length = 1 + random.nextInt(1 << random.nextInt(1, 14));
                copyBoth(source, copied, expected, length, random.nextInt(BYTES - length),
                    random.nextInt(BYTES - length));
            }
            copyBoth(source, copied, expected, BYTES - 77, 33, 70); // more than one call's worth
            assertEquals(-1, copied.mismatch(expected));
        }
    }

    @Test
    void piecesAreThereAfterAFence() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment source = noise(arena.allocate(BYTES));
            MemorySegment copied = noise(arena.allocate(BYTES));
            MemorySegment expected = arena.allocate(BYTES).copyFrom(copied);
            for (int i = 0; i < 4000; i++) {
                int length = 1 + random.nextInt(1 << random.nextInt(1, 14));
                long from = random.nextInt(BYTES - length);
                long to = random.nextInt(BYTES - length);
                StreamingCopy.copyPart(source, from, copied, to, length);
                VarHandle.fullFence();
                MemorySegment.copy(source, from, expected, to, length);
            }
            StreamingCopy.copyPart(source, 33, copied, 70, BYTES - 77); // more than one call's worth
            VarHandle.fullFence();
            MemorySegment.copy(source, 33, expected, 70, BYTES - 77);
            assertEquals(-1, copied.mismatch(expected));
            StreamingCopy.copyPart(MemorySegment.ofArray(new long[] {7}), 0, copied, 8, 8);
            assertEquals(7, copied.get(ValueLayout.JAVA_LONG, 8));
            assertThrows(IndexOutOfBoundsException.class,
                () -> StreamingCopy.copyPart(source, 0, copied, BYTES - 4095, 4096));
            assertThrows(IndexOutOfBoundsException.class,
                () -> StreamingCopy.copyPart(source, BYTES - 64, copied, 0, 65));
            assertThrows(IllegalArgumentException.class,
                () -> StreamingCopy.copyPart(source, 0, copied.asReadOnly(), 0, 4096));
        }
    }

    /** What this processor does not use is tested, too, if it can do it. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void linesAreCopiedByEitherCode(boolean avx) throws Throwable {
        assumeTrue(StreamingCopy.isAvailable() && (!avx || StreamingCopy.hasAvx()));
        MethodHandle copyLines = StreamingCopy.linesCopy(avx);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment source = noise(arena.allocate(BYTES, 64));
            MemorySegment copied = noise(arena.allocate(BYTES, 64));
            MemorySegment expected = arena.allocate(BYTES).copyFrom(copied);
            for (int i = 0; i < 2000; i++) {
                long bytes = 64L * (1 + random.nextInt(1 << random.nextInt(1, 9)));
                long from = random.nextInt((int) (BYTES - bytes));
                long to = 64L * random.nextInt((int) (BYTES - bytes) / 64);
                copyLines.invokeExact(copied.address() + to, source.address() + from, bytes);
                VarHandle.fullFence();
                MemorySegment.copy(source, from, expected, to, bytes);
            }
            assertEquals(-1, copied.mismatch(expected));
        }
    }

    private static void copyBoth(MemorySegment source, MemorySegment copied, MemorySegment expected, long length,
        long from, long to) {
        StreamingCopy.copy(source, from, copied, to, length);
        MemorySegment.copy(source, from, expected, to, length);
    }

    @Test
    void copiesBlocksThatAreApart() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment source = noise(arena.allocate(BYTES, 64));
            MemorySegment copied = noise(arena.allocate(BYTES, 64));
            MemorySegment expected = arena.allocate(BYTES).copyFrom(copied);
            SpacedBlocks blocks = new SpacedBlocks();
            for (int i = 0; i < 600; i++) {
                boolean lines = random.nextInt(4) > 0;
                int unit = lines ? 64 : 1;
                int block = unit * (1 + random.nextInt(lines ? 64 : 3000));
                int count = 1 + random.nextInt(20);
                int stride = block + unit * random.nextInt(lines ? 500 : 9000);
                int sourceStride = block + random.nextInt(3) * random.nextInt(2000);
                long from = random.nextInt(BYTES - block - (count - 1) * sourceStride);
                long to = (long) unit * random.nextInt((BYTES - block - (count - 1) * stride) / unit);
                StreamingCopy.copy(source, from, copied, to, blocks.of(count, block).apart(sourceStride, stride));
                for (int k = 0; k < count; k++) {
                    MemorySegment.copy(source, from + (long) k * sourceStride, expected, to + (long) k * stride, block);
                }
            }
            assertEquals(-1, copied.mismatch(expected));
            // one block again and again, more than one call's worth
            StreamingCopy.copy(source, 64, copied, 0, blocks.of(BYTES >> 16, 1 << 16).apart(0, 1 << 16));
            for (int at = 0; at < BYTES; at += 1 << 16) {
                MemorySegment.copy(source, 64, expected, at, 1 << 16);
            }
            assertEquals(-1, copied.mismatch(expected));
        }
    }

    @Test
    void heapMemoryIsCopiedToo() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment source = MemorySegment.ofArray(new long[1000]);
            source.setAtIndex(ValueLayout.JAVA_LONG_UNALIGNED, 999, 5);
            MemorySegment target = noise(arena.allocate(8000));
            StreamingCopy.copy(source, 0, target, 0, 8000);
            assertEquals(-1, source.mismatch(target));
            StreamingCopy.copy(noise(target), 8, MemorySegment.ofArray(new byte[100]), 0, 100);
        }
    }

    @Test
    void nothingOutsideASegmentIsTouched() {
        Arena arena = Arena.ofConfined();
        MemorySegment big = arena.allocate(1 << 16, 64);
        MemorySegment small = arena.allocate(4096, 64);
        assertThrows(IndexOutOfBoundsException.class, () -> StreamingCopy.copy(big, 0, small, 1, 4096));
        assertThrows(IndexOutOfBoundsException.class, () -> StreamingCopy.copy(small, 4096 - 63, big, 0, 64));
        assertThrows(IndexOutOfBoundsException.class, () -> StreamingCopy.copy(big, -64, small, 0, 64));
        assertThrows(IndexOutOfBoundsException.class, () -> StreamingCopy.copy(big, 0, small, Long.MAX_VALUE, 64));
        SpacedBlocks blocks = new SpacedBlocks();
        assertThrows(IndexOutOfBoundsException.class, () ->
            StreamingCopy.copy(big, 0, small, 0, blocks.of(5, 1024).apart(0, 1024)));
        assertThrows(IndexOutOfBoundsException.class, () ->
            StreamingCopy.copy(big, 0, small, 0, blocks.of(5, 64).apart(Long.MAX_VALUE / 2, 64)));
        assertThrows(IndexOutOfBoundsException.class, () -> StreamingCopy.copy(big, 0, small, 0, -64));
        assertThrows(IllegalArgumentException.class, () -> StreamingCopy.copy(big, 0, small.asReadOnly(), 0, 4096));
        arena.close();
        assertThrows(IllegalStateException.class, () -> StreamingCopy.copy(big, 0, small, 0, 4096));
        MemorySegment open = Arena.ofAuto().allocate(4096, 64);
        assertThrows(IllegalStateException.class, () -> StreamingCopy.copyPart(open, 0, small, 0, 4096));
        assertThrows(IllegalStateException.class, () -> StreamingCopy.copyPart(small, 0, open, 0, 4096));
        assertTrue(big.byteSize() > 0);
    }

    private MemorySegment noise(MemorySegment memory) {
        for (long at = 0; at < memory.byteSize(); at += Long.BYTES) {
            memory.set(ValueLayout.JAVA_LONG_UNALIGNED, at, random.nextLong());
        }
        return memory;
    }
}
