package org.ftrma.rma.window;

import java.lang.foreign.MemorySegment;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;

/** Where a rank that recovers has the results of its window accesses from. Data thread. */
public interface WindowReplay extends LockReplay {
    /** A put of this rank into its own window, which is about to be done. */
    void ownPut(int window, long offset, long length);

    /**
     * A get is answered when its epoch closes ({@link #answer}).
     *
     * @return false if there are no logs: this rank is alone
     */
    boolean postpones(WindowImpl window, int target, MemorySegment destination, long destinationOffset, long offset,
        long length);

    /**
     * The epoch of a target (-1: all) closes: gets get their data from the log as far as it goes, and else are issued
     * now.
     */
    void answer(int target);

    /** Whether the read of 8 bytes has its result, in {@link #value}, from the log. */
    boolean replaysLong(int window, int target, long offset);

    /** Whether the atomic access had taken effect before, with the result in {@link #value}. */
    boolean replaysAtomic(int window, int target, AtomicOp op, DataType type, long offset, long operand);

    /** As {@link #replaysAtomic}, of a compare-and-swap. */
    boolean replaysSwap(int window, int target, DataType type, long offset, long expected, long desired);

    /** The result of the replayed access. */
    long value();
}
