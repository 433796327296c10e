package org.ftrma.xor;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/** Off-heap memory with random contents, and the allocation of the current thread. */
final class Memory {
    private static final com.sun.management.ThreadMXBean THREADS =
        (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Memory() {
    }

    static RandomGenerator random(long seed) {
        return RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    }

    static MemorySegment random(Arena arena, long bytes, RandomGenerator random) {
        MemorySegment segment = arena.allocate(Math.max(bytes, 1), 1).asSlice(0, bytes);
        byte[] contents = new byte[Math.toIntExact(bytes)];
        random.nextBytes(contents);
        MemorySegment.copy(contents, 0, segment, ValueLayout.JAVA_BYTE, 0, contents.length);
        return segment;
    }

    static byte[] bytes(MemorySegment segment) {
        return segment.toArray(ValueLayout.JAVA_BYTE);
    }

    /**
     * Bytes that this thread allocates in a run of the body once it is compiled: 0 when three runs in a row allocated
     * nothing, else what the last of many runs did.
     */
    static long allocatedWhenWarm(Runnable body) {
        long last = 0;
        int clean = 0;
        for (int run = 0; run < 40 && clean < 3; run++) {
            last = allocated(body);
            clean = last == 0 ? clean + 1 : 0;
        }
        return clean == 3 ? 0 : Math.max(last, 1);
    }

    private static long allocated(Runnable body) {
        long thread = Thread.currentThread().threadId();
        long before = THREADS.getThreadAllocatedBytes(thread);
        body.run();
        return THREADS.getThreadAllocatedBytes(thread) - before;
    }
}
