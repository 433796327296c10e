package org.ftrma.xor;

/** Has loops compiled by running them. Any thread. */
final class WarmUp {
    /** What a loop works on in one call. */
    static final long BYTES = 16 << 10;
    private static final int CALLS_IN_A_ROW = 300;
    private static final long MOST_NANOS = 2_000_000_000L;
    private static final boolean TWO_COMPILERS = hasSecondCompiler(System.getProperty("java.vm.info", ""));

    private WarmUp() {
    }

    /**
     * Whether waiting for its code is no waste: with -XX:TieredStopAtLevel=1 HotSpot calls itself an emulated client.
     */
    static boolean hasSecondCompiler(String virtualMachine) {
        return !virtualMachine.contains("emulated-client") && !virtualMachine.contains("interpreted mode");
    }

    /**
     * Calls it until it has been fast for a while: how often that is depends on when the compiler comes to it. At most
     * two seconds. What the first compiler makes is not enough: where it is slow the second one is busy, and has the
     * rest only if the calls go on. A virtual machine that was told not to have a second one is given some calls only.
     *
     * @param compiledNanos above what a call takes in the second compiler's code, below what it takes in the first
     *     one's
     */
    static void run(long compiledNanos, Runnable call) {
        long begin = System.nanoTime();
        long now = begin;
        int fast = 0;
        while (fast < CALLS_IN_A_ROW && now - begin < MOST_NANOS) {
            call.run();
            long end = System.nanoTime();
            fast = end - now < compiledNanos || !TWO_COMPILERS ? fast + 1 : 0;
            now = end;
        }
    }
}
