package org.ftrma.rma.window;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Views of one rank's part that a program reads as memory: the last few pieces that it asked for, which it gets again
 * as long as it asks for the same ones. Copies are memory outside of the heap, of which the collector hears nothing: it
 * is told when there have been many. Data thread only.
 */
final class SharedView {
    private static final int KEPT = 4;
    /** Of copies, until the collector is asked to free those that nobody has any more. */
    private static final long MOST_COPIED = 512L << 20;
    private static long copied;

    private final Piece[] pieces = new Piece[KEPT];
    private int next;

    /** @param part what it is a piece of, where that is mapped here; null: it is a copy */
    private record Piece(MemorySegment part, long offset, MemorySegment memory, MemorySegment readOnly) {
        boolean is(MemorySegment of, long from, long length) {
            return part == of && offset == from && memory.byteSize() == length;
        }
    }

    private Piece piece(MemorySegment of, long from, long length) {
        for (Piece piece : pieces) {
            if (piece != null && piece.is(of, from, length)) {
                return piece;
            }
        }
        MemorySegment memory = of == null ? newCopy(length) : of.asSlice(from, length);
        Piece piece = new Piece(of, from, memory, memory.asReadOnly());
        pieces[next] = piece;
        next = (next + 1) % KEPT;
        return piece;
    }

    private static MemorySegment newCopy(long length) {
        copied += length;
        if (copied > MOST_COPIED) {
            copied = length;
            System.gc();
        }
        return Arena.ofAuto().allocate(length, Long.BYTES);
    }

    /** A piece of a part that is mapped here. */
    MemorySegment of(MemorySegment mapped, long from, long length) {
        return piece(mapped, from, length).readOnly;
    }

    /** Memory for a copy of a piece, to be filled. */
    MemorySegment toCopy(long from, long length) {
        return piece(null, from, length).memory;
    }

    /** That copy. */
    MemorySegment copy(long from, long length) {
        return piece(null, from, length).readOnly;
    }
}
