package org.ftrma.check.race;

import java.util.function.LongConsumer;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.Job;
import org.ftrma.Window;
import org.ftrma.WindowKind;
import org.ftrma.check.layer.Meeting;
import org.ftrma.spi.Clock;

/**
 * Numbers the synchronizing accesses at each target, one at a time, so that their order is known. Data thread only.
 *
 * <pre>
 *   at each target:  0 the next ticket to draw   8 the ticket whose turn it is
 *                   16 + 8 w: acquisitions of the lock of window w; after them the word of the meeting
 * </pre>
 */
final class Tickets {
    private static final long NEXT = 0;
    private static final long NOW = 8;
    private static final long LOCKS = 16;
    private static final int MAX_WINDOWS = 256;
    private static final long MEETING = LOCKS + 8L * MAX_WINDOWS;

    private final Window window;

    Tickets(Job job) {
        window = job.allocateWindow("check-races turns", MEETING + Meeting.BYTES, WindowKind.SCRATCH);
    }

    /** Where ranks meet at ends of steps. */
    Meeting meeting(Job job, Clock clock, long deadlineNanos) {
        return new Meeting(job, window, MEETING, clock, deadlineNanos);
    }

    /**
     * Runs the access when its turn has come, with the ticket. It must be complete, and have had its effect, when it
     * returns.
     */
    void inTurn(int target, LongConsumer access) {
        long ticket = window.fetchAndOp(AtomicOp.SUM, DataType.INT64, 1, target, NEXT);
        while (window.fetchAndOp(AtomicOp.NO_OP, DataType.INT64, 0, target, NOW) != ticket) {
            Thread.yield();
        }
        try {
            access.accept(ticket);
        } finally {
            window.fetchAndOp(AtomicOp.SUM, DataType.INT64, 1, target, NOW);
        }
    }

    /** The number of the acquisition of a window's lock that was just made: SC. */
    long acquisition(int index, int target) {
        return window.fetchAndOp(AtomicOp.SUM, DataType.INT64, 1, target, LOCKS + 8L * index) + 1;
    }
}
