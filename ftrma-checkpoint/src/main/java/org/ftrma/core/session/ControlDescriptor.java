package org.ftrma.core.session;

import org.ftrma.core.control.ControlMessage;

/**
 * The region that every computing rank exposes for synchronization, new in each view.
 *
 * <pre>
 *   0      barrier flags, written by others: the last barrier signalled, [number &amp; 1][round], 2 x 32 rounds of 8
 *          bytes: bits 39..0 its number,
 *          bits 63..40 a fingerprint of the collective that it belongs to ({@code CollectiveCall}; 0: not known)
 *   512    barrier signals that this rank has sent, in the same form: a replacement that missed them reads them here
 *   1024   cut agreement (used at rank 0): bits 63..32 the step to cut at (0: none), bits 31..0 the last step boundary
 *          that a rank reached
 *   1032   the same, as far as this rank has seen and reached itself: from these the word at rank 0 is made anew
 *   1040   1: this process came in place of a lost one, and has not told the word at rank 0 since then what it reached
 *   1048   at rank 0: ranks whose boundary the word does not know, + 1, MAX_AWAY places of 4 bytes; 0: none
 *   1088   the collectives that this rank entered last, [number &amp; 1]: number, kind and arguments, bytes; 2 x 24
 *          bytes
 *   1280   lock words, 8 bytes per window: bits 63..48 owner + 1, bits 47..32 number of shared holders, bits 31..0 SC
 *          (acquisitions)
 *   3328   whom the next places are for, 8 bytes each: a rank that was lost, + 1; 0: nobody yet
 *   4096   MAX_AWAY places of 2048 bytes: locks that this rank holds at a rank that was lost, 8 bytes per window: bits
 *          63..32 1 shared, 2 exclusive, bits 31..0 last SC there
 *   20480  who waits over a network for the lock of each window here, 8 bytes per window: rank + 1, or 0
 *   22528  collective buffers: two of BUFFER_BYTES
 * </pre>
 */
public final class ControlDescriptor {
    static final int MAX_ROUNDS = 32;
    static final long SENT_OFFSET = 512;
    public static final long CUT_OFFSET = 1024;
    public static final long CUT_SEEN_OFFSET = 1032;
    public static final long CUT_BEHIND_OFFSET = 1040;
    public static final long CUT_UNKNOWN_OFFSET = 1048;
    static final long CALLED_OFFSET = 1088;
    static final int CALLED_BYTES = 24;
    static final long LOCKS_OFFSET = 1280;
    public static final int MAX_WINDOWS = 256;
    public static final int MAX_AWAY = ControlMessage.Lost.MOST_AT_A_TIME;
    static final long TELLS_OFFSET = LOCKS_OFFSET + 8L * MAX_WINDOWS;
    static final long HELD_OFFSET = 4096;
    static final long WAITING_OFFSET = HELD_OFFSET + MAX_AWAY * 8L * MAX_WINDOWS;
    static final long BUFFERS_OFFSET = WAITING_OFFSET + 8L * MAX_WINDOWS;
    public static final int BUFFER_BYTES = 64 << 10;
    public static final long BYTES = BUFFERS_OFFSET + 2L * BUFFER_BYTES;

    private static final int NUMBER_BITS = 40;
    private static final long NUMBER = (1L << NUMBER_BITS) - 1;

    private ControlDescriptor() {
    }

    public static long barrierOffset(long number, int round) {
        return (number & 1) * 8L * MAX_ROUNDS + 8L * round;
    }

    public static long sentOffset(long number, int round) {
        return SENT_OFFSET + barrierOffset(number, round);
    }

    public static long calledOffset(long number) {
        return CALLED_OFFSET + (number & 1) * CALLED_BYTES;
    }

    /** The signal of a barrier. */
    public static long signal(long number, long fingerprint) {
        return fingerprint << NUMBER_BITS | number;
    }

    public static long number(long signal) {
        return signal & NUMBER;
    }

    public static long fingerprint(long signal) {
        return signal >>> NUMBER_BITS;
    }

    public static long lockOffset(int window) {
        return LOCKS_OFFSET + 8L * window;
    }

    static long tellsOffset(int place) {
        return TELLS_OFFSET + 8L * place;
    }

    static long heldOffset(int place, int window) {
        return HELD_OFFSET + 8L * MAX_WINDOWS * place + 8L * window;
    }

    /** Who has the lock's word mapped leaves it to that one for a while. */
    public static long waitingOffset(int window) {
        return WAITING_OFFSET + 8L * window;
    }

    public static long bufferOffset(long collective) {
        return BUFFERS_OFFSET + (collective & 1) * BUFFER_BYTES;
    }

    public static long lockWord(int owner, int shared, int acquisitions) {
        return (long) (owner + 1) << 48 | (long) shared << 32 | Integer.toUnsignedLong(acquisitions);
    }

    public static int owner(long word) {
        return (int) (word >>> 48) - 1;
    }

    public static int shared(long word) {
        return (int) (word >>> 32) & 0xffff;
    }

    public static int acquisitions(long word) {
        return (int) word;
    }

    public static long cutWord(long cutStep, long lastBoundary) {
        return cutStep << 32 | lastBoundary;
    }

    public static long cutStep(long word) {
        return word >>> 32;
    }

    public static long lastBoundary(long word) {
        return word & 0xffff_ffffL;
    }
}
