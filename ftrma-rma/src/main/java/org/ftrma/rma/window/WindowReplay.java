package org.ftrma.rma.window;

import java.lang.foreign.MemorySegment;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.rma.log.SeenSignals;

/** Source of the results of window accesses for a rank that recovers. Data thread. */
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

    /** Whether the blocking read of 8 bytes (INT64) or 4 (INT32) has its result, in {@link #value}, from the log. */
    boolean replaysRead(int window, int target, DataType type, long offset);

    /** Whether the atomic access had taken effect before, with the result in {@link #value}. */
    boolean replaysAtomic(int window, int target, AtomicOp op, DataType type, long offset, long operand);

    /** As {@link #replaysAtomic}, of a compare-and-swap. */
    boolean replaysSwap(int window, int target, DataType type, long offset, long expected, long desired);

    /** Whether the next result of this rank in its own memory is that of a wait which saw a signal. */
    boolean isWaitNext();

    /**
     * Whether the wait for a signal in the own memory has its result, in {@link #value} and {@link #seen}, from the
     * log: what came before the signals that it saw is there then.
     */
    boolean replaysWait(int window, long offset);

    /** The signals that the replayed wait saw. */
    SeenSignals seen();

    /** The result of the replayed access. */
    long value();
}
