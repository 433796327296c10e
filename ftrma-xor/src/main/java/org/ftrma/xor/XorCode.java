package org.ftrma.xor;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The XOR code: one parity guards any number of equally long sources against the loss of one of them. With sources a,
 * b, c the parity is {@code p = a ^ b ^ c}, so {@code b = p ^ a ^ c}: rebuilding is encoding what is left.
 *
 * <p>Pure functions over off-heap memory, of any length and alignment, at memory speed and without allocation. Any
 * thread; calls on disjoint memory may run at the same time. Offsets and lengths are bytes. Every range is checked
 * before the first byte is written: a range outside its segment is an {@link IndexOutOfBoundsException}, a heap
 * segment, a read-only target, or a target that overlaps a source an {@link IllegalArgumentException}, a closed arena
 * an {@link IllegalStateException}, a segment confined to another thread a {@link WrongThreadException}; each names the
 * values.
 *
 * <p>Liveness is checked at entry only: whoever owns the arenas must not close them while a call runs, as with any
 * transfer under way.
 */
public final class XorCode {
    /**
     * Beyond the sources of one pass the parity is made tile by tile, so that later passes find it in the first-level
     * cache.
     */
    private static final int TILE_BYTES = 4096;
    /**
     * For each source of {@link WarmUp#BYTES}: 130 to 200 ns were measured in the second compiler's code, 5,700 to
     * 6,700 in the first one's.
     */
    private static final long COMPILED_NANOS = 1500;
    private static final String SOURCE = "source";
    private static final String SOURCES = "sources";
    private static final String PARITY = "parity";

    private XorCode() {
    }

    /**
     * Sets the parity to the XOR of all sources. Up to eight sources are read once each in a single pass and the parity
     * is written once; more are taken in several passes over tiles that stay in the cache.
     *
     * @param sources      at least one off-heap segment
     * @param offsets      where each source begins, as many as sources
     * @param parity       off-heap; the range may not overlap a source
     * @param parityOffset where the parity begins
     * @param length       bytes of each source and of the parity; 0 does nothing
     */
    public static void encode(MemorySegment[] sources, long[] offsets, MemorySegment parity, long parityOffset,
        long length) {
        long target = check(sources, offsets, parity, parityOffset, length);
        int count = sources.length;
        if (count == 1) {
            MemorySegment.copy(sources[0], offsets[0], parity, parityOffset, length);
            return;
        }
        int first = Math.min(count, XorKernels.MAX_ENCODE);
        long body = length - length % XorKernels.STRIDE_BYTES;
        long step = count > first ? TILE_BYTES : body;
        for (long at = 0; at < body; at += step) {
            long bytes = Math.min(step, body - at);
            encodePass(sources, offsets, at, target + at, bytes);
            accumulatePasses(sources, offsets, first, at, target + at, bytes);
        }
        tail(sources, offsets, target, body, length, false);
    }

