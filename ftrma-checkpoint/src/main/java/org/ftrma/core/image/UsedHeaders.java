package org.ftrma.core.image;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.IntToLongFunction;

/**
 * Numbers of header bytes that may be other than zero, in each slot of one's own region of images or parities: a word
 * in the region's descriptor, where others find it together with the slot's tag. What is beyond is never read, so it
 * takes no memory. Data thread only.
 */
public final class UsedHeaders {
    private final MemorySegment memory;
    private final IntToLongFunction slotOffset;

    /**
     * Those of a region.
     *
     * @param slotOffset by slot: where the header begins
     */
    public UsedHeaders(MemorySegment memory, IntToLongFunction slotOffset) {
        this.memory = memory;
        this.slotOffset = slotOffset;
    }

    public long of(int slot) {
        return memory.get(ValueLayout.JAVA_LONG, ImageLayout.usedOffset(slot));
    }

    /** Before something is written into the header's first bytes: the rest becomes zero. */
    public void begin(int slot, long bytes) {
        clear(slot, bytes, of(slot));
        set(slot, bytes);
    }

    /** Makes zero what is between those bytes of a slot's header. */
    void clear(int slot, long from, long to) {
        if (from < to) {
            memory.asSlice(slotOffset.applyAsLong(slot) + from, to - from).fill((byte) 0);
        }
    }

    void set(int slot, long bytes) {
        memory.set(ValueLayout.JAVA_LONG, ImageLayout.usedOffset(slot), bytes);
    }
}
