package org.ftrma.core.parity;

import java.lang.foreign.MemorySegment;
import org.ftrma.core.image.Destination;
import org.ftrma.core.image.ImageLayout;
import org.ftrma.core.image.SlotPlace;
import org.ftrma.core.image.Slots;
import org.ftrma.core.image.UsedHeaders;

/** The parities of one checksum rank, in the slots of its region (see {@link ImageLayout}). Data thread only. */
public final class Parities {
    private final MemorySegment memory;
    private final ImageLayout layout;
    private final UsedHeaders headers;
    private final Slots slots;

    Parities(MemorySegment memory, ImageLayout layout, int count) {
        this.memory = memory;
        this.layout = layout;
        this.headers = new UsedHeaders(memory, layout::parityOffset);
        this.slots = new Slots(memory, count);
    }

    /** Which slots hold what. */
    Slots slots() {
        return slots;
    }

    /** A slot gets what another one holds. */
    void copy(int from, int to) {
        long used = headers.of(from);
        headers.begin(to, used);
        copy(from, to, 0, used);
        copy(from, to, layout.headerBytes(), layout.imageBytes() - layout.headerBytes());
    }

    private void copy(int from, int to, long start, long bytes) {
        MemorySegment.copy(memory, layout.parityOffset(from) + start, memory, layout.parityOffset(to) + start, bytes);
    }

    /** A slot as the place of what is combined. */
    Destination place(int slot) {
        return new SlotPlace(memory, layout.parityOffset(slot), headers, slot) {
            @Override
            public MemorySegment rotating(int j) {
                return memory;
            }

            @Override
            public long rotatingOffset(int j) {
                return layout.parityOffset(slot) + layout.rotatingStart(j);
            }
        };
    }
}
