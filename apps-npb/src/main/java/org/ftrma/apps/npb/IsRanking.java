package org.ftrma.apps.npb;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.ftrma.AtomicOp;
import org.ftrma.Channel;
import org.ftrma.DataType;

/**
 * A ranking of IS: keys are sorted into buckets, buckets are dealt to the ranks so that each gets about as many keys,
 * and each rank counts the keys that it gets. By three collectives, of which the last one moves nearly all keys. Data
 * thread only; its own code allocates nothing in calls.
 */
final class IsRanking {
    private static final long PRIME = 0x100000001b3L;

    private final IsClass problem;
    private final Channel world;
    private final int share;
    /** By bucket: own keys, then where the next one goes. */
    private final int[] buckets;
    /** Sums over all ranks, of keys by bucket and then of the test keys' values. */
    private final int[] totals;
    private final MemorySegment sums;
    private final MemorySegment sorted;
    private final MemorySegment received;
    private final MemorySegment sendCounts;
    private final MemorySegment receivedCounts;
    private final long[] sendOffsets;
    private final long[] sendBytes;
    private final long[] receiveOffsets;
    private final long[] receiveBytes;
    /** From the first key of this rank on: how many keys are smaller or equal. */
    private int[] counts = new int[0];
    private int firstKey;
    private int endKey;
    private int before;
    private int length;
    private long digest;

    IsRanking(IsClass problem, Channel world) {
        this.problem = problem;
        this.world = world;
        int ranks = world.size();
        share = problem.keys() / ranks;
        buckets = new int[problem.buckets()];
        totals = new int[problem.buckets() + problem.tests().length];
        Arena arena = Arena.ofAuto();
        sums = arena.allocate(JAVA_INT, totals.length);
        sorted = arena.allocate(JAVA_INT, share);
        // A rank gets whole buckets, of which the largest has less than 1/128 of all keys.
        received = arena.allocate(JAVA_INT, share + problem.keys() / 128L);
        sendCounts = arena.allocate(JAVA_INT, ranks);
        receivedCounts = arena.allocate(JAVA_INT, ranks);
        sendOffsets = new long[ranks];
        sendBytes = new long[ranks];
        receiveOffsets = new long[ranks];
        receiveBytes = new long[ranks];
    }

    /**
     * Collective: ranks all keys.
     *
     * @param keys this rank's part of them
     * @return how many of the test keys that this rank got have the rank that they must have
     */
    int rank(MemorySegment keys, long iteration) {
        countBuckets(keys);
        world.allReduce(AtomicOp.SUM, DataType.INT32, sums, sums);
        MemorySegment.copy(sums, 0, MemorySegment.ofArray(totals), 0, sums.byteSize());
        deal();
        sort(keys, sorted, buckets, problem.bucketShift());
        swap();
        countKeys();
        return passed(iteration);
    }

    private void countBuckets(MemorySegment keys) {
        Arrays.fill(buckets, 0);
        count(keys, share, buckets, problem.bucketShift());
        MemorySegment.copy(MemorySegment.ofArray(buckets), 0, sums, 0, (long) buckets.length * Integer.BYTES);
        for (int t = 0; t < problem.tests().length; t++) {
            int index = problem.tests()[t].index() - world.rank() * share;
            sums.setAtIndex(JAVA_INT, buckets.length + t,
                index >= 0 && index < share ? keys.getAtIndex(JAVA_INT, index) : 0);
        }
    }

    private static void count(MemorySegment keys, int length, int[] counts, int shift) {
        for (int i = 0; i < length; i++) {
            counts[keys.getAtIndex(JAVA_INT, i) >> shift]++;
        }
    }

