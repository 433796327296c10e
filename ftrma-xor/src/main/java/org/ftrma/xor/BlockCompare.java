package org.ftrma.xor;

import java.lang.foreign.MemorySegment;

/**
 * Copies into an older copy only the blocks that changed, and says which. Pure functions over off-heap memory, without allocation;
 * any thread, as long as no other one writes the ranges or the map meanwhile.
 */
public final class BlockCompare {
    /**
     * A block whose first difference comes within so many bytes was hardly read by the comparison, so it costs nothing to copy it
     * later, together with its neighbours. Any other block is in the cache now and is copied at once.
     */
    private static final int EARLY_BYTES = 256;

    private BlockCompare() {
    }

    /**
     * Copies the blocks of the source that differ from the destination, and marks them. Afterwards both ranges are equal. Marks
     * are only added, so that the changes of several calls can be gathered in one map.
     *
     * @param source            off-heap
     * @param sourceOffset      where the range begins; need not be aligned to a block
     * @param destination       off-heap; the range may not overlap the source
     * @param destinationOffset where the range begins
     * @param length            bytes; where it is not a multiple of the map's block size the last block is partial
     * @param dirty             receives the marks
     * @param firstBlock        the number of the range's first block in the map
     * @return how many blocks were copied
     */
    public static long copyChanged(MemorySegment source, long sourceOffset, MemorySegment destination, long destinationOffset,
            long length, DirtyMap dirty, long firstBlock) {
        long from = Ranges.address(source, sourceOffset, length, false, "source", -1);
        long to = Ranges.address(destination, destinationOffset, length, true, "destination", -1);
        Ranges.requireApart(from, to, length, "source", -1, "destination");
        int blockBytes = dirty.blockBytes();
        dirty.requireRange(firstBlock, DirtyMap.blocksFor(length, blockBytes));
        long changed = 0;
        long pending = -1;
        long block = firstBlock;
        for (long at = 0; at < length; at += blockBytes, block++) {
            long end = Math.min(length, at + blockBytes);
            long difference = MemorySegment.mismatch(source, sourceOffset + at, sourceOffset + end, destination, destinationOffset + at,
                destinationOffset + end);
            if (difference >= 0) {
                changed++;
                dirty.mark(block);
            }
            if (difference >= 0 && difference < EARLY_BYTES) {
                pending = pending < 0 ? at : pending;
                continue;
            }
            if (pending >= 0) {
                MemorySegment.copy(source, sourceOffset + pending, destination, destinationOffset + pending, at - pending);
                pending = -1;
            }
            if (difference >= 0) {
                long start = at + difference;
                MemorySegment.copy(source, sourceOffset + start, destination, destinationOffset + start, end - start);
            }
        }
        if (pending >= 0) {
            MemorySegment.copy(source, sourceOffset + pending, destination, destinationOffset + pending, length - pending);
        }
        return changed;
    }
}
