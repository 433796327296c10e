package org.ftrma.apps.kvstore;

import java.util.Arrays;

/** Compares the local volume with the entries that should be in it, directly in the own memory. Data thread only. */
final class VolumeCheck {
    private final DistributedHashTable table;
    private final int rank;
    private long found;
    private long wrongValues;
    private long duplicated;
    private long entries;
    private long expectedKeys;
    private long keySum;
    private long digest;

    VolumeCheck(DistributedHashTable table, int rank) {
        this.table = table;
        this.rank = rank;
    }

    /** Takes an entry of the whole table that should be there; others' are passed over. */
    void expect(long key, long value) {
        if (table.owner(key) != rank) {
            return;
        }
        expectedKeys += key;
        // No value is Long.MIN_VALUE.
        long held = table.getLocal(key, Long.MIN_VALUE);
        found += held == Long.MIN_VALUE ? 0 : 1;
        wrongValues += held == Long.MIN_VALUE || held == value ? 0 : 1;
    }

    /** Counts what is there, whatever is expected: a key in two cells is seen here only. */
    void count() {
        long[] all = new long[Math.toIntExact(table.localSize())];
        table.forEachLocal((key, value) -> {
            all[(int) entries++] = key;
            keySum += key;
            digest += Keys.mix(key, value);
        });
        Arrays.sort(all);
        for (int i = 1; i < all.length; i++) {
            duplicated += all[i] == all[i - 1] ? 1 : 0;
        }
    }

    long found() {
        return found;
    }

    long wrongValues() {
        return wrongValues;
    }

    long duplicated() {
        return duplicated;
    }

    long entries() {
        return entries;
    }

    long expectedKeys() {
        return expectedKeys;
    }

    long keySum() {
        return keySum;
    }

    long digest() {
        return digest;
    }
}
