package org.ftrma.testkit;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.ftrma.spi.MemoryRegion;

/** Exposed memory of one simulated process. */
final class SimRegion implements MemoryRegion {
    final int id;
    final SimFabric owner;
    final MemorySegment memory;
    boolean closed;

    SimRegion(int id, SimFabric owner, MemorySegment memory) {
        this.id = id;
        this.owner = owner;
        this.memory = memory;
    }

    @Override
    public MemorySegment segment() {
        return memory;
    }

    @Override
    public byte[] key() {
        return ByteBuffer.allocate(8).putInt(owner.id).putInt(id).array();
    }

    @Override
    public void close() {
        owner.closeRegion(this);
    }
}
