package org.ftrma.xor;

import java.lang.foreign.MemorySegment;

/**
 * Changed blocks of an image: one bit per block, kept in memory of the caller's, so that a checksum rank can fetch it
 * with one get and skip what did not change. The layout is in {@link DirtyMapDescriptor}.
 *
 * <p>The runs of changed blocks are visited so:
 * <pre>{@code
 * for (long b = map.nextDirty(0); b < map.blocks(); b = map.nextDirty(end)) {
 *     end = map.nextClean(b);          // blocks b to end - 1 changed
 * }
 * }</pre>
 *
 * <p>One thread at a time. Nothing here is ordered for other processes: they read the map after a message that says it
 * is complete.
 */
public final class DirtyMap {
    /** The block size where none is given. */
    public static final int DEFAULT_BLOCK_BYTES = 4096;
    private static final int MIN_BLOCK_BYTES = 64;
    private static final int MAX_BLOCK_BYTES = 1 << 30;

    private final MemorySegment map;
    private final int blockBytes;
    private final long blocks;

    private DirtyMap(MemorySegment map, int blockBytes, long blocks) {
        this.map = map;
        this.blockBytes = blockBytes;
        this.blocks = blocks;
    }

    /** How many blocks cover so many bytes; the last one may be partial. */
    public static long blocksFor(long coveredBytes, int blockBytes) {
        requireBlockBytes(blockBytes);
        if (coveredBytes < 0 || coveredBytes > Long.MAX_VALUE - blockBytes) {
            throw new IllegalArgumentException("coveredBytes=" + coveredBytes + ": must be 0 or more");
        }
        return (coveredBytes + blockBytes - 1) / blockBytes;
    }

    /** The bytes that the map of so many bytes takes. */
    public static long bytesFor(long coveredBytes, int blockBytes) {
        return DirtyMapDescriptor.bytes(blocksFor(coveredBytes, blockBytes));
    }

    /**
     * A new map with every block clean.
     *
     * @param memory       at least {@link #bytesFor} bytes
     * @param coveredBytes the bytes that the blocks stand for
     * @param blockBytes   a power of two, 64 to 2^30
     */
    public static DirtyMap format(MemorySegment memory, long coveredBytes, int blockBytes) {
        long blocks = blocksFor(coveredBytes, blockBytes);
        requireRoom(memory, blocks);
        DirtyMapDescriptor.header(memory, blockBytes, blocks);
        DirtyMap dirty = new DirtyMap(memory, blockBytes, blocks);
        dirty.clear();
        return dirty;
    }

    /**
     * A view of a map that {@link #format} made, here or in another process; refused where the header is not that of a
     * map.
     */
    public static DirtyMap wrap(MemorySegment memory) {
        if (memory.byteSize() < DirtyMapDescriptor.WORDS_OFFSET
            || DirtyMapDescriptor.magic(memory) != DirtyMapDescriptor.MAGIC) {
            throw new IllegalArgumentException("not a dirty map: " + memory.byteSize() + " bytes"
                + (memory.byteSize() < DirtyMapDescriptor.WORDS_OFFSET ? ""
                : String.format(" that begin with 0x%08x, expected 0x%08x",
                    DirtyMapDescriptor.magic(memory), DirtyMapDescriptor.MAGIC)));
        }
        int blockBytes = DirtyMapDescriptor.blockBytes(memory);
        long blocks = DirtyMapDescriptor.blocks(memory);
        requireBlockBytes(blockBytes);
        if (blocks < 0) {
            throw new IllegalArgumentException("blocks=" + blocks + " in the header of a dirty map");
        }
        requireRoom(memory, blocks);
        return new DirtyMap(memory, blockBytes, blocks);
    }

    /** The memory of the map. */
    public MemorySegment segment() {
        return map;
    }

    /** Bytes in a block. */
    public int blockBytes() {
        return blockBytes;
    }

    /** Blocks in the map. */
    public long blocks() {
        return blocks;
    }

    /** Marks one block as changed. */
    public void mark(long block) {
        requireBlock(block);
        long word = block >>> 6;
        DirtyMapDescriptor.word(map, word, DirtyMapDescriptor.word(map, word) | 1L << block);
    }

