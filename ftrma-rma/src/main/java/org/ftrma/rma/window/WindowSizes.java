package org.ftrma.rma.window;

import java.util.Arrays;

/** The bytes of a window's part at each rank. Immutable; any thread. */
public final class WindowSizes {
    /** By rank; not to be changed. */
    final long[] byRank;
    private final long largest;
    private final boolean areEqual;

    private WindowSizes(long[] byRank) {
        this.byRank = byRank;
        this.largest = Arrays.stream(byRank).max().orElse(0);
        this.areEqual = Arrays.stream(byRank).allMatch(bytes -> bytes == largest);
    }

    /** So many bytes at each rank. */
    public static WindowSizes equal(int ranks, long bytes) {
        long[] byRank = new long[ranks];
        Arrays.fill(byRank, bytes);
        return new WindowSizes(byRank);
    }

    /** Sizes of their own, by rank. */
    public static WindowSizes of(long[] byRank) {
        return new WindowSizes(byRank.clone());
    }

    /** The largest part. */
    public long largest() {
        return largest;
    }

    /** The memory that is exposed for the largest part. */
    long largestRegion() {
        return regionBytes(largest);
    }

    /** Memory that is exposed for a part: whole words, so that one lies around each small element; more than none. */
    static long regionBytes(long bytes) {
        return Math.max(Long.BYTES, bytes + Long.BYTES - 1 & -Long.BYTES);
    }

    /** The part of a rank. */
    public long at(int rank) {
        return byRank[rank];
    }

    /** The part of a rank; of one that there is none of, the largest. */
    long orLargest(int rank) {
        return rank >= 0 && rank < byRank.length ? byRank[rank] : largest;
    }

    /** In words, by which other sizes are told apart. */
    @Override
    public String toString() {
        return areEqual ? largest + " bytes" : "up to " + largest + " bytes, by rank of digest "
            + Integer.toHexString(Arrays.hashCode(byRank));
    }
}
