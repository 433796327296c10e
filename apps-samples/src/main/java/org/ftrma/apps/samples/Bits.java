package org.ftrma.apps.samples;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ftrma.Job;

/** Numbers that differ wherever they should, and digests of results. Pure functions, but for the one that says so. */
final class Bits {
    private static final long FNV_START = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    private Bits() {
    }

    static long mix(long a, long b) {
        long z = a * 0x9E3779B97F4A7C15L + b + 0x632BE59BD9B4E019L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    static long mix(long a, long b, long c) {
        return mix(mix(a, b), c);
    }

    /** 0 to bound - 1, from any number. */
    static int below(long number, int bound) {
        return (int) Math.unsignedMultiplyHigh(number, bound);
    }

    /** Depends on every bit of every 8-byte value (FNV-1a over the values). */
    static long digest(MemorySegment values, long count) {
        long hash = FNV_START;
        for (long i = 0; i < count; i++) {
            hash = (hash ^ values.getAtIndex(ValueLayout.JAVA_LONG, i)) * FNV_PRIME;
            hash ^= hash >>> 29;
        }
        return hash;
    }

    /** Collective: one digest of all ranks' digests, as 16 hexadecimal digits. */
    static String digestOfAll(Job job, long own) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment mine = arena.allocate(8, 8);
            MemorySegment all = arena.allocate(8L * job.ranks(), 8);
            mine.set(ValueLayout.JAVA_LONG, 0, own);
            job.allGather(mine, all);
            return String.format("%016x", digest(all, job.ranks()));
        }
    }
}
