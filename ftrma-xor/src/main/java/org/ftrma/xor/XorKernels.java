package org.ftrma.xor;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The inner loops of {@link XorCode}, on raw addresses that the caller has checked. {@code length} is a multiple of {@link
 * #STRIDE_BYTES}. Any thread.
 *
 * <p>Why they look as they do (C2 of JDK 25, measured with the benchmark in ftrma-bench):
 * <ul>
 * <li>C2 does not vectorize a plain loop that loads from one off-heap segment and stores to another: it cannot tell that they do
 *     not overlap, and this release has no run-time check for it. It does join the eight-byte operations inside <em>one</em> turn
 *     of the loop where all loads come before all stores. Hence the unrolling by hand.</li>
 * <li>It tries that only for loops whose body is small (its unrolling limit, about 60 nodes). Four words a turn fit for up to
 *     three sources (32-byte vectors), two words for more (16-byte vectors). One word too many and the loop runs several times
 *     slower.</li>
 * <li>Every access is made through slices of one constant segment. So the type of the segment is known when the loop is compiled;
 *     with the callers' segments a JVM that has once seen a mapped beside a native segment runs the same loop up to six times
 *     slower, and one that has seen a heap segment up to fifty times. The checks of the slices stay and are hoisted out of the
 *     loops.</li>
 * </ul>
 */
@SuppressWarnings("restricted")
final class XorKernels {
    /** What a turn of the widest loop covers. */
    static final int STRIDE_BYTES = 32;
    /** The most sources that one pass takes. */
    static final int MAX_ENCODE = 8;
    /** The most sources that one pass adds to a parity that is already there. */
    static final int MAX_ACCUMULATE = 3;

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

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

    static void accumulate1(long aAddress, long pAddress, int length) {
        MemorySegment a = MEMORY.asSlice(aAddress, length);
        MemorySegment p = MEMORY.asSlice(pAddress, length);
        for (int i = 0; i < length; i += 32) {
            long v0 = p.get(LONG, (long) i) ^ a.get(LONG, (long) i);
            long v1 = p.get(LONG, (long) i + 8) ^ a.get(LONG, (long) i + 8);
            long v2 = p.get(LONG, (long) i + 16) ^ a.get(LONG, (long) i + 16);
            long v3 = p.get(LONG, (long) i + 24) ^ a.get(LONG, (long) i + 24);
            p.set(LONG, (long) i, v0);
            p.set(LONG, (long) i + 8, v1);
            p.set(LONG, (long) i + 16, v2);
            p.set(LONG, (long) i + 24, v3);
        }
    }

    static void accumulate2(long aAddress, long bAddress, long pAddress, int length) {
        MemorySegment a = MEMORY.asSlice(aAddress, length);
        MemorySegment b = MEMORY.asSlice(bAddress, length);
        MemorySegment p = MEMORY.asSlice(pAddress, length);
        for (int i = 0; i < length; i += 32) {
            long v0 = p.get(LONG, (long) i) ^ a.get(LONG, (long) i) ^ b.get(LONG, (long) i);
            long v1 = p.get(LONG, (long) i + 8) ^ a.get(LONG, (long) i + 8) ^ b.get(LONG, (long) i + 8);
            long v2 = p.get(LONG, (long) i + 16) ^ a.get(LONG, (long) i + 16) ^ b.get(LONG, (long) i + 16);
            long v3 = p.get(LONG, (long) i + 24) ^ a.get(LONG, (long) i + 24) ^ b.get(LONG, (long) i + 24);
            p.set(LONG, (long) i, v0);
            p.set(LONG, (long) i + 8, v1);
            p.set(LONG, (long) i + 16, v2);
            p.set(LONG, (long) i + 24, v3);
        }
    }

    static void accumulate3(long aAddress, long bAddress, long cAddress, long pAddress, int length) {
        MemorySegment a = MEMORY.asSlice(aAddress, length);
        MemorySegment b = MEMORY.asSlice(bAddress, length);
        MemorySegment c = MEMORY.asSlice(cAddress, length);
        MemorySegment p = MEMORY.asSlice(pAddress, length);
        for (int i = 0; i < length; i += 32) {
            long v0 = p.get(LONG, (long) i) ^ a.get(LONG, (long) i) ^ b.get(LONG, (long) i) ^ c.get(LONG, (long) i);
            long v1 = p.get(LONG, (long) i + 8) ^ a.get(LONG, (long) i + 8)
                ^ b.get(LONG, (long) i + 8) ^ c.get(LONG, (long) i + 8);
            long v2 = p.get(LONG, (long) i + 16) ^ a.get(LONG, (long) i + 16)
                ^ b.get(LONG, (long) i + 16) ^ c.get(LONG, (long) i + 16);
            long v3 = p.get(LONG, (long) i + 24) ^ a.get(LONG, (long) i + 24)
                ^ b.get(LONG, (long) i + 24) ^ c.get(LONG, (long) i + 24);
            p.set(LONG, (long) i, v0);
            p.set(LONG, (long) i + 8, v1);
            p.set(LONG, (long) i + 16, v2);
            p.set(LONG, (long) i + 24, v3);
        }
    }

    static void encode2(long aAddress, long bAddress, long pAddress, int length) {
        MemorySegment a = MEMORY.asSlice(aAddress, length);
        MemorySegment b = MEMORY.asSlice(bAddress, length);
        MemorySegment p = MEMORY.asSlice(pAddress, length);
        for (int i = 0; i < length; i += 32) {
            long v0 = a.get(LONG, (long) i) ^ b.get(LONG, (long) i);
            long v1 = a.get(LONG, (long) i + 8) ^ b.get(LONG, (long) i + 8);
            long v2 = a.get(LONG, (long) i + 16) ^ b.get(LONG, (long) i + 16);
            long v3 = a.get(LONG, (long) i + 24) ^ b.get(LONG, (long) i + 24);
            p.set(LONG, (long) i, v0);
            p.set(LONG, (long) i + 8, v1);
            p.set(LONG, (long) i + 16, v2);
            p.set(LONG, (long) i + 24, v3);
        }
    }

    static void encode3(long aAddress, long bAddress, long cAddress, long pAddress, int length) {
        MemorySegment a = MEMORY.asSlice(aAddress, length);
        MemorySegment b = MEMORY.asSlice(bAddress, length);
        MemorySegment c = MEMORY.asSlice(cAddress, length);
        MemorySegment p = MEMORY.asSlice(pAddress, length);
        for (int i = 0; i < length; i += 32) {
            long v0 = a.get(LONG, (long) i) ^ b.get(LONG, (long) i) ^ c.get(LONG, (long) i);
            long v1 = a.get(LONG, (long) i + 8) ^ b.get(LONG, (long) i + 8) ^ c.get(LONG, (long) i + 8);
            long v2 = a.get(LONG, (long) i + 16) ^ b.get(LONG, (long) i + 16) ^ c.get(LONG, (long) i + 16);
            long v3 = a.get(LONG, (long) i + 24) ^ b.get(LONG, (long) i + 24) ^ c.get(LONG, (long) i + 24);
            p.set(LONG, (long) i, v0);
            p.set(LONG, (long) i + 8, v1);
            p.set(LONG, (long) i + 16, v2);
            p.set(LONG, (long) i + 24, v3);
        }
    }

    static void encode4(long aAddress, long bAddress, long cAddress, long dAddress, long pAddress, int length) {
        MemorySegment a = MEMORY.asSlice(aAddress, length);
        MemorySegment b = MEMORY.asSlice(bAddress, length);
        MemorySegment c = MEMORY.asSlice(cAddress, length);
        MemorySegment d = MEMORY.asSlice(dAddress, length);
        MemorySegment p = MEMORY.asSlice(pAddress, length);
        for (int i = 0; i < length; i += 16) {
            long v0 = a.get(LONG, (long) i) ^ b.get(LONG, (long) i) ^ c.get(LONG, (long) i) ^ d.get(LONG, (long) i);
            long v1 = a.get(LONG, (long) i + 8) ^ b.get(LONG, (long) i + 8)
                ^ c.get(LONG, (long) i + 8) ^ d.get(LONG, (long) i + 8);
            p.set(LONG, (long) i, v0);
            p.set(LONG, (long) i + 8, v1);
        }
    }

    static void encode5(long aAddress, long bAddress, long cAddress, long dAddress, long eAddress, long pAddress, int length) {
        MemorySegment a = MEMORY.asSlice(aAddress, length);
        MemorySegment b = MEMORY.asSlice(bAddress, length);
        MemorySegment c = MEMORY.asSlice(cAddress, length);
        MemorySegment d = MEMORY.asSlice(dAddress, length);
        MemorySegment e = MEMORY.asSlice(eAddress, length);
        MemorySegment p = MEMORY.asSlice(pAddress, length);
        for (int i = 0; i < length; i += 16) {
            long v0 = a.get(LONG, (long) i) ^ b.get(LONG, (long) i) ^ c.get(LONG, (long) i)
                ^ d.get(LONG, (long) i) ^ e.get(LONG, (long) i);
            long v1 = a.get(LONG, (long) i + 8) ^ b.get(LONG, (long) i + 8) ^ c.get(LONG, (long) i + 8)
                ^ d.get(LONG, (long) i + 8) ^ e.get(LONG, (long) i + 8);
            p.set(LONG, (long) i, v0);
            p.set(LONG, (long) i + 8, v1);
        }
    }

    static void encode6(long aAddress, long bAddress, long cAddress, long dAddress, long eAddress, long fAddress,
            long pAddress, int length) {
        MemorySegment a = MEMORY.asSlice(aAddress, length);
        MemorySegment b = MEMORY.asSlice(bAddress, length);
        MemorySegment c = MEMORY.asSlice(cAddress, length);
        MemorySegment d = MEMORY.asSlice(dAddress, length);
        MemorySegment e = MEMORY.asSlice(eAddress, length);
        MemorySegment f = MEMORY.asSlice(fAddress, length);
        MemorySegment p = MEMORY.asSlice(pAddress, length);
        for (int i = 0; i < length; i += 16) {
            long v0 = a.get(LONG, (long) i) ^ b.get(LONG, (long) i) ^ c.get(LONG, (long) i)
                ^ d.get(LONG, (long) i) ^ e.get(LONG, (long) i) ^ f.get(LONG, (long) i);
            long v1 = a.get(LONG, (long) i + 8) ^ b.get(LONG, (long) i + 8) ^ c.get(LONG, (long) i + 8)
                ^ d.get(LONG, (long) i + 8) ^ e.get(LONG, (long) i + 8) ^ f.get(LONG, (long) i + 8);
            p.set(LONG, (long) i, v0);
            p.set(LONG, (long) i + 8, v1);
        }
    }

    static void encode7(long aAddress, long bAddress, long cAddress, long dAddress, long eAddress, long fAddress, long gAddress,
            long pAddress, int length) {
        MemorySegment a = MEMORY.asSlice(aAddress, length);
        MemorySegment b = MEMORY.asSlice(bAddress, length);
        MemorySegment c = MEMORY.asSlice(cAddress, length);
        MemorySegment d = MEMORY.asSlice(dAddress, length);
        MemorySegment e = MEMORY.asSlice(eAddress, length);
        MemorySegment f = MEMORY.asSlice(fAddress, length);
        MemorySegment g = MEMORY.asSlice(gAddress, length);
        MemorySegment p = MEMORY.asSlice(pAddress, length);
        for (int i = 0; i < length; i += 16) {
            long v0 = a.get(LONG, (long) i) ^ b.get(LONG, (long) i) ^ c.get(LONG, (long) i) ^ d.get(LONG, (long) i)
                ^ e.get(LONG, (long) i) ^ f.get(LONG, (long) i) ^ g.get(LONG, (long) i);
            long v1 = a.get(LONG, (long) i + 8) ^ b.get(LONG, (long) i + 8)
                ^ c.get(LONG, (long) i + 8) ^ d.get(LONG, (long) i + 8)
                ^ e.get(LONG, (long) i + 8) ^ f.get(LONG, (long) i + 8) ^ g.get(LONG, (long) i + 8);
            p.set(LONG, (long) i, v0);
            p.set(LONG, (long) i + 8, v1);
        }
    }

    static void encode8(long aAddress, long bAddress, long cAddress, long dAddress, long eAddress, long fAddress, long gAddress,
            long hAddress, long pAddress, int length) {
        MemorySegment a = MEMORY.asSlice(aAddress, length);
        MemorySegment b = MEMORY.asSlice(bAddress, length);
        MemorySegment c = MEMORY.asSlice(cAddress, length);
        MemorySegment d = MEMORY.asSlice(dAddress, length);
        MemorySegment e = MEMORY.asSlice(eAddress, length);
        MemorySegment f = MEMORY.asSlice(fAddress, length);
        MemorySegment g = MEMORY.asSlice(gAddress, length);
        MemorySegment h = MEMORY.asSlice(hAddress, length);
        MemorySegment p = MEMORY.asSlice(pAddress, length);
        for (int i = 0; i < length; i += 16) {
            long v0 = a.get(LONG, (long) i) ^ b.get(LONG, (long) i) ^ c.get(LONG, (long) i) ^ d.get(LONG, (long) i)
                ^ e.get(LONG, (long) i) ^ f.get(LONG, (long) i) ^ g.get(LONG, (long) i) ^ h.get(LONG, (long) i);
            long v1 = a.get(LONG, (long) i + 8) ^ b.get(LONG, (long) i + 8)
                ^ c.get(LONG, (long) i + 8) ^ d.get(LONG, (long) i + 8)
                ^ e.get(LONG, (long) i + 8) ^ f.get(LONG, (long) i + 8)
                ^ g.get(LONG, (long) i + 8) ^ h.get(LONG, (long) i + 8);
            p.set(LONG, (long) i, v0);
            p.set(LONG, (long) i + 8, v1);
        }
    }
}
