package org.ftrma.rma.window;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.ftrma.core.image.CheckpointedState;

/**
 * Part of an image for one window's locks ({@link WindowLocks}). A rank that is not in it: nothing is held there, and
 * its lock was never taken by this rank (acquisition 0).
 *
 * <pre>
 *   0 the own lock word   8 count of ranks that follow
 *   then for each of these, by rank:  0 rank   4 how its lock is held   8 last acquisition there
 * </pre>
 */
final class HeldLocks {
    private static final int HEAD = 16;
    private static final int ENTRY = 16;
    private static final int MOST_HELD = 3;

    private HeldLocks() {
    }

    /** The most bytes that {@link #save} takes. */
    static int bytes(int ranks) {
        return HEAD + ENTRY * ranks;
    }

    /** Writes all but the lock word. Returns the bytes that it takes with it. */
    static long save(byte[] held, long[] acquisitions, MemorySegment image, long offset) {
        long at = offset + HEAD;
        for (int rank = 0; rank < held.length; rank++) {
            if (held[rank] != 0 || acquisitions[rank] != 0) {
                image.set(ValueLayout.JAVA_INT, at, rank);
                image.set(ValueLayout.JAVA_INT, at + 4, held[rank]);
                image.set(ValueLayout.JAVA_LONG, at + 8, acquisitions[rank]);
                at += ENTRY;
            }
        }
        image.set(ValueLayout.JAVA_LONG, offset + 8, (at - offset - HEAD) / ENTRY);
        return at - offset;
    }

    /** Reads all but the lock word. */
    static void restore(byte[] held, long[] acquisitions, MemorySegment image, long offset, long length) {
        CheckpointedState.require(length >= HEAD, "the locks of a window have " + length + " bytes");
        long count = image.get(ValueLayout.JAVA_LONG, offset + 8);
        CheckpointedState.require(count >= 0 && count <= held.length && length == HEAD + ENTRY * count,
            "locks at " + count + " of " + held.length + " ranks in " + length + " bytes");
        Arrays.fill(held, (byte) 0);
        Arrays.fill(acquisitions, 0);
        int last = -1;
        for (long at = offset + HEAD; at < offset + length; at += ENTRY) {
            int rank = image.get(ValueLayout.JAVA_INT, at);
            int how = image.get(ValueLayout.JAVA_INT, at + 4);
            CheckpointedState.require(rank > last && rank < held.length && how >= 0 && how <= MOST_HELD,
                "a lock at rank " + rank + " after rank " + last
                + " of " + held.length + ", held as " + how);
            held[rank] = (byte) how;
            acquisitions[rank] = image.get(ValueLayout.JAVA_LONG, at + 8);
            last = rank;
        }
    }
}
