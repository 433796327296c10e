package org.ftrma.apps.kvstore;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ftrma.MisuseException;

/**
 * The layout of a local volume: the part of a table at one rank, in native byte order.
 *
 * <pre>
 *   0   cells of the overflow heap that were ever asked for (may pass the number there is)   8 .. 63   not used
 *   64  cells, 16 bytes each: first the slots, then the overflow heap      0 key   8 value
 *       links, 8 bytes each, one for each cell: the next cell of its chain (0: none; never a slot, so never 0)
 * </pre>
 *
 * <p>A cell is written once as to its key: 0 says that it is free. The value 0 says that the key is not in the table:
 * not yet, or not any more. Programs' keys and values are stored with their top bit flipped, so that they may be 0.
 * Immutable; any thread.
 */
final class VolumeDescriptor {
    /** Not allowed as a key or value. */
    static final long RESERVED = Long.MIN_VALUE;
    /** Where the number of cells asked for is. */
    static final long ASKED = 0;
    private static final long CELLS = 64;
    private static final long CELL_BYTES = 16;
    private static final long MAX_CELLS = 1L << 40;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

    private final long slots;
    private final long heapCells;
    private final long links;

    VolumeDescriptor(String table, long slots, long heapCells) {
        if (slots < 1 || slots > MAX_CELLS) {
            throw new MisuseException("table=" + table + " slots=" + slots + ": must be 1 to " + MAX_CELLS);
        }
        if (heapCells < 0 || heapCells > MAX_CELLS) {
            throw new MisuseException("table=" + table + " heapCells=" + heapCells + ": must be 0 to " + MAX_CELLS);
        }
        this.slots = slots;
        this.heapCells = heapCells;
        links = CELLS + CELL_BYTES * (slots + heapCells);
    }

    long slots() {
        return slots;
    }

    long heapCells() {
        return heapCells;
    }

    long cells() {
        return slots + heapCells;
    }

    long bytes() {
        return links + 8 * cells();
    }

    /** As stored; also back. */
    static long flip(long value) {
        return value ^ RESERVED;
    }

    long keyAt(long cell) {
        return CELLS + CELL_BYTES * cell;
    }

    long valueAt(long cell) {
        return CELLS + CELL_BYTES * cell + 8;
    }

    long linkAt(long cell) {
        return links + 8 * cell;
    }

    /** The cells of the heap in use in this volume. */
    long used(MemorySegment volume) {
        return Math.min(volume.get(LONG, ASKED), heapCells);
    }

    /** The stored key of a cell; 0: none. */
    long key(MemorySegment volume, long cell) {
        return volume.get(LONG, keyAt(cell));
    }

    /** The stored value of a cell; 0: none. */
    long value(MemorySegment volume, long cell) {
        return volume.get(LONG, valueAt(cell));
    }

    long link(MemorySegment volume, long cell) {
        return volume.get(LONG, linkAt(cell));
    }
}
