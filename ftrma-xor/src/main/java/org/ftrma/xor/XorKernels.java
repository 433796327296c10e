package org.ftrma.xor;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The inner loops of {@link XorCode}, on raw addresses that the caller has checked: those of the sources of
 * {@code encode} are at their offsets, and {@code at} bytes further. {@code length} is a multiple of
 * {@link #STRIDE_BYTES}. Any thread.
 *
 * <p>Why they look as they do (C2 of JDK 25, measured with the benchmark in ftrma-bench):
 * <ul>
 * <li>C2 does not vectorize a plain loop that loads from one off-heap segment and stores to another: it cannot tell
 *     that they do not overlap, and this release has no run-time check for it. It does join the eight-byte operations
 *     inside <em>one</em> turn of the loop where all loads come before all stores. Hence the unrolling by hand.</li>
 * <li>It does so only where the body of the loop is small. Four words a turn fit for up to three sources (32-byte
 *     vectors), two words for more (16-byte vectors). With one word too many the loop runs at a third of the speed; so
 *     it does with an {@code int} as loop variable.</li>
 * <li>All accesses go through one constant segment, whose type and liveness are known when the loop is compiled. With
 *     the callers' segments a JVM that has once seen a mapped beside a native segment runs the same loop up to six
 *     times slower, and one that has seen a heap segment up to fifty times.</li>
 * <li>The mask changes no address; it tells the compiler that no sum can leave the segment, so that its check needs no
 *     code in the loop. Slices would do as well, but are not always optimized away, and a call may not allocate.</li>
 * </ul>
 *
 *
 */
@SuppressWarnings("restricted")
final class XorKernels {
    /** What a turn of the widest loop covers. */
    static final int STRIDE_BYTES = 32;
    /** What {@link #probeDiffers} looks at: a cache line. */
    static final int PROBE_BYTES = 64;
    /** The most sources that one pass takes. */
    static final int MAX_ENCODE = 8;
    /** The most sources that one pass adds to a parity that is already there. */
    static final int MAX_ACCUMULATE = 4;

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
    private static final long ADDRESS = Long.MAX_VALUE >> 1;

    private XorKernels() {
    }

    static long longAt(long address) {
        return MEMORY.get(LONG, address);
    }

    static void longAt(long address, long value) {
        MEMORY.set(LONG, address, value);
    }

    static byte byteAt(long address) {
        return MEMORY.get(ValueLayout.JAVA_BYTE, address);
    }

    static void byteAt(long address, byte value) {
        MEMORY.set(ValueLayout.JAVA_BYTE, address, value);
    }

    /** Whether the {@link #PROBE_BYTES} bytes at two addresses differ. */
    static boolean probeDiffers(long a, long b) {
        return (longAt(a) ^ longAt(b) | longAt(a + 8) ^ longAt(b + 8) | longAt(a + 16) ^ longAt(b + 16)
            | longAt(a + 24) ^ longAt(b + 24)
            | longAt(a + 32) ^ longAt(b + 32) | longAt(a + 40) ^ longAt(b + 40) | longAt(a + 48) ^ longAt(b + 48)
            | longAt(a + 56) ^ longAt(b + 56)) != 0;
    }

    /**
     * Whether two ranges differ; {@code length} is a multiple of 8. It reads everything: without an exit the loop has
     * no store and no branch, and is vectorized at full width, twice as fast in the cache as
     * {@link MemorySegment#mismatch}.
     */
    static boolean differs(long aAddress, long bAddress, long length) {
        long a = aAddress & ADDRESS;
        long b = bAddress & ADDRESS;
        long difference = 0;
        for (long i = 0; i < length; i += 8) {
            difference |= MEMORY.get(LONG, a + i) ^ MEMORY.get(LONG, b + i);
        }
        return difference != 0;
    }

    static void accumulate1(long aAddress, long pAddress, long length) {
        long a = aAddress & ADDRESS;
        long p = pAddress & ADDRESS;
        for (long i = 0; i < length; i += 32) {
            long v0 = MEMORY.get(LONG, p + i) ^ MEMORY.get(LONG, a + i);
            long v1 = MEMORY.get(LONG, p + i + 8) ^ MEMORY.get(LONG, a + i + 8);
            long v2 = MEMORY.get(LONG, p + i + 16) ^ MEMORY.get(LONG, a + i + 16);
            long v3 = MEMORY.get(LONG, p + i + 24) ^ MEMORY.get(LONG, a + i + 24);
            MEMORY.set(LONG, p + i, v0);
            MEMORY.set(LONG, p + i + 8, v1);
            MEMORY.set(LONG, p + i + 16, v2);
            MEMORY.set(LONG, p + i + 24, v3);
        }
    }

    static void accumulate2(long aAddress, long bAddress, long pAddress, long length) {
        long a = aAddress & ADDRESS;
        long b = bAddress & ADDRESS;
        long p = pAddress & ADDRESS;
        for (long i = 0; i < length; i += 32) {
            long v0 = MEMORY.get(LONG, p + i) ^ MEMORY.get(LONG, a + i) ^ MEMORY.get(LONG, b + i);
            long v1 = MEMORY.get(LONG, p + i + 8) ^ MEMORY.get(LONG, a + i + 8) ^ MEMORY.get(LONG, b + i + 8);
            long v2 = MEMORY.get(LONG, p + i + 16) ^ MEMORY.get(LONG, a + i + 16) ^ MEMORY.get(LONG, b + i + 16);
            long v3 = MEMORY.get(LONG, p + i + 24) ^ MEMORY.get(LONG, a + i + 24) ^ MEMORY.get(LONG, b + i + 24);
            MEMORY.set(LONG, p + i, v0);
            MEMORY.set(LONG, p + i + 8, v1);
            MEMORY.set(LONG, p + i + 16, v2);
            MEMORY.set(LONG, p + i + 24, v3);
        }
    }

    static void accumulate3(long aAddress, long bAddress, long cAddress, long pAddress, long length) {
        long a = aAddress & ADDRESS;
        long b = bAddress & ADDRESS;
        long c = cAddress & ADDRESS;
        long p = pAddress & ADDRESS;
        for (long i = 0; i < length; i += 32) {
            long v0 = MEMORY.get(LONG, p + i) ^ MEMORY.get(LONG, a + i) ^ MEMORY.get(LONG, b + i) ^ MEMORY.get(LONG,
                c + i);
            long v1 = MEMORY.get(LONG, p + i + 8) ^ MEMORY.get(LONG, a + i + 8) ^ MEMORY.get(LONG, b + i + 8)
                ^ MEMORY.get(LONG, c + i + 8);
            long v2 = MEMORY.get(LONG, p + i + 16) ^ MEMORY.get(LONG, a + i + 16) ^ MEMORY.get(LONG, b + i + 16)
                ^ MEMORY.get(LONG, c + i + 16);
            long v3 = MEMORY.get(LONG, p + i + 24) ^ MEMORY.get(LONG, a + i + 24) ^ MEMORY.get(LONG, b + i + 24)
                ^ MEMORY.get(LONG, c + i + 24);
            MEMORY.set(LONG, p + i, v0);
            MEMORY.set(LONG, p + i + 8, v1);
            MEMORY.set(LONG, p + i + 16, v2);
            MEMORY.set(LONG, p + i + 24, v3);
        }
    }

    static void accumulate4(long aAddress, long bAddress, long cAddress, long dAddress, long pAddress, long length) {
        long a = aAddress & ADDRESS;
        long b = bAddress & ADDRESS;
        long c = cAddress & ADDRESS;
        long d = dAddress & ADDRESS;
        long p = pAddress & ADDRESS;
        for (long i = 0; i < length; i += 16) {
            long v0 = MEMORY.get(LONG, p + i) ^ MEMORY.get(LONG, a + i) ^ MEMORY.get(LONG, b + i)
                ^ MEMORY.get(LONG, c + i) ^ MEMORY.get(LONG, d + i);
            long v1 = MEMORY.get(LONG, p + i + 8) ^ MEMORY.get(LONG, a + i + 8) ^ MEMORY.get(LONG, b + i + 8)
                ^ MEMORY.get(LONG, c + i + 8) ^ MEMORY.get(LONG, d + i + 8);
            MEMORY.set(LONG, p + i, v0);
            MEMORY.set(LONG, p + i + 8, v1);
        }
    }

    /** Where a place in one of the sources is, which all begin at their offsets. */
    static long address(MemorySegment[] sources, long[] offsets, int source, long at) {
        return sources[source].address() + offsets[source] + at;
    }

    static void encode2(MemorySegment[] sources, long[] offsets, long at, long pAddress, long length) {
        long a = address(sources, offsets, 0, at) & ADDRESS;
        long b = address(sources, offsets, 1, at) & ADDRESS;
        long p = pAddress & ADDRESS;
        for (long i = 0; i < length; i += 32) {
            long v0 = MEMORY.get(LONG, a + i) ^ MEMORY.get(LONG, b + i);
            long v1 = MEMORY.get(LONG, a + i + 8) ^ MEMORY.get(LONG, b + i + 8);
            long v2 = MEMORY.get(LONG, a + i + 16) ^ MEMORY.get(LONG, b + i + 16);
            long v3 = MEMORY.get(LONG, a + i + 24) ^ MEMORY.get(LONG, b + i + 24);
            MEMORY.set(LONG, p + i, v0);
            MEMORY.set(LONG, p + i + 8, v1);
            MEMORY.set(LONG, p + i + 16, v2);
            MEMORY.set(LONG, p + i + 24, v3);
        }
    }

    static void encode3(MemorySegment[] sources, long[] offsets, long at, long pAddress, long length) {
        long a = address(sources, offsets, 0, at) & ADDRESS;
        long b = address(sources, offsets, 1, at) & ADDRESS;
        long c = address(sources, offsets, 2, at) & ADDRESS;
        long p = pAddress & ADDRESS;
        for (long i = 0; i < length; i += 32) {
            long v0 = MEMORY.get(LONG, a + i) ^ MEMORY.get(LONG, b + i) ^ MEMORY.get(LONG, c + i);
            long v1 = MEMORY.get(LONG, a + i + 8) ^ MEMORY.get(LONG, b + i + 8) ^ MEMORY.get(LONG, c + i + 8);
            long v2 = MEMORY.get(LONG, a + i + 16) ^ MEMORY.get(LONG, b + i + 16) ^ MEMORY.get(LONG, c + i + 16);
            long v3 = MEMORY.get(LONG, a + i + 24) ^ MEMORY.get(LONG, b + i + 24) ^ MEMORY.get(LONG, c + i + 24);
            MEMORY.set(LONG, p + i, v0);
            MEMORY.set(LONG, p + i + 8, v1);
            MEMORY.set(LONG, p + i + 16, v2);
            MEMORY.set(LONG, p + i + 24, v3);
        }
    }

    static void encode4(MemorySegment[] sources, long[] offsets, long at, long pAddress, long length) {
        long a = address(sources, offsets, 0, at) & ADDRESS;
        long b = address(sources, offsets, 1, at) & ADDRESS;
        long c = address(sources, offsets, 2, at) & ADDRESS;
        long d = address(sources, offsets, 3, at) & ADDRESS;
        long p = pAddress & ADDRESS;
        for (long i = 0; i < length; i += 16) {
            long v0 = MEMORY.get(LONG, a + i) ^ MEMORY.get(LONG, b + i) ^ MEMORY.get(LONG, c + i) ^ MEMORY.get(LONG,
                d + i);
            long v1 = MEMORY.get(LONG, a + i + 8) ^ MEMORY.get(LONG, b + i + 8) ^ MEMORY.get(LONG, c + i + 8)
                ^ MEMORY.get(LONG, d + i + 8);
            MEMORY.set(LONG, p + i, v0);
            MEMORY.set(LONG, p + i + 8, v1);
        }
    }

    static void encode5(MemorySegment[] sources, long[] offsets, long at, long pAddress, long length) {
        long a = address(sources, offsets, 0, at) & ADDRESS;
        long b = address(sources, offsets, 1, at) & ADDRESS;
        long c = address(sources, offsets, 2, at) & ADDRESS;
        long d = address(sources, offsets, 3, at) & ADDRESS;
        long e = address(sources, offsets, 4, at) & ADDRESS;
        long p = pAddress & ADDRESS;
        for (long i = 0; i < length; i += 16) {
            long v0 = MEMORY.get(LONG, a + i) ^ MEMORY.get(LONG, b + i) ^ MEMORY.get(LONG, c + i)
                ^ MEMORY.get(LONG, d + i) ^ MEMORY.get(LONG, e + i);
            long v1 = MEMORY.get(LONG, a + i + 8) ^ MEMORY.get(LONG, b + i + 8) ^ MEMORY.get(LONG, c + i + 8)
                ^ MEMORY.get(LONG, d + i + 8) ^ MEMORY.get(LONG, e + i + 8);
            MEMORY.set(LONG, p + i, v0);
            MEMORY.set(LONG, p + i + 8, v1);
        }
    }

    static void encode6(MemorySegment[] sources, long[] offsets, long at, long pAddress, long length) {
        long a = address(sources, offsets, 0, at) & ADDRESS;
        long b = address(sources, offsets, 1, at) & ADDRESS;
        long c = address(sources, offsets, 2, at) & ADDRESS;
        long d = address(sources, offsets, 3, at) & ADDRESS;
        long e = address(sources, offsets, 4, at) & ADDRESS;
        long f = address(sources, offsets, 5, at) & ADDRESS;
        long p = pAddress & ADDRESS;
        for (long i = 0; i < length; i += 16) {
            long v0 = MEMORY.get(LONG, a + i) ^ MEMORY.get(LONG, b + i) ^ MEMORY.get(LONG, c + i)
                ^ MEMORY.get(LONG, d + i) ^ MEMORY.get(LONG, e + i) ^ MEMORY.get(LONG, f + i);
            long v1 = MEMORY.get(LONG, a + i + 8) ^ MEMORY.get(LONG, b + i + 8) ^ MEMORY.get(LONG, c + i + 8)
                ^ MEMORY.get(LONG, d + i + 8) ^ MEMORY.get(LONG, e + i + 8) ^ MEMORY.get(LONG, f + i + 8);
            MEMORY.set(LONG, p + i, v0);
            MEMORY.set(LONG, p + i + 8, v1);
        }
    }

    static void encode7(MemorySegment[] sources, long[] offsets, long at, long pAddress, long length) {
        long a = address(sources, offsets, 0, at) & ADDRESS;
        long b = address(sources, offsets, 1, at) & ADDRESS;
        long c = address(sources, offsets, 2, at) & ADDRESS;
        long d = address(sources, offsets, 3, at) & ADDRESS;
        long e = address(sources, offsets, 4, at) & ADDRESS;
        long f = address(sources, offsets, 5, at) & ADDRESS;
        long g = address(sources, offsets, 6, at) & ADDRESS;
        long p = pAddress & ADDRESS;
        for (long i = 0; i < length; i += 16) {
            long v0 = MEMORY.get(LONG, a + i) ^ MEMORY.get(LONG, b + i) ^ MEMORY.get(LONG, c + i) ^ MEMORY.get(LONG,
                d + i)
                ^ MEMORY.get(LONG, e + i) ^ MEMORY.get(LONG, f + i) ^ MEMORY.get(LONG, g + i);
            long v1 = MEMORY.get(LONG, a + i + 8) ^ MEMORY.get(LONG, b + i + 8) ^ MEMORY.get(LONG,
                c + i + 8) ^ MEMORY.get(LONG, d + i + 8)
                ^ MEMORY.get(LONG, e + i + 8) ^ MEMORY.get(LONG, f + i + 8) ^ MEMORY.get(LONG, g + i + 8);
            MEMORY.set(LONG, p + i, v0);
            MEMORY.set(LONG, p + i + 8, v1);
        }
    }

    static void encode8(MemorySegment[] sources, long[] offsets, long at, long pAddress, long length) {
        long a = address(sources, offsets, 0, at) & ADDRESS;
        long b = address(sources, offsets, 1, at) & ADDRESS;
        long c = address(sources, offsets, 2, at) & ADDRESS;
        long d = address(sources, offsets, 3, at) & ADDRESS;
        long e = address(sources, offsets, 4, at) & ADDRESS;
        long f = address(sources, offsets, 5, at) & ADDRESS;
        long g = address(sources, offsets, 6, at) & ADDRESS;
        long h = address(sources, offsets, 7, at) & ADDRESS;
        long p = pAddress & ADDRESS;
        for (long i = 0; i < length; i += 16) {
            long v0 = MEMORY.get(LONG, a + i) ^ MEMORY.get(LONG, b + i) ^ MEMORY.get(LONG, c + i) ^ MEMORY.get(LONG,
                d + i)
                ^ MEMORY.get(LONG, e + i) ^ MEMORY.get(LONG, f + i) ^ MEMORY.get(LONG, g + i) ^ MEMORY.get(LONG, h + i);
            long v1 = MEMORY.get(LONG, a + i + 8) ^ MEMORY.get(LONG, b + i + 8) ^ MEMORY.get(LONG,
                c + i + 8) ^ MEMORY.get(LONG, d + i + 8)
                ^ MEMORY.get(LONG, e + i + 8) ^ MEMORY.get(LONG, f + i + 8) ^ MEMORY.get(LONG,
                g + i + 8) ^ MEMORY.get(LONG, h + i + 8);
            MEMORY.set(LONG, p + i, v0);
            MEMORY.set(LONG, p + i + 8, v1);
        }
    }
}