    /** Rank r's buckets end where r + 1 shares are reached. Leaves in buckets where each one's keys go. */
    private void deal() {
        int rank = 0;
        int begin = 0;
        int sum = 0;
        int at = 0;
        int sent = 0;
        firstKey = problem.maxKey();
        endKey = problem.maxKey();
        before = 0;
        length = 0;
        for (int b = 0; b < buckets.length; b++) {
            int own = buckets[b];
            buckets[b] = at;
            at += own;
            sum += totals[b];
            if (b + 1 == buckets.length || sum >= (long) (rank + 1) * share && rank + 1 < world.size()) {
                sendOffsets[rank] = (long) sent * Integer.BYTES;
                sendBytes[rank] = (long) (at - sent) * Integer.BYTES;
                sendCounts.setAtIndex(JAVA_INT, rank, at - sent);
                if (rank == world.rank()) {
                    firstKey = begin << problem.bucketShift();
                    endKey = b + 1 << problem.bucketShift();
                    length = sum - before;
                } else if (rank < world.rank()) {
                    before = sum;
                }
                sent = at;
                begin = b + 1;
                rank++;
            }
        }
        for (; rank < world.size(); rank++) {
            sendOffsets[rank] = 0;
            sendBytes[rank] = 0;
            sendCounts.setAtIndex(JAVA_INT, rank, 0);
        }
    }

    private static void sort(MemorySegment keys, MemorySegment sorted, int[] next, int shift) {
        int length = (int) (sorted.byteSize() / Integer.BYTES);
        for (int i = 0; i < length; i++) {
            int key = keys.getAtIndex(JAVA_INT, i);
            sorted.setAtIndex(JAVA_INT, next[key >> shift]++, key);
        }
    }

    private void swap() {
        world.allToAll(sendCounts, receivedCounts);
        long at = 0;
        for (int r = 0; r < world.size(); r++) {
            receiveOffsets[r] = at;
            receiveBytes[r] = (long) receivedCounts.getAtIndex(JAVA_INT, r) * Integer.BYTES;
            at += receiveBytes[r];
        }
        if (at != (long) length * Integer.BYTES || at > received.byteSize()) {
            throw new IllegalStateException("rank=" + world.rank() + " keys=" + at / Integer.BYTES + ": must be "
                + length + ", and at most " + received.byteSize() / Integer.BYTES);
        }
        world.allToAll(sorted, sendOffsets, sendBytes, received, receiveOffsets, receiveBytes);
    }

    private void countKeys() {
        int range = endKey - firstKey;
        if (counts.length < range) {
            counts = new int[range];
        }
        Arrays.fill(counts, 0, range, 0);
        countFrom(received, length, counts, firstKey);
        for (int i = 1; i < range; i++) {
            counts[i] += counts[i - 1];
        }
    }

    private static void countFrom(MemorySegment keys, int length, int[] counts, int first) {
        for (int i = 0; i < length; i++) {
            counts[keys.getAtIndex(JAVA_INT, i) - first]++;
        }
    }

    private int passed(long iteration) {
        int passed = 0;
        for (int t = 0; t < problem.tests().length; t++) {
            int key = totals[buckets.length + t];
            if (key >= firstKey && key < endKey) {
                int smaller = before + (key == firstKey ? 0 : counts[key - firstKey - 1]);
                passed += smaller == problem.tests()[t].rankAt(iteration) ? 1 : 0;
            }
        }
        return passed;
    }

    /**
     * Collective, after a ranking: puts the keys where their ranks say, and tells whether the keys of all ranks, one
     * rank's after the other's, are in order, and none is missing.
     */
    boolean isSorted() {
        int[] order = new int[length];
        int[] next = Arrays.copyOf(counts, endKey - firstKey);
        for (int i = 0; i < length; i++) {
            int key = received.getAtIndex(JAVA_INT, i);
            order[--next[key - firstKey]] = key;
        }
        boolean good = true;
        digest = world.rank() + 1;
        for (int i = 0; i < length; i++) {
            good &= i == 0 || order[i - 1] <= order[i];
            digest = digest * PRIME + order[i];
        }
        // The last key so far goes from rank to rank.
        long last = world.rank() == 0 ? 0 : world.recvLong(world.rank() - 1, 1);
        good &= length == 0 || last <= order[0];
        if (world.rank() + 1 < world.size()) {
            world.sendLong(length == 0 ? last : order[length - 1], world.rank() + 1, 1);
        }
        long all = world.allReduce(AtomicOp.SUM, (long) length);
        return world.allReduce(AtomicOp.MIN, good && all == problem.keys() ? 1L : 0L) == 1;
    }

    /** Of this rank's keys in order, after {@link #isSorted}. */
    long digest() {
        return digest;
    }
}
