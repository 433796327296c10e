package org.ftrma.xor;

/** Has loops compiled by running them. Any thread. */
final class WarmUp {
    /** What a loop works on in one call. */
    static final long BYTES = 16 << 10;
    /**
     * For {@link #BYTES} of each source, by what was measured: above what loops take that the second compiler made (150 to 700 ns), below what those of
     * the first one take (2.6 to 7 µs). With the latter a parity of 64 MiB takes 75 ms instead of 20, and they stay where nobody calls them any more.
     */
    private static final long COMPILED_NANOS = 1500;
    private static final int CALLS_IN_A_ROW = 300;
    private static final long MOST_NANOS = 2_000_000_000L;

    private WarmUp() {
    }

    /**
     * Calls it until it has been fast for a while: how often that is depends on when the compiler comes to it. At most two seconds.
     *
     * @param sources how many of {@link #BYTES} each it reads
     */
    static void run(int sources, Runnable call) {
        long begin = System.nanoTime();
        long now = begin;
        int fast = 0;
        while (fast < CALLS_IN_A_ROW && now - begin < MOST_NANOS) {
            call.run();
            long end = System.nanoTime();
            fast = end - now < COMPILED_NANOS * sources ? fast + 1 : 0;
            now = end;
        }
    }
}
