package org.ftrma.check.layer;

import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.Job;
import org.ftrma.Window;
import org.ftrma.spi.Clock;

/**
 * Meetings of all ranks at ends of steps. A correct program need not go in lock step: a rank may hold a lock over the
 * end of a step, or wait in one for a signal of a later one. So a rank waits there for a short time only, and then
 * calls the meeting off for all; the next one is after twice as many steps. Each meeting has the same outcome at all
 * ranks. Data thread only.
 *
 * <pre>
 *   at rank 0: step &lt;&lt; 16 | ranks that have come, or 0xffff: it was called off
 * </pre>
 */
public final class Meeting {
    /** Bytes of a window that it needs. */
    public static final long BYTES = Long.BYTES;
    private static final int SHIFT = 16;
    private static final long CALLED_OFF = (1L << SHIFT) - 1;
    private static final long LONGEST_NANOS = 1_000_000_000;
    private static final long MOST_STEPS = 1 << 20;

    private final Window window;
    private final long offset;
    private final int ranks;
    private final Clock clock;
    private final long deadlineNanos;
    private long stepsApart = 1;

    /**
     * No meeting was yet.
     *
     * @param window where {@link #BYTES} at the offset are its own, zero at first
     * @param deadlineNanos how long others wait for a rank at most: less is waited here
     */
    public Meeting(Job job, Window window, long offset, Clock clock, long deadlineNanos) {
        this.window = window;
        this.offset = offset;
        this.ranks = job.ranks();
        this.clock = clock;
        this.deadlineNanos = deadlineNanos;
    }

    /**
     * Whether all ranks have met at the end of a step; each calls it at the end of each.
     *
     * @param isLast whether it is the last chance to meet
     */
    public boolean meets(long step, boolean isLast) {
        if (step % stepsApart != 0 && !isLast) {
            return false;
        }
        boolean met = isAwaited(step)
            && await(step, isLast ? deadlineNanos / 2 : Math.min(deadlineNanos / 8, LONGEST_NANOS));
        stepsApart = met ? Math.max(1, stepsApart >> 1) : Math.min(stepsApart << 1, MOST_STEPS);
        return met;
    }

    private long word() {
        return window.fetchAndOp(AtomicOp.NO_OP, DataType.INT64, 0, 0, offset);
    }

    private boolean changes(long from, long to) {
        return window.compareAndSwap(DataType.INT64, from, to, 0, offset) == from;
    }

    /** This rank comes, unless the meeting was called off: then others may be at a later one. */
    private boolean isAwaited(long step) {
        while (true) {
            long word = word();
            if (word >>> SHIFT > step || word == (step << SHIFT | CALLED_OFF)) {
                return false;
            }
            if (changes(word, word >>> SHIFT == step ? word + 1 : step << SHIFT | 1)) {
                return true;
            }
        }
    }

    private boolean await(long step, long nanos) {
        long end = clock.nanoTime() + nanos;
        for (int turn = 0;; turn++) {
            long word = word();
            if (word >>> SHIFT != step || word == (step << SHIFT | CALLED_OFF)) {
                return false;
            }
            if ((word & CALLED_OFF) == ranks) {
                return true;
            }
            if (clock.nanoTime() - end > 0 && changes(word, step << SHIFT | CALLED_OFF)) {
                return false;
            }
            clock.relax(Math.min(turn, Clock.IDLE - 1));
        }
    }
}
