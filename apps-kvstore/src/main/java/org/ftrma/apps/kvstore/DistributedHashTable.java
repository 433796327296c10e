package org.ftrma.apps.kvstore;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.Job;
import org.ftrma.MisuseException;
import org.ftrma.Window;

/**
 * A hash table of 8-byte keys and values over all ranks of a job (ftRMA, section 7.2.2). Each rank holds a local
 * volume: a fixed table of slots, and an overflow heap whose cells form chains behind the slots where keys collide. Any
 * rank inserts, reads, changes and removes the entries of all volumes by atomic accesses of their owner's memory;
 * nobody has to answer.
 *
 * <p>All keys and values but {@link Long#MIN_VALUE} are allowed; that one is refused with {@link MisuseException}. Each
 * operation on one key takes effect at one atomic access, so that operations of different ranks on the same key act in
 * some order, one after the other. When a call that changes the table returns, the change is complete at its owner (a
 * flush closes the epoch; the batch forms flush once, at their end).
 *
 * <p>A removed key leaves its cell to itself: the same key may be inserted again there, other keys do not use it. So a
 * volume takes as many different keys as it has slots with a key and cells, over the whole job. A key for which there
 * is no cell left: {@link TableFullException}.
 *
 * <p>The table survives as its window does, and needs nothing in Java variables; calls in a step are replayed like any
 * accesses. Everything is atomic, so that no order among ranks is needed for a localized recovery. Nothing is allocated
 * by an access. Data thread only.
 */
public final class DistributedHashTable {
    private static final DataType LONG = DataType.INT64;
    private static final long FREE = 0;
    private static final long ABSENT = 0;
    private static final long NO_CELL = 0;
    /**
     * Entries that a batch works on at a time: their cells come near together. More than a processor fetches at once,
     * few enough to stay near.
     */
    private static final int GROUP = 32;

    private final Job job;
    private final Window window;
    private final VolumeDescriptor volume;
    private final int ranks;
    /** Of a group's entries. */
    private final long[] hashes = new long[GROUP];
    /** The cells of a group's entries, or -1 where another key has the slot. */
    private final long[] cells = new long[GROUP];

    /** Takes an entry. */
    @FunctionalInterface
    public interface Visitor {
        /** One entry. */
        void entry(long key, long value);
    }

    private DistributedHashTable(Job job, Window window, VolumeDescriptor volume) {
        this.job = job;
        this.window = window;
        this.volume = volume;
        ranks = job.ranks();
    }

    /**
     * Collective, before {@link Job#steps}: an empty table in a protected window of that name; 24 bytes for each slot
     * and cell of each rank.
     *
     * @param job the job
     * @param name the window's
     * @param slots slots at each rank, 1 to 2^40; as many as keys at each rank, or more, keep chains short
     * @param heapCells cells of the overflow heap at each rank, 0 to 2^40; {@link #heapFor} gives an estimate
     */
    public static DistributedHashTable allocate(Job job, String name, long slots, long heapCells) {
        VolumeDescriptor volume = new VolumeDescriptor(name, slots, heapCells);
        return new DistributedHashTable(job, job.allocateWindow(name, volume.bytes()), volume);
    }

    /**
     * Cells of an overflow heap that suffice for random keys, but for a chance that does not matter: n keys thrown at s
     * slots leave n - s (1 - e^(-n/s)) that are not the first of their slot; ten standard deviations of a binomial
     * count are added for uneven volumes.
     *
     * @param slots slots at each rank
     * @param keys keys at each rank, on average
     */
    public static long heapFor(long slots, long keys) {
        double most = keys + 10 * Math.sqrt(keys);
        double overflow = most + slots * Math.expm1(-most / slots);
        return Math.min((long) Math.ceil(most), (long) Math.ceil(overflow + 10 * Math.sqrt(overflow)) + 1);
    }

    /** Slots at each rank. */
    public long slots() {
        return volume.slots();
    }

    /** Cells of the overflow heap at each rank. */
    public long heapCells() {
        return volume.heapCells();
    }