    /** Marks the blocks {@code first} to {@code first + count - 1}. */
    public void mark(long first, long count) {
        requireRange(first, count);
        long end = first + count;
        for (long block = first; block < end;) {
            long word = block >>> 6;
            long stop = Math.min(end, (word + 1) << 6);
            long bits = -1L >>> Long.SIZE - (stop - block) << block;
            DirtyMapDescriptor.word(map, word, DirtyMapDescriptor.word(map, word) | bits);
            block = stop;
        }
    }

    /** Marks every block: of an image of which nothing is known. */
    public void markAll() {
        mark(0, blocks);
    }

    /** Makes every block clean. */
    public void clear() {
        map.asSlice(DirtyMapDescriptor.WORDS_OFFSET, DirtyMapDescriptor.words(blocks) * Long.BYTES).fill((byte) 0);
    }

    /** Whether the block is marked. */
    public boolean isDirty(long block) {
        requireBlock(block);
        return (DirtyMapDescriptor.word(map, block >>> 6) >>> block & 1) != 0;
    }

    /** How many blocks are marked. */
    public long dirtyBlocks() {
        long count = 0;
        long words = DirtyMapDescriptor.words(blocks);
        for (long word = 0; word < words; word++) {
            count += Long.bitCount(DirtyMapDescriptor.word(map, word));
        }
        return count;
    }

    /** Also marks what the other map marks: the parity of a group must be made anew where any member changed. */
    public void union(DirtyMap other) {
        if (other.blocks != blocks || other.blockBytes != blockBytes) {
            throw new IllegalArgumentException("maps of different shape: " + blocks + " blocks of " + blockBytes
                + " bytes, and "
                + other.blocks + " of " + other.blockBytes);
        }
        long words = DirtyMapDescriptor.words(blocks);
        for (long word = 0; word < words; word++) {
            DirtyMapDescriptor.word(map, word, DirtyMapDescriptor.word(map, word)
                | DirtyMapDescriptor.word(other.map, word));
        }
    }

    /**
     * The first marked block at or after {@code from}, or {@link #blocks} where there is none. {@code from} may be
     * {@link #blocks}.
     */
    public long nextDirty(long from) {
        return next(from, 0);
    }

    /**
     * The first clean block at or after {@code from}, or {@link #blocks} where there is none. {@code from} may be
     * {@link #blocks}.
     */
    public long nextClean(long from) {
        return next(from, -1L);
    }

    /** Bits beyond the last block are never set here, but the map may come from another process: hence the minimum. */
    private long next(long from, long flip) {
        requireRange(from, 0);
        long words = DirtyMapDescriptor.words(blocks);
        long mask = -1L << from;
        for (long word = from >>> 6; word < words; word++) {
            long bits = (DirtyMapDescriptor.word(map, word) ^ flip) & mask;
            if (bits != 0) {
                return Math.min(blocks, (word << 6) + Long.numberOfTrailingZeros(bits));
            }
            mask = -1L;
        }
        return blocks;
    }

    void requireRange(long first, long count) {
        if (first < 0 || count < 0 || first > blocks - count) {
            throw new IndexOutOfBoundsException("firstBlock=" + first + " count=" + count + " blocks=" + blocks);
        }
    }

    private void requireBlock(long block) {
        if (block < 0 || block >= blocks) {
            throw new IndexOutOfBoundsException("block=" + block + " blocks=" + blocks);
        }
    }

    private static void requireRoom(MemorySegment memory, long blocks) {
        if (blocks > (Long.MAX_VALUE >>> 1) || memory.byteSize() < DirtyMapDescriptor.bytes(blocks)) {
            throw new IllegalArgumentException("a dirty map of " + blocks + " blocks needs "
                + DirtyMapDescriptor.bytes(blocks)
                + " bytes, the memory has " + memory.byteSize());
        }
    }

    private static void requireBlockBytes(int blockBytes) {
        if (blockBytes < MIN_BLOCK_BYTES || blockBytes > MAX_BLOCK_BYTES || Integer.bitCount(blockBytes) != 1) {
            throw new IllegalArgumentException("blockBytes=" + blockBytes + ": must be a power of two from "
                + MIN_BLOCK_BYTES + " to "
                + MAX_BLOCK_BYTES);
        }
    }
}
