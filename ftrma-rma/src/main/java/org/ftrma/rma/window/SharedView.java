package org.ftrma.rma.window;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * What a program reads of one rank's part as memory: the last piece that it asked for, which it gets again as long as
 * it asks for the same. Data thread only.
 */
final class SharedView {
    private MemorySegment part;
    private long offset;
    private MemorySegment memory = MemorySegment.NULL;
    private MemorySegment readOnly;

    /** A piece of a part that is mapped here. */
    MemorySegment of(MemorySegment mapped, long from, long length) {
        if (!is(mapped, from, length)) {
            view(mapped, from, mapped.asSlice(from, length));
        }
        return readOnly;
    }

    /** Memory for a copy of a piece, to be filled before {@link #copied}. */
    MemorySegment toCopy(long from, long length) {
        if (!is(null, from, length)) {
            view(null, from, Arena.ofAuto().allocate(length, Long.BYTES));
        }
        return memory;
    }

    /** That copy. */
    MemorySegment copied() {
        return readOnly;
    }

    private boolean is(MemorySegment of, long from, long length) {
        return readOnly != null && part == of && offset == from && memory.byteSize() == length;
    }

    private void view(MemorySegment of, long from, MemorySegment piece) {
        part = of;
        offset = from;
        memory = piece;
        readOnly = piece.asReadOnly();
    }
}
