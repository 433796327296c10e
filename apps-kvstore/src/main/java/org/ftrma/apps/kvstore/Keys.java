package org.ftrma.apps.kvstore;

import org.ftrma.apps.kvstore.DistributedHashTable.Visitor;

/**
 * The random entries of a run. All come from their number alone, so that a rank that goes back makes the same ones
 * again. Pure functions.
 */
public final class Keys {
    private static final long STEP = 0x9E3779B97F4A7C15L;
    private static final double UNIT = 0x1p-53;

    private final long seed;
    private final long inserts;

    /** The entries of {@code inserts} inserts of each rank. */
    public Keys(long seed, int inserts) {
        this.seed = mix(seed, 0);
        this.inserts = inserts;
    }

    /** One-to-one in each argument. */
    static long mix(long a, long b) {
        long z = a * STEP + b;
        z = (z ^ (z >>> 32)) * 0xD6E8FEB86659FD93L;
        z = (z ^ (z >>> 32)) * 0xD6E8FEB86659FD93L;
        return z ^ (z >>> 32);
    }

    /** The key of an insert; all differ, since {@link #mix} is one-to-one. */
    public long key(int rank, long number) {
        long key = mix(seed, rank * inserts + number);
        return key == VolumeDescriptor.RESERVED ? mix(seed, -1) : key;
    }

    /** The value that goes with a key. */
    public long value(long key) {
        long value = mix(seed + 1, key);
        return value == VolumeDescriptor.RESERVED ? 0 : value;
    }

    /** The wait before an insert, of an exponential distribution with mean 1: -ln(u), u in (0, 1]. */
    double waiting(int rank, long number) {
        return -Math.log(((mix(seed + 2, rank * inserts + number) >>> 11) + 1) * UNIT);
    }

    /** All entries of a rank. */
    void forEach(int rank, Visitor visitor) {
        for (long number = 0; number < inserts; number++) {
            long key = key(rank, number);
            visitor.entry(key, value(key));
        }
    }
}