    /** The rank whose volume a key belongs to. */
    public int owner(long key) {
        return ownerOf(mix(key));
    }

    private int ownerOf(long hash) {
        return (int) Math.unsignedMultiplyHigh(hash, ranks);
    }

    /** What the choice of the owner leaves of the hash chooses the slot. */
    private long slotOf(long hash) {
        return Math.unsignedMultiplyHigh(hash * ranks, volume.slots());
    }

    /**
     * A one-to-one function of which each bit depends on all bits of the key (the constants are those of SplitMix64).
     */
    private static long mix(long key) {
        long z = key + 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    private static long stored(String what, long number) {
        if (number == VolumeDescriptor.RESERVED) {
            throw new MisuseException(what + "=" + number
                + ": Long.MIN_VALUE is reserved; all other numbers are allowed");
        }
        return VolumeDescriptor.flip(number);
    }

    /**
     * Adds an entry if the key is not there.
     *
     * @return whether it was added; false leaves the value that is there
     * @throws TableFullException if the owner has no cell left; nothing was changed
     */
    public boolean insert(long key, long value) {
        long hash = mix(key);
        boolean added = insert(key, value, hash);
        window.flush(ownerOf(hash));
        return added;
    }

    private boolean insert(long key, long value, long hash) {
        long storedKey = stored("key", key);
        long storedValue = stored("value", value);
        int owner = ownerOf(hash);
        long cell = claim(storedKey, owner, slotOf(hash));
        return window.compareAndSwap(LONG, ABSENT, storedValue, owner, volume.valueAt(cell)) == ABSENT;
    }

    /**
     * Adds the entry, or gives the key a new value.
     *
     * @return whether it was added
     * @throws TableFullException if the owner has no cell left; nothing was changed
     */
    public boolean put(long key, long value) {
        long storedKey = stored("key", key);
        long storedValue = stored("value", value);
        long hash = mix(key);
        int owner = ownerOf(hash);
        long cell = claim(storedKey, owner, slotOf(hash));
        long old = window.fetchAndOp(AtomicOp.REPLACE, LONG, storedValue, owner, volume.valueAt(cell));
        window.flush(owner);
        return old == ABSENT;
    }

    /**
     * Gives a key that is there a new value.
     *
     * @return whether it was there; false changes nothing
     */
    public boolean update(long key, long value) {
        long storedValue = stored("value", value);
        long hash = mix(key);
        int owner = ownerOf(hash);
        long cell = find(stored("key", key), owner, slotOf(hash));
        if (cell < 0) {
            return false;
        }
        long place = volume.valueAt(cell);
        long old = window.getLong(owner, place);
        while (old != ABSENT) {
            long seen = window.compareAndSwap(LONG, old, storedValue, owner, place);
            if (seen == old) {
                window.flush(owner);
                return true;
            }
            old = seen;
        }
        return false;
    }

    /**
     * Takes a key out of the table. Its cell stays with it.
     *
     * @return whether it was there
     */
    public boolean remove(long key) {
        long hash = mix(key);
        int owner = ownerOf(hash);
        long cell = find(stored("key", key), owner, slotOf(hash));
        if (cell < 0) {
            return false;
        }
        long old = window.fetchAndOp(AtomicOp.REPLACE, LONG, ABSENT, owner, volume.valueAt(cell));
        window.flush(owner);
        return old != ABSENT;
    }

    /** The value of a key, or {@code absent} if it is not there. */
    public long get(long key, long absent) {
        long hash = mix(key);
        int owner = ownerOf(hash);
        long cell = find(stored("key", key), owner, slotOf(hash));
        long value = cell < 0 ? ABSENT : window.getLong(owner, volume.valueAt(cell));
        return value == ABSENT ? absent : VolumeDescriptor.flip(value);
    }

    /** Whether a key is there. */
    public boolean contains(long key) {
        return get(key, VolumeDescriptor.RESERVED) != VolumeDescriptor.RESERVED;
    }

    /**
     * {@link #insert}s {@code count} entries with one flush in the end. The accesses of several entries are
     * interleaved, so that they wait for memory together: about five times as fast as one {@link #insert} after the
     * other where the table is larger than the caches.
     *
     * @return how many were added
     * @throws TableFullException at the first key for which there is no cell; those before it are in the table, it and
     *     those after it are not (of these, a few may already have the slot that they will have when they are inserted)
     */
    public long insertAll(long[] keys, long[] values, int from, int count) {
        Objects.checkFromIndexSize(from, count, Math.min(keys.length, values.length));
        for (int i = from; i < from + count; i++) {
            stored("key", keys[i]);
            stored("value", values[i]);
        }
        long added = 0;
        try {
            for (int done = 0; done < count; done += GROUP) {
                added += insertGroup(keys, values, from + done, Math.min(GROUP, count - done));
            }
        } catch (TableFullException e) {
            window.flushAll();
            throw e;
        }
        window.flushAll();
        return added;
    }

    /** As {@link #insertAll}, of few enough entries, whose keys and values are allowed ones, and without the flush. */
    private long insertGroup(long[] keys, long[] values, int from, int count) {
        for (int i = 0; i < count; i++) {
            long hash = mix(keys[from + i]);
            hashes[i] = hash;
            window.prefetch(ownerOf(hash), volume.keyAt(slotOf(hash)));
        }
        for (int i = 0; i < count; i++) {
            int owner = ownerOf(hashes[i]);
            long slot = slotOf(hashes[i]);
            boolean claimed = claimed(VolumeDescriptor.flip(keys[from + i]), owner, slot);
            cells[i] = claimed ? slot : -1;
            if (!claimed) {
                window.prefetch(owner, volume.linkAt(slot));
            }
        }
        long added = 0;
        for (int i = 0; i < count; i++) {
            int owner = ownerOf(hashes[i]);
            long cell = cells[i] >= 0 ? cells[i] : claimBehind(VolumeDescriptor.flip(keys[from + i]), owner,
                slotOf(hashes[i]));
            long storedValue = VolumeDescriptor.flip(values[from + i]);
            added += window.compareAndSwap(LONG, ABSENT, storedValue, owner, volume.valueAt(cell)) == ABSENT ? 1 : 0;
        }
        return added;
    }

    /**
     * Puts the values of {@code count} keys into {@code values}, {@code absent} for those that are not there; returns
     * how many are.
     */
    public long getAll(long[] keys, long[] values, int from, int count, long absent) {
        Objects.checkFromIndexSize(from, count, Math.min(keys.length, values.length));
        long found = 0;
        for (int i = from; i < from + count; i++) {
            if ((i - from) % GROUP == 0) {
                for (int j = i; j < Math.min(i + GROUP, from + count); j++) {
                    long hash = mix(keys[j]);
                    window.prefetch(ownerOf(hash), volume.keyAt(slotOf(hash)));
                }
            }
            long value = get(keys[i], VolumeDescriptor.RESERVED);
            found += value == VolumeDescriptor.RESERVED ? 0 : 1;
            values[i] = value == VolumeDescriptor.RESERVED ? absent : value;
        }
        return found;
    }

    /**
     * The cell that holds a stored key, or -1. Keys stay where they are, so a chain may grow meanwhile, and that is
     * all.
     */
    private long find(long storedKey, int owner, long slot) {
        long cell = slot;
        do {
            long held = window.getLong(owner, volume.keyAt(cell));
            if (held == storedKey) {
                return cell;
            }
            if (held == FREE && cell == slot) {
                return -1;
            }
            cell = window.getLong(owner, volume.linkAt(cell));
        } while (cell != NO_CELL);
        return -1;
    }

    /**
     * The cell that holds a stored key, from now on if not before. All who look for a place for a key try the cells of
     * its chain in the same order, and a cell's key never changes: so no key gets two cells.
     */
    private long claim(long storedKey, int owner, long slot) {
        return claimed(storedKey, owner, slot) ? slot : claimBehind(storedKey, owner, slot);
    }

    /** Whether a cell holds a stored key, from now on if not before. */
    private boolean claimed(long storedKey, int owner, long cell) {
        long held = window.compareAndSwap(LONG, FREE, storedKey, owner, volume.keyAt(cell));
        return held == FREE || held == storedKey;
    }

    /** {@link #claim} where the slot holds another key. */
    private long claimBehind(long storedKey, int owner, long slot) {
        long cell = slot;
        long own = NO_CELL;
        do {
            long next = window.getLong(owner, volume.linkAt(cell));
            if (next == NO_CELL) {
                if (own == NO_CELL) {
                    own = take(storedKey, owner);
                }
                next = window.compareAndSwap(LONG, NO_CELL, own, owner, volume.linkAt(cell));
                if (next == NO_CELL) {
                    return own;
                }
            }
            cell = next;
        } while (!claimed(storedKey, owner, cell));
        if (own != NO_CELL) {
            leave(own, owner, cell);
        }
        return cell;
    }

    /** A cell of the owner's heap that nobody else knows, with the key in it. */
    private long take(long storedKey, int owner) {
        long number = window.fetchAndOp(AtomicOp.SUM, LONG, 1, owner, VolumeDescriptor.ASKED);
        if (number >= volume.heapCells()) {
            throw new TableFullException(window.name(), owner, volume.slots(), volume.heapCells(),
                VolumeDescriptor.flip(storedKey));
        }
        long cell = volume.slots() + number;
        window.fetchAndOp(AtomicOp.REPLACE, LONG, storedKey, owner, volume.keyAt(cell));
        return cell;
    }

    /**
     * Another rank was faster with the same key: the cell goes to the end of the chain, free for the next key that
     * comes along.
     */
    private void leave(long own, int owner, long from) {
        window.fetchAndOp(AtomicOp.REPLACE, LONG, FREE, owner, volume.keyAt(own));
        long cell = from;
        while (cell != NO_CELL) {
            cell = window.compareAndSwap(LONG, NO_CELL, own, owner, volume.linkAt(cell));
        }
    }

    /**
     * Collective: how many entries there are, in a time that grows with the local volume. Completes all accesses, as
     * {@link Job#gsync}.
     */
    public long size() {
        job.gsync();
        return job.allReduce(AtomicOp.SUM, localSize());
    }

    /** How many entries the local volume has; see {@link #forEachLocal}. */
    public long localSize() {
        MemorySegment memory = window.memory();
        long size = 0;
        for (long cell = 0; cell < volume.slots() + volume.used(memory); cell++) {
            size += volume.value(memory, cell) == ABSENT ? 0 : 1;
        }
        return size;
    }

    /**
     * Visits the entries of the local volume, in no order that means anything. It reads the own memory directly: a
     * gsync or another collective must separate it, before and after, from what other ranks change. The visitor must
     * not change the table.
     */
    public void forEachLocal(Visitor visitor) {
        MemorySegment memory = window.memory();
        for (long cell = 0; cell < volume.slots() + volume.used(memory); cell++) {
            long value = volume.value(memory, cell);
            if (value != ABSENT) {
                visitor.entry(VolumeDescriptor.flip(volume.key(memory, cell)), VolumeDescriptor.flip(value));
            }
        }
    }

    /** The value of a key that this rank owns, without an access; see {@link #forEachLocal}. */
    long getLocal(long key, long absent) {
        MemorySegment memory = window.memory();
        long storedKey = stored("key", key);
        long cell = slotOf(mix(key));
        while (volume.key(memory, cell) != storedKey) {
            cell = volume.link(memory, cell);
            if (cell == NO_CELL) {
                return absent;
            }
        }
        long value = volume.value(memory, cell);
        return value == ABSENT ? absent : VolumeDescriptor.flip(value);
    }

    /** Takes all out of the local volume, as if it were new, without an access; see {@link #forEachLocal}. */
    void clearLocal() {
        window.memory().fill((byte) 0);
    }

    /** Cells of the local heap in use; see {@link #forEachLocal}. */
    public long localHeapUsed() {
        return volume.used(window.memory());
    }
}
