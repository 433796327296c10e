package org.ftrma.messaging.transport;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * A sender's own outbox. What was used last is used next, so that the memory stays in the cache. Data thread only;
 * allocates nothing.
 */
public final class Outbox {
    /** Who waits for its pieces to be read. */
    public interface Owner {
        /** The receiver has read one of them. */
        void wasRead();
    }

    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
    private final MemorySegment memory;
    private final int slots;
    private final int[] free;
    private int freeCount;
    private final int[] used;
    private int usedCount;
    private final Owner[] owners;
    private final long[] bytes;

    /** An empty outbox in exposed memory of {@link OutboxDescriptor#bytes}. */
    public Outbox(MemorySegment memory, int slots) {
        this.memory = memory;
        this.slots = slots;
        this.free = new int[slots];
        this.used = new int[slots];
        this.owners = new Owner[slots];
        this.bytes = new long[slots];
        clear();
    }

    /** Nobody reads from it any more: all slots are free. */
    public void clear() {
        freeCount = 0;
        usedCount = 0;
        for (int slot = slots - 1; slot >= 0; slot--) {
            free[freeCount++] = slot;
            owners[slot] = null;
        }
    }

    /** A slot with these bytes in it; -1: none is free. */
    public int fill(MemorySegment source, long offset, long length, Owner owner) {
        if (freeCount == 0) {
            reclaim();
        }
        if (freeCount == 0) {
            return -1;
        }
        int slot = free[--freeCount];
        use(slot, length, owner);
        MemorySegment.copy(source, offset, memory, OutboxDescriptor.slotOffset(slots, slot), length);
        return slot;
    }

    private void use(int slot, long length, Owner owner) {
        used[usedCount++] = slot;
        owners[slot] = owner;
        bytes[slot] = length;
        memory.set(ValueLayout.JAVA_LONG, OutboxDescriptor.readOffset(slot), 0);
    }

    /** Takes back what was read; the owners hear of it. */
    public void reclaim() {
        for (int i = usedCount - 1; i >= 0; i--) {
            int slot = used[i];
            if ((long) LONG.getAcquire(memory, OutboxDescriptor.readOffset(slot)) != 0) {
                used[i] = used[--usedCount];
                free[freeCount++] = slot;
                Owner owner = owners[slot];
                owners[slot] = null;
                if (owner != null) {
                    owner.wasRead();
                }
            }
        }
    }

    /** Slots that were not read yet, as far as is known. */
    public int used() {
        return usedCount;
    }

    /** Bytes that {@link #save} writes at most, for an outbox of so many slots. */
    public static long imageBytes(int slots) {
        return Long.BYTES + slots * (2 * Long.BYTES + OutboxDescriptor.SLOT);
    }

    /** Writes what was not read yet; returns the bytes that it took, a multiple of 8. */
    public long save(MemorySegment image, long offset) {
        image.set(ValueLayout.JAVA_LONG, offset, usedCount);
        long at = offset + Long.BYTES;
        for (int i = 0; i < usedCount; i++) {
            int slot = used[i];
            image.set(ValueLayout.JAVA_LONG, at, slot);
            image.set(ValueLayout.JAVA_LONG, at + 8, bytes[slot]);
            at += 2 * Long.BYTES;
            at += copyPadded(memory, OutboxDescriptor.slotOffset(slots, slot), image, at, bytes[slot]);
        }
        return at - offset;
    }

    /** Copies, and fills up to a whole word with zeros; returns the bytes of whole words. */
    public static long copyPadded(MemorySegment from, long fromAt, MemorySegment to, long toAt, long length) {
        long words = length + 7 & -8;
        if (words > length) {
            to.set(ValueLayout.JAVA_LONG, toAt + words - 8, 0);
        }
        MemorySegment.copy(from, fromAt, to, toAt, length);
        return words;
    }

    /** Puts back what {@link #save} wrote, slot by slot; returns the bytes read, or -1 if that is no such thing. */
    public long restore(MemorySegment image, long offset, long end) {
        clear();
        long count = offset + Long.BYTES <= end ? image.get(ValueLayout.JAVA_LONG, offset) : -1;
        if (count < 0 || count > slots) {
            return -1;
        }
        long at = offset + Long.BYTES;
        for (long i = 0; i < count; i++) {
            long slot = at + 16 <= end ? image.get(ValueLayout.JAVA_LONG, at) : -1;
            long length = slot < 0 ? -1 : image.get(ValueLayout.JAVA_LONG, at + 8);
            at += 16;
            if (slot < 0 || slot >= slots || length < 0 || length > OutboxDescriptor.SLOT
                || at + (length + 7 & -8) > end || !takeFree((int) slot)) {
                return -1;
            }
            use((int) slot, length, null);
            MemorySegment.copy(image, at, memory, OutboxDescriptor.slotOffset(slots, (int) slot), length);
            at += length + 7 & -8;
        }
        return at - offset;
    }

    private boolean takeFree(int slot) {
        for (int i = 0; i < freeCount; i++) {
            if (free[i] == slot) {
                System.arraycopy(free, i + 1, free, i, --freeCount - i);
                return true;
            }
        }
        return false;
    }
}
