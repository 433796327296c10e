package org.ftrma.checkpoint;

/**
 * The region that every computing rank exposes for synchronization, new in each view.
 *
 * <pre>
 *   0      barrier flags: one 8-byte counter per round, 32 rounds
 *   256    cut agreement (used at rank 0): bits 63..32 the step to cut at (0: none), bits 31..0 the last step boundary that a rank reached
 *   512    lock words, 8 bytes per window: bits 63..48 owner + 1, bits 47..32 number of shared holders, bits 31..0 SC (acquisitions)
 *   2560   unused up to 4096
 *   4096   collective buffers: two of BUFFER_BYTES
 * </pre>
 */
final class ControlDescriptor {
    static final int MAX_ROUNDS = 32;
    static final long CUT_OFFSET = 256;
    static final long LOCKS_OFFSET = 512;
    static final int MAX_WINDOWS = 256;
    static final long BUFFERS_OFFSET = 4096;
    static final int BUFFER_BYTES = 64 << 10;
    static final long BYTES = BUFFERS_OFFSET + 2L * BUFFER_BYTES;

    private ControlDescriptor() {
    }

    static long barrierOffset(int round) {
        return 8L * round;
    }

    static long lockOffset(int window) {
        return LOCKS_OFFSET + 8L * window;
    }

    static long bufferOffset(long collective) {
        return BUFFERS_OFFSET + (collective & 1) * BUFFER_BYTES;
    }

    static long lockWord(int owner, int shared, int acquisitions) {
        return (long) (owner + 1) << 48 | (long) shared << 32 | Integer.toUnsignedLong(acquisitions);
    }

    static int owner(long word) {
        return (int) (word >>> 48) - 1;
    }

    static int shared(long word) {
        return (int) (word >>> 32) & 0xffff;
    }

    static int acquisitions(long word) {
        return (int) word;
    }

    static long cutWord(long cutStep, long lastBoundary) {
        return cutStep << 32 | lastBoundary;
    }

    static long cutStep(long word) {
        return word >>> 32;
    }

    static long lastBoundary(long word) {
        return word & 0xffff_ffffL;
    }
}
