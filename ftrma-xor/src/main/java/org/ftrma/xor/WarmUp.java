package org.ftrma.xor;

/** Has loops compiled by running them. Any thread. */
final class WarmUp {
    /** What a loop works on in one call. */
    static final long BYTES = 16 << 10;
    /** Above what compiled loops take for {@link #BYTES}, below what the interpreter takes. */
    private static final long COMPILED_NANOS = 50_000;
    private static final int CALLS_IN_A_ROW = 300;
    private static final long MOST_NANOS = 2_000_000_000L;

    private WarmUp() {
    }

    /** Calls it until it has been fast for a while: how often that is depends on when the compiler comes to it. At most two seconds. */
    static void run(Runnable call) {
        long begin = System.nanoTime();
        long now = begin;
        int fast = 0;
        while (fast < CALLS_IN_A_ROW && now - begin < MOST_NANOS) {
            call.run();
            long end = System.nanoTime();
            fast = end - now < COMPILED_NANOS ? fast + 1 : 0;
            now = end;
        }
    }
}
