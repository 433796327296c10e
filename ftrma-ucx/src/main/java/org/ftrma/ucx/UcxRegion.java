package org.ftrma.ucx;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.ftrma.spi.MemoryRegion;

/**
 * Memory of this member that peers can reach: allocated by one domain, and on the path AUTO also registered with the
 * other. Data thread only, but for the segment.
 */
@SuppressWarnings("restricted")
final class UcxRegion implements MemoryRegion {
    private final Arena arena = Arena.ofShared();
    private final MemorySegment segment;
    private final byte[] key;
    private final UcxMemory allocated;
    private final UcxMemory registered;
    private final Consumer<UcxRegion> beforeClose;
    private boolean closed;

    /** {@code registered} is null if only one domain knows the memory. */
    UcxRegion(UcxMemory allocated, UcxMemory registered, long bytes, byte[] key, Consumer<UcxRegion> beforeClose) {
        this.allocated = allocated;
        this.registered = registered;
        this.key = key.clone();
        this.beforeClose = beforeClose;
        this.segment = MemorySegment.ofAddress(allocated.localAddress()).reinterpret(bytes, arena, null);
    }

    @Override
    public MemorySegment segment() {
        return segment;
    }

    @Override
    public byte[] key() {
        return key.clone();
    }

    /** What its key is about. */
    long address() {
        return allocated.address();
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        beforeClose.accept(this);
        arena.close();
        if (registered != null) {
            registered.close();
        }
        allocated.close();
    }
}
