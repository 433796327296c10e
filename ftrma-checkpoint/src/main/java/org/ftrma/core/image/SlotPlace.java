package org.ftrma.core.image;

import java.lang.foreign.MemorySegment;

/** A slot of one's own region, of images or of parities, as the place of what is combined. Data thread only. */
public abstract class SlotPlace implements Destination {
    private final MemorySegment memory;
    private final long copiedOffset;
    private final UsedHeaders headers;
    private final int slot;

    public SlotPlace(MemorySegment memory, long copiedOffset, UsedHeaders headers, int slot) {
        this.memory = memory;
        this.copiedOffset = copiedOffset;
        this.headers = headers;
        this.slot = slot;
    }

    @Override
    public final MemorySegment copied() {
        return memory;
    }

    @Override
    public final long copiedOffset() {
        return copiedOffset;
    }

    @Override
    public final long usedHeader() {
        return headers.of(slot);
    }

    @Override
    public final void beginHeader(long bytes) {
        headers.begin(slot, bytes);
    }
}
