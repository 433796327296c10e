package org.ftrma.rma.log;

import java.lang.foreign.MemorySegment;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.spi.Blocks;

/**
 * Sees every access and synchronization of the program on the data thread (the layer that MPI calls PMPI); access
 * logging stands on it. Hot path: allocates nothing. A window is given by its number, in the order of allocation.
 */
public interface Interceptor extends LockObserver {
    /**
     * Before a put is issued; returns whether it must be: a recovering rank does not send again what had taken effect.
     */
    boolean put(int window, int target, MemorySegment source, long sourceOffset, long offset, long length);

    /** Before the put of one 8-byte value; as {@link #put}. */
    boolean putLong(int window, int target, long value, long offset);

    /** Before the put of one 4-byte value; as {@link #put}. */
    boolean putInt(int window, int target, int value, long offset);

    /**
     * Before the puts of blocks, at least one of at least one byte, to one target; as {@link #put}, for all of them.
     */
    boolean putStrided(int window, int target, MemorySegment source, Blocks blocks);

    /**
     * Memory for the source of a put that will follow, so that it need not be copied to be logged: good for one
     * {@link #put} or {@link #putStrided} to the window and target with this very segment as its source, from its
     * beginning, without gaps. A new call for the same two ends it.
     *
     * @return null if there is none, and the program uses other memory
     */
    MemorySegment stage(int window, int target, long length);

    /** After the blocking read of one 8-byte value. */
    void gotLong(int window, int target, long value, long offset);

    /** As {@link #gotLong}, of 4 bytes. */
    void gotInt(int window, int target, int value, long offset);

    /** Before a get is issued; its data may be read after the epoch closed. */
    void get(int window, int target, MemorySegment destination, long destinationOffset, long offset, long length);

    /**
     * Whether atomic updates are made like this: {@link #beginUpdate}; of another rank's memory {@link #updating}, the
     * update, {@link #atomic} or {@link #compareAndSwap}; of the own memory, which others see at once, {@link #atomic}
     * or {@link #compareAndSwap}, the update, {@link #ended}.
     */
    boolean notesUpdates();

    /**
     * Before an atomic access that may change memory. Nobody else updates the place until it is over.
     *
     * @return false if somebody does now, or is to have its turn, or the target copies its memory: this is to be called
     *     again later
     */
    boolean beginUpdate(int window, int target, long offset);

    /**
     * The element, at another rank, is about to be changed from one value to another. May be called again where that
     * failed.
     */
    void updating(int window, int target, DataType type, long offset, long old, long updated);

    /** An atomic access of one element found this value. That is over, but of the own memory. */
    void atomic(int window, int target, AtomicOp op, DataType type, long offset, long operand, long old);

    /** As {@link #atomic}, of a compare-and-swap. */
    void compareAndSwap(int window, int target, long offset, DataType type, long expected, long desired, long old);

    /** An atomic update of the own memory is done. */
    void ended();

    /**
     * An atomic access was not issued, since it had taken effect before this rank was lost, with this result, and that
     * is logged.
     */
    void replayed(int window, int target, AtomicOp op, DataType type, long offset, long operand, long old);

    /** As {@link #replayed}, of a compare-and-swap. */
    void replayedSwap(int window, int target, long offset, DataType type, long expected, long desired, long old);

    /** What sees the signals of this rank, always the same. */
    SignalObserver signals();

    /** After a flush completed; target -1 means all. */
    void flushed(int window, int target);

    /** After the results of all gets from the target have arrived, the epoch going on. */
    void arrived(int target);

    /**
     * After the accesses were completed, before the lock is released; target -1 means all. {@link #leaving} follows.
     */
    void unlocking(int window, int target);

    /** After a gsync or another collective of that number (GNC). */
    void collective(long number, boolean gsync);
}
