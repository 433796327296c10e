package org.ftrma.xor;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * A {@link GaloisProduct} in Java. One thread at a time.
 *
 * <p>Bytes are multiplied eight at a time in a long, by Horner's rule over the bits of the coefficients: from the
 * highest bit down, the sum is doubled, and the inputs whose coefficient has the bit are added. So a row takes at most
 * seven doublings whatever the number of inputs, and coefficients with few bits, as {@link ReedSolomon} has them, take
 * fewer.
 *
 * <p>The work is done on tiles in arrays: C2 (JDK 25) turns plain loops over arrays into vector code of full width,
 * where the same loops over off-heap memory reach a third of the speed and less, as it cannot tell that the segments do
 * not overlap. Copying tiles in and out costs little, since they stay in the first-level cache. Each doubling is a loop
 * of its own: fused ones are not vectorized well.
 *
 * <p>What is not in a cache is read first, a chunk at a time, by the loops of {@link XorKernels}, which read all inputs
 * at once; tile copies, one input after the other, would wait for memory each time. An output that is the plain XOR of
 * all inputs, as every code has one, comes out of that; where there is none the XOR is thrown away.
 */
final class GaloisLoops implements GaloisProduct.Kernel {
    static final int TILE_BYTES = 4096;
    /**
     * What of each input is read at once: long rows for the hardware to read ahead, and all inputs together stay in the
     * second-level cache.
     */
    private static final int CHUNK_BYTES = 1 << 15;
    /** Beyond so many bytes of inputs they are taken to come from memory. */
    private static final long CACHED_BYTES = 1 << 20;
    private static final int BITS = 8;
    private static final long LOW_BITS = 0xfefefefefefefefeL;
    private static final long ONES = 0x0101010101010101L;
    private static final long REDUCTION = 0x1d;

    private final long[][] tiles;
    private final MemorySegment[] tileSegments;
    private final long[] sum = new long[TILE_BYTES / Long.BYTES];
    private final MemorySegment sumSegment = MemorySegment.ofArray(sum);
    private final long[] before = new long[TILE_BYTES / Long.BYTES];
    private final MemorySegment beforeSegment = MemorySegment.ofArray(before);
    /** Of each output, from its highest bit down: the tiles of the inputs whose coefficient has the bit. */
    private final long[][][][] steps;
    /** The output that is the XOR of all inputs, or -1. */
    private final int plain;
    private final long[] tileOffsets;
    private final MemorySegment unwanted = Arena.ofAuto().allocate(CHUNK_BYTES, Long.BYTES);

    GaloisLoops(int[][] rows) {
        int inputs = rows[0].length;
        tiles = new long[inputs][TILE_BYTES / Long.BYTES];
        tileSegments = new MemorySegment[inputs];
        for (int i = 0; i < inputs; i++) {
            tileSegments[i] = MemorySegment.ofArray(tiles[i]);
        }
        tileOffsets = new long[inputs];
        steps = new long[rows.length][][][];
        int all = -1;
        for (int r = 0; r < rows.length; r++) {
            int highest = 0;
            for (int coefficient : rows[r]) {
                highest |= coefficient;
            }
            int bits = Integer.SIZE - Integer.numberOfLeadingZeros(highest);
            steps[r] = new long[bits][][];
            for (int step = 0; step < bits; step++) {
                steps[r][step] = withBit(rows[r], bits - 1 - step);
            }
            if (bits == 1 && steps[r][0].length == inputs) {
                all = r;
            }
        }
        plain = all;
    }

    private long[][] withBit(int[] row, int bit) {
        long[][] chosen = new long[row.length][];
        int count = 0;
        for (int i = 0; i < row.length; i++) {
            if ((row[i] >> bit & 1) != 0) {
                chosen[count++] = tiles[i];
            }
        }
        return Arrays.copyOf(chosen, count);
    }

    @Override
    public void run(MemorySegment[] in, long[] inOffsets, MemorySegment[] out, long[] outOffsets, long length,
        boolean add) {
        boolean readFirst = in.length > 1 && in.length * length > CACHED_BYTES;
        for (long from = 0; from < length; from += CHUNK_BYTES) {
            long chunk = Math.min(CHUNK_BYTES, length - from);
            offsets(inOffsets, from);
            if (plain >= 0 && add) {
                XorCode.accumulate(in, tileOffsets, out[plain], outOffsets[plain] + from, chunk);
            } else if (plain >= 0) {
                XorCode.encode(in, tileOffsets, out[plain], outOffsets[plain] + from, chunk);
            } else if (readFirst) {
                XorCode.encode(in, tileOffsets, unwanted, 0, chunk);
            }
            for (long at = from; at < from + chunk && (plain < 0 || out.length > 1); at += TILE_BYTES) {
                offsets(inOffsets, at);
                otherOutputs(in, out, outOffsets, at, Math.min(TILE_BYTES, from + chunk - at), add);
            }
        }
    }

