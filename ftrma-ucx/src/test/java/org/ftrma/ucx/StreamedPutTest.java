package org.ftrma.ucx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ftrma.MisuseException;
import org.ftrma.spi.MemoryRegion;
import org.ftrma.spi.RemoteMemory;
import org.ftrma.ucp.StreamingCopy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Puts whose blocks lie farther apart than the cache reaches. Accesses to the own rank take the same way as all others.
 */
@Timeout(120)
class StreamedPutTest {
    private static final int BLOCK = 2048;
    private static final int COUNT = 256;

    @Test
    void blocksLandWhereTheyShouldAndNowhereElse() {
        long stride = LastLevelCache.bytes() / COUNT / 64 * 64 + 4096;
        try (UcxFabric fabric = new UcxFabric(UcxOptions.of(UcxOptions.Path.MAPPED)); Arena arena = Arena.ofShared()) {
            fabric.waitWith(new TestWait(20));
            MemoryRegion region = fabric.expose(stride * COUNT + 64);
            fabric.connect(0, fabric.address());
            RemoteMemory memory = fabric.attach(0, region.key());
            assertEquals(StreamingCopy.isAvailable(), memory.leastStreamed() < Long.MAX_VALUE);
            MemorySegment source = arena.allocate((long) BLOCK * COUNT, 64);
            for (long at = 0; at < source.byteSize(); at += 8) {
                source.set(ValueLayout.JAVA_LONG, at, at + 1);
            }
            for (int shift : new int[] {0, 64, 8}) {
                region.segment().fill((byte) 0);
                memory.putBlocks(source, 0, BLOCK, shift, stride, BLOCK, COUNT);
                fabric.flush(0);
                MemorySegment wanted = arena.allocate(stride * COUNT + 64);
                for (int i = 0; i < COUNT; i++) {
                    MemorySegment.copy(source, (long) i * BLOCK, wanted, shift + i * stride, BLOCK);
                }
                assertEquals(-1, region.segment().mismatch(wanted), "shifted by " + shift);
            }
            // A window into itself, overlapping: as a copy that notices.
            MemorySegment mapped = memory.mapped();
            MemorySegment expected = arena.allocate(stride * COUNT + 64).copyFrom(mapped);
            memory.putBlocks(mapped, 0, stride, 64, stride, BLOCK, COUNT);
            for (int i = 0; i < COUNT; i++) {
                MemorySegment.copy(expected, i * stride, expected, 64 + i * stride, BLOCK);
            }
            assertEquals(-1, mapped.mismatch(expected), "overlapping");
            memory.stream(source, 8, 24, 100_000);
            assertEquals(-1, region.segment().asSlice(24, 100_000).mismatch(source.asSlice(8, 100_000)));
            assertThrows(IndexOutOfBoundsException.class,
                () -> memory.putBlocks(source, 0, BLOCK, 128, stride, BLOCK, COUNT + 1));
            fabric.renew();
            assertThrows(MisuseException.class, () -> memory.putBlocks(source, 0, BLOCK, 0, stride, BLOCK, COUNT));
        }
    }

    @Test
    void aSmallRegionIsNotStreamedTo() {
        try (UcxFabric fabric = new UcxFabric(UcxOptions.of(UcxOptions.Path.MAPPED))) {
            MemoryRegion region = fabric.expose(1 << 16);
            fabric.connect(0, fabric.address());
            assertEquals(Long.MAX_VALUE, fabric.attach(0, region.key()).leastStreamed());
        }
    }

    @Test
    void theSizeOfTheCacheIsReadOrAssumed() {
        assertEquals(512 << 20, LastLevelCache.parse("524288K\n"));
        assertEquals(1 << 20, LastLevelCache.parse("16K"));
        assertEquals(32 << 20, LastLevelCache.parse(""));
        assertEquals(32 << 20, LastLevelCache.parse("32M?"));
    }
}
