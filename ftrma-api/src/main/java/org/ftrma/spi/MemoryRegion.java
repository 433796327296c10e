package org.ftrma.spi;

import java.lang.foreign.MemorySegment;

/** Local memory that peers can reach. Page-aligned, zeroed when exposed. Data thread only, but for the segment. */
public interface MemoryRegion extends AutoCloseable {
    /** The memory; usable from any thread until the region is closed. */
    MemorySegment segment();

    /**
     * What a peer passes to {@link Fabric#attach}: at most 1 KiB. Valid for the region's whole life, also after
     * {@link Fabric#renew}.
     */
    byte[] key();

    /** Unmaps the memory. No access to it may be under way: peers have detached, or are known to be dead. */
    @Override
    void close();
}