    /**
     * Runs {@link #encode} of so many sources over a small buffer until the virtual machine has compiled it, at most
     * two seconds: to be called where there is time, since the first megabytes take as long otherwise.
     *
     * @param count sources, at least 1
     */
    public static void compile(int count) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(2L * WarmUp.BYTES, 64);
            MemorySegment[] sources = new MemorySegment[count];
            Arrays.fill(sources, buffer);
            WarmUp.run(COMPILED_NANOS * count, () -> encode(sources, new long[count], buffer, WarmUp.BYTES,
                WarmUp.BYTES));
        }
    }

    /**
     * XORs all sources into what the parity holds. With the old and the new contents of one source this brings a parity
     * up to date without the other sources: {@code p ^= old ^ new}.
     *
     * @see #encode for the arguments
     */
    public static void accumulate(MemorySegment[] sources, long[] offsets, MemorySegment parity, long parityOffset,
        long length) {
        long target = check(sources, offsets, parity, parityOffset, length);
        long body = length - length % XorKernels.STRIDE_BYTES;
        long step = sources.length > XorKernels.MAX_ACCUMULATE ? TILE_BYTES : body;
        for (long at = 0; at < body; at += step) {
            accumulatePasses(sources, offsets, 0, at, target + at, Math.min(step, body - at));
        }
        tail(sources, offsets, target, body, length, true);
    }

    /**
     * {@code destination ^= source}.
     *
     * @param source            off-heap
     * @param sourceOffset      where the source begins
     * @param destination       off-heap; the range may not overlap the source
     * @param destinationOffset where the destination begins
     * @param length            bytes; 0 does nothing
     */
    public static void xorInto(MemorySegment source, long sourceOffset, MemorySegment destination,
        long destinationOffset, long length) {
        long from = Ranges.address(source, sourceOffset, length, false, SOURCE, -1);
        long to = Ranges.address(destination, destinationOffset, length, true, "destination", -1);
        Ranges.requireApart(from, to, length, SOURCE, -1, "destination");
        long body = length - length % XorKernels.STRIDE_BYTES;
        XorKernels.accumulate1(from, to, body);
        long at = body;
        for (; at + Long.BYTES <= length; at += Long.BYTES) {
            XorKernels.longAt(to + at, XorKernels.longAt(to + at) ^ XorKernels.longAt(from + at));
        }
        for (; at < length; at++) {
            XorKernels.byteAt(to + at, (byte) (XorKernels.byteAt(to + at) ^ XorKernels.byteAt(from + at)));
        }
    }

    /**
     * Rebuilds a lost source from everything else: the same operation as {@link #encode}, under the name of what it is
     * for.
     *
     * @param rest       the parity and all sources but the lost one, in any order
     * @param offsets    where each of them begins
     * @param lost       receives the lost source
     * @param lostOffset where it begins
     * @param length     bytes
     */
    public static void rebuild(MemorySegment[] rest, long[] offsets, MemorySegment lost, long lostOffset, long length) {
        encode(rest, offsets, lost, lostOffset, length);
    }

    private static long check(MemorySegment[] sources, long[] offsets, MemorySegment parity, long parityOffset,
        long length) {
        if (sources.length == 0 || sources.length != offsets.length) {
            throw new IllegalArgumentException("sources=" + sources.length + " offsets=" + offsets.length
                + ": need at least one source and an offset for each");
        }
        long target = Ranges.address(parity, parityOffset, length, true, PARITY, -1);
        for (int j = 0; j < sources.length; j++) {
            long from = Ranges.address(sources[j], offsets[j], length, false, SOURCES, j);
            Ranges.requireApart(from, target, length, SOURCES, j, PARITY);
        }
        return target;
    }

    private static long at(MemorySegment[] sources, long[] offsets, int j, long at) {
        return XorKernels.address(sources, offsets, j, at);
    }

    /** {@code parity = sources[0] ^ … } for as many sources as one pass takes. */
    private static void encodePass(MemorySegment[] s, long[] o, long at, long parity, long bytes) {
        switch (Math.min(s.length, XorKernels.MAX_ENCODE)) {
            case 2 -> XorKernels.encode2(s, o, at, parity, bytes);
            case 3 -> XorKernels.encode3(s, o, at, parity, bytes);
            case 4 -> XorKernels.encode4(s, o, at, parity, bytes);
            case 5 -> XorKernels.encode5(s, o, at, parity, bytes);
            case 6 -> XorKernels.encode6(s, o, at, parity, bytes);
            case 7 -> XorKernels.encode7(s, o, at, parity, bytes);
            default -> XorKernels.encode8(s, o, at, parity, bytes);
        }
    }

    /** {@code parity ^= sources[first] ^ …} to the last source. */
    private static void accumulatePasses(MemorySegment[] s, long[] o, int first, long at, long parity, long bytes) {
        for (int j = first; j < s.length; j += XorKernels.MAX_ACCUMULATE) {
            switch (Math.min(s.length - j, XorKernels.MAX_ACCUMULATE)) {
                case 1 -> XorKernels.accumulate1(at(s, o, j, at), parity, bytes);
                case 2 -> XorKernels.accumulate2(at(s, o, j, at), at(s, o, j + 1, at), parity, bytes);
                case 3 -> XorKernels.accumulate3(at(s, o, j, at), at(s, o, j + 1, at), at(s, o, j + 2, at), parity,
                    bytes);
                default -> XorKernels.accumulate4(at(s, o, j, at), at(s, o, j + 1, at), at(s, o, j + 2, at),
                    at(s, o, j + 3, at),
                    parity, bytes);
            }
        }
    }

    /** The bytes after the last whole stride: words, then bytes. */
    private static void tail(MemorySegment[] s, long[] o, long parity, long from, long length, boolean keep) {
        long at = from;
        for (; at + Long.BYTES <= length; at += Long.BYTES) {
            long value = keep ? XorKernels.longAt(parity + at) : 0;
            for (int j = 0; j < s.length; j++) {
                value ^= XorKernels.longAt(at(s, o, j, at));
            }
            XorKernels.longAt(parity + at, value);
        }
        for (; at < length; at++) {
            byte value = keep ? XorKernels.byteAt(parity + at) : 0;
            for (int j = 0; j < s.length; j++) {
                value ^= XorKernels.byteAt(at(s, o, j, at));
            }
            XorKernels.byteAt(parity + at, value);
        }
    }
}
