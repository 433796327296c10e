package org.ftrma.core.image;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * The slots of one member's images or parities: which of them holds what. A slot is in use if it holds the committed
 * generation, the newest demand checkpoint, what is being written to disk, or what is pending; another one is free.
 * Tags are in the region's descriptor, where others find them. Data thread only.
 */
public final class Slots {
    private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();
    private final MemorySegment memory;
    /** By slot: the committed generation that it holds for certain, else 0. */
    private final long[] certain;
    private long committed;
    private long latest;
    private long kept;

    public Slots(MemorySegment memory, int count) {
        this.memory = memory;
        this.certain = new long[count];
    }

    private long tag(int slot) {
        return (long) WORD.getAcquire(memory, ImageLayout.tagOffset(slot));
    }

    private void tag(int slot, long tag) {
        WORD.setRelease(memory, ImageLayout.tagOffset(slot), tag);
    }

    /** The slot that holds what is named by the tag, or -1. */
    public int find(long tag) {
        for (int slot = 0; slot < certain.length; slot++) {
            if (tag != 0 && tag(slot) == tag) {
                return slot;
            }
        }
        return -1;
    }

    /** A slot to be written; what it was is in {@link #takeBase}. It holds nothing until {@link #complete}. */
    public int begin(long tag) {
        int free = -1;
        for (int slot = 0; slot < certain.length; slot++) {
            long held = tag(slot);
            boolean used = held != 0 && (held == committed || held == latest || held == kept); // C11, C30, D17
            if (!used && held == tag) { // C17
                tag(slot, 0); // an attempt that was given up
                certain[slot] = 0;
            }
            if (!used && (free < 0 || certain[slot] > certain[free])) {
                free = slot;
            }
        }
        tag(free, 0);
        return free;
    }

    /** The committed generation that the slot held, 0 if it is not certain. Forgets it. */
    public long takeBase(int slot) {
        long base = certain[slot];
        certain[slot] = 0;
        return base;
    }

    /** The slot holds all of it now. */
    public void complete(int slot, long tag) {
        tag(slot, tag);
    }

    /** The generation is committed: what was taken on demand before is older, and not needed any more. */
    public void committed(long generation) {
        if (generation == 0 || generation == committed) {
            return;
        }
        committed = generation;
        latest = 0;
        int slot = find(generation);
        if (slot >= 0) {
            certain[slot] = generation;
        }
    }

    /** Whether this is the committed generation as far as is known here. */
    public boolean isCommitted(long generation) {
        return committed == generation;
    }

    /** The newest demand checkpoint is this one. */
    public void latest(long tag) {
        latest = tag;
    }

    /** The newest demand checkpoint, 0 if there is none since the committed generation. */
    public long latest() {
        return latest;
    }

    /** This image stays in its slot, whatever is taken meanwhile; 0: none. */
    public void keep(long tag) {
        kept = tag;
    }

    /** Whether this committed generation is here for certain. */
    public boolean holds(long generation) {
        int slot = find(generation);
        return slot >= 0 && certain[slot] == generation;
    }

    /** A generation that is committed was made anew. */
    public void rebuilt(int slot, long tag) {
        tag(slot, tag);
        if (tag < ImageLayout.DEMAND) {
            committed = tag;
            certain[slot] = tag;
        } else {
            latest = tag;
        }
    }

    /** Holds nothing at all. */
    public void clear() {
        committed = 0;
        latest = 0;
        for (int slot = 0; slot < certain.length; slot++) {
            certain[slot] = 0;
            tag(slot, 0);
        }
    }
}