    private void offsets(long[] inOffsets, long at) {
        for (int i = 0; i < inOffsets.length; i++) {
            tileOffsets[i] = inOffsets[i] + at;
        }
    }

    private void otherOutputs(MemorySegment[] in, MemorySegment[] out, long[] outOffsets, long at, long bytes,
        boolean add) {
        for (int i = 0; i < in.length; i++) {
            MemorySegment.copy(in[i], tileOffsets[i], tileSegments[i], 0, bytes);
        }
        for (int r = 0; r < out.length; r++) {
            if (r == plain) {
                continue;
            }
            horner(steps[r]);
            if (add) {
                MemorySegment.copy(out[r], outOffsets[r] + at, beforeSegment, 0, bytes);
                add(sum, before);
            }
            MemorySegment.copy(sumSegment, 0, out[r], outOffsets[r] + at, bytes);
        }
    }

    private void horner(long[][][] bits) {
        if (bits.length == 0) {
            Arrays.fill(sum, 0);
            return;
        }
        long[][] first = bits[0];
        int taken = first(sum, first);
        addFrom(sum, first, taken);
        for (int step = 1; step < bits.length; step++) {
            long[][] chosen = bits[step];
            switch (chosen.length) {
                case 0 -> doubled(sum);
                case 1 -> doubledAdd(sum, chosen[0]);
                case 2 -> doubledAdd(sum, chosen[0], chosen[1]);
                default -> {
                    doubledAdd(sum, chosen[0], chosen[1], chosen[2]);
                    addFrom(sum, chosen, 3);
                }
            }
        }
    }

    /** Sets the sum to the first inputs; returns how many. */
    private static int first(long[] sum, long[][] chosen) {
        switch (chosen.length) {
            case 1 -> System.arraycopy(chosen[0], 0, sum, 0, sum.length);
            case 2 -> set(sum, chosen[0], chosen[1]);
            case 3 -> set(sum, chosen[0], chosen[1], chosen[2]);
            default -> set(sum, chosen[0], chosen[1], chosen[2], chosen[3]);
        }
        return Math.min(4, chosen.length);
    }

    private static void addFrom(long[] sum, long[][] chosen, int from) {
        int i = from;
        for (; i + 2 < chosen.length; i += 3) {
            add(sum, chosen[i], chosen[i + 1], chosen[i + 2]);
        }
        for (; i < chosen.length; i++) {
            add(sum, chosen[i]);
        }
    }

    /** Each byte times 2. */
    private static long twice(long value) {
        return value << 1 & LOW_BITS ^ (value >>> BITS - 1 & ONES) * REDUCTION;
    }

    private static void doubled(long[] sum) {
        for (int i = 0; i < sum.length; i++) {
            sum[i] = twice(sum[i]);
        }
    }

    private static void doubledAdd(long[] sum, long[] a) {
        for (int i = 0; i < sum.length; i++) {
            sum[i] = twice(sum[i]) ^ a[i];
        }
    }

    private static void doubledAdd(long[] sum, long[] a, long[] b) {
        for (int i = 0; i < sum.length; i++) {
            sum[i] = twice(sum[i]) ^ a[i] ^ b[i];
        }
    }

    private static void doubledAdd(long[] sum, long[] a, long[] b, long[] c) {
        for (int i = 0; i < sum.length; i++) {
            sum[i] = twice(sum[i]) ^ a[i] ^ b[i] ^ c[i];
        }
    }

    private static void set(long[] sum, long[] a, long[] b) {
        for (int i = 0; i < sum.length; i++) {
            sum[i] = a[i] ^ b[i];
        }
    }

    private static void set(long[] sum, long[] a, long[] b, long[] c) {
        for (int i = 0; i < sum.length; i++) {
            sum[i] = a[i] ^ b[i] ^ c[i];
        }
    }

    private static void set(long[] sum, long[] a, long[] b, long[] c, long[] d) {
        for (int i = 0; i < sum.length; i++) {
            sum[i] = a[i] ^ b[i] ^ c[i] ^ d[i];
        }
    }

    private static void add(long[] sum, long[] a) {
        for (int i = 0; i < sum.length; i++) {
            sum[i] ^= a[i];
        }
    }

    private static void add(long[] sum, long[] a, long[] b, long[] c) {
        for (int i = 0; i < sum.length; i++) {
            sum[i] ^= a[i] ^ b[i] ^ c[i];
        }
    }
}
