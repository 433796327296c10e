package org.ftrma.xor;

import java.lang.foreign.MemorySegment;

/**
 * Copies into an older copy only the blocks that changed, and says which. Pure functions over off-heap memory, without
 * allocation; any thread, as long as no other one writes the ranges or the map meanwhile. Ranges are checked, and
 * refused, as in {@link XorCode}.
 */
public final class BlockCompare {
    /** So many blocks in a row that differ in their first line promise more of the same. */
    static final int GALLOP = 16;

    private BlockCompare() {
    }

    /**
     * Copies the blocks of the source that differ from the destination, and marks them. Afterwards both ranges are
     * equal. Marks are only added, so that the changes of several calls can be gathered in one map. In a long run of
     * changed blocks not every one is looked at: of {@value #GALLOP} that follow on as many and of which the last
     * differs, all are taken for changed.
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
    public static long copyChanged(MemorySegment source, long sourceOffset, MemorySegment destination,
        long destinationOffset,
            long length, DirtyMap dirty, long firstBlock) {
        long from = Ranges.address(source, sourceOffset, length, false, "source", -1);
        long to = Ranges.address(destination, destinationOffset, length, true, "destination", -1);
        Ranges.requireApart(from, to, length, "source", -1, "destination");
        int blockBytes = dirty.blockBytes();
        dirty.requireRange(firstBlock, DirtyMap.blocksFor(length, blockBytes));
        long changed = 0;
        // A block that differs in its first line is hardly read by then: it is left for later, to be copied together
        // with its neighbours in one long copy. Any other block has been read to its end, so it is copied at once,
        // while it is in the cache.
        long run = -1;
        long stride = (long) GALLOP * blockBytes;
        long block = firstBlock;
        for (long at = 0; at < length; at += blockBytes, block++) {
            if (run >= 0 && at - run >= stride) {
                long more = gallop(from + at, to + at, length - at, stride, blockBytes);
                if (more > 0) {
                    dirty.mark(block, more / blockBytes);
                    changed += more / blockBytes;
                    block += more / blockBytes;
                    at += more;
                    if (at == length) {
                        break;
                    }
                }
            }
            long bytes = Math.min(blockBytes, length - at);
            boolean early = bytes >= XorKernels.PROBE_BYTES && XorKernels.probeDiffers(from + at, to + at);
            if (early) {
                run = run < 0 ? at : run;
            } else if (run >= 0) {
                MemorySegment.copy(source, sourceOffset + run, destination, destinationOffset + run, at - run);
                run = -1;
            }
            if (early || differs(from + at, to + at, bytes)) {
                dirty.mark(block);
                changed++;
                if (!early) {
                    MemorySegment.copy(source, sourceOffset + at, destination, destinationOffset + at, bytes);
                }
            }
        }
        if (run >= 0) {
            MemorySegment.copy(source, sourceOffset + run, destination, destinationOffset + run, length - run);
        }
        return changed;
    }

    /** How many bytes more are taken for changed. */
    private static long gallop(long a, long b, long length, long stride, int blockBytes) {
        long at = 0;
        while (at + stride <= length && XorKernels.probeDiffers(a + at + stride - blockBytes,
            b + at + stride - blockBytes)) {
            at += stride;
        }
        return at;
    }

    private static boolean differs(long a, long b, long bytes) {
        long words = bytes & -Long.BYTES;
        boolean differs = XorKernels.differs(a, b, words);
        for (long i = words; i < bytes; i++) {
            differs |= XorKernels.byteAt(a + i) != XorKernels.byteAt(b + i);
        }
        return differs;
    }
}
