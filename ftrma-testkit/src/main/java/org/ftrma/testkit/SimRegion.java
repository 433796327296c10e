package org.ftrma.testkit;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.ftrma.spi.MemoryRegion;

/** Exposed memory of one simulated process. */
final class SimRegion implements MemoryRegion {
    final int id;
    final MemorySegment memory;
    boolean closed;
    private final int owner;
    private final Consumer<SimRegion> closing;

    /** {@code owner}: number of the fabric that exposes the memory, which {@code closing} takes away again. */
    SimRegion(int id, int owner, MemorySegment memory, Consumer<SimRegion> closing) {
        this.id = id;
        this.owner = owner;
        this.memory = memory;
        this.closing = closing;
    }

    @Override
    public MemorySegment segment() {
        return memory;
    }

    @Override
    public byte[] key() {
        return ByteBuffer.allocate(8).putInt(owner).putInt(id).array();
    }

    @Override
    public void close() {
        closing.accept(this);
    }
}
