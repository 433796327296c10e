package org.ftrma;

import java.lang.foreign.MemorySegment;

/**
 * Off-heap memory of the same size on every rank that all ranks can access (an MPI-3 window).
 *
 * <p>Offsets and lengths are in bytes. Accesses are non-blocking unless said otherwise: a source must not be changed,
 * nor a result be read, before a {@link #flushLocal}, {@link #flush}, {@link #unlock} or {@link Job#gsync}; remote
 * completion needs flush, unlock or gsync. Both must stay allocated as long; only an exception that leaves the program
 * may free them earlier, if no further access is made on the way out. Accesses to the own rank go through the same
 * calls. Data thread only. Accesses and locks take place inside of {@link Job#initialize}, in the loop over
 * {@link Job#steps}, or after it, until the program returns. Anywhere else, on another thread, with a wrong offset,
 * length, rank or type, with null, or with a misaligned atomic: {@link MisuseException} before any byte moves. Waits
 * end at the job's deadline with {@link DeadlineException}. {@link Job} has the whole contract, and what is checked of
 * it.
 *
 * <p>Local memory (source, destination, result) may be any segment that the data thread may use: a window's own part,
 * off-heap or, for small amounts, an array on the heap, which the network path copies and waits for. A segment whose
 * arena is closed or confined to another thread, and a read-only destination or result, are a {@link MisuseException}
 * at the call, on all paths.
 */
public interface Window {
    /** The name given at allocation. */
    String name();

    /** Bytes on each rank. */
    long bytes();

    /** Whether the contents survive the death of their rank. */
    WindowKind kind();

    /**
     * The own part. Reading or writing it directly is allowed only where a gsync, lock or collective separates it from
     * others' accesses; writing it, before the first step, only in initialize. Any thread.
     */
    MemorySegment memory();

    /** Writes {@code length} bytes of {@code source} from {@code sourceOffset} to {@code offset} at {@code target}. */
    void put(MemorySegment source, long sourceOffset, int target, long offset, long length);

    /** Writes all of {@code source} to {@code offset} at {@code target}. */
    default void put(MemorySegment source, int target, long offset) {
        put(source, 0, target, offset, source == null ? 0 : source.byteSize());
    }

    /**
     * Memory of {@code length} bytes for the source of a put to {@code target}, aligned to 8 bytes, with any contents.
     * Where puts are logged it lies in the log, so that a {@link #put} or {@link #putStrided} of it is logged without a
     * copy; or, for 4 KiB and more, where the log is larger than the processor's caches, which can be written past, and
     * the job's option {@code staging} is not {@code log}, in a buffer that stays in the cache and is streamed to the
     * log, which costs half of writing to a log that no cache holds; a program that calls {@link Job#progress} has it
     * streamed while it computes. (What has no room in one piece of the log is copied, too.) Fill it; make one put (of
     * this window, to that target, with this very segment as the source, from its beginning, blocks without gaps) and
     * leave it alone from then on: there is nothing to wait for before the next call. It ends with the next call for
     * the same target, and at the next step boundary. Allocates the segment.
     *
     * @param length 1 up to the length of the window
     */
    MemorySegment stage(int target, long length);

    /** Writes one 8-byte value (native order); the value may be reused at once. {@code offset} need not be aligned. */
    void putLong(long value, int target, long offset);

    /** Reads {@code length} bytes from {@code offset} at {@code target} into {@code destination}. */
    void get(MemorySegment destination, long destinationOffset, int target, long offset, long length);

    /** Fills {@code destination} from {@code offset} at {@code target}. */
    default void get(MemorySegment destination, int target, long offset) {
        get(destination, 0, target, offset, destination == null ? 0 : destination.byteSize());
    }

    /** Blocking read of one 8-byte value (native order). */
    long getLong(int target, long offset);

    /**
     * Writes {@code count} blocks of {@code blockBytes}: block i comes from {@code sourceOffset + i * sourceStride} and
     * goes to {@code offset + i * stride}. Strides are at least {@code blockBytes}.
     */
    void putStrided(MemorySegment source, long sourceOffset, long sourceStride, int target, long offset, long stride,
        long blockBytes,
        long count);

    /** Reads {@code count} blocks; the counterpart of {@link #putStrided}. */
    void getStrided(MemorySegment destination, long destinationOffset, long destinationStride, int target, long offset,
        long stride,
        long blockBytes, long count);

    /** Combines {@code count} elements into the target, each atomically. {@code offset} is aligned to the element. */
    void accumulate(AtomicOp op, DataType type, MemorySegment source, long sourceOffset, int target, long offset,
        long count);

    /**
     * As {@link #accumulate}, and delivers the old values into {@code result}. With NO_OP the source is not read and
     * may be null.
     */
    void getAccumulate(AtomicOp op, DataType type, MemorySegment source, long sourceOffset, MemorySegment result,
        long resultOffset,
        int target, long offset, long count);

    /**
     * Combines {@code count} blocks of {@code blockElements} elements; strides in bytes, at least the block, multiples
     * of the element size.
     */
    void accumulateStrided(AtomicOp op, DataType type, MemorySegment source, long sourceOffset, long sourceStride,
        int target, long offset,
        long stride, long blockElements, long count);

    /**
     * As {@link #accumulateStrided}, and delivers the old values of block i into {@code result} from
     * {@code resultOffset + i * resultStride}. With NO_OP the source is not read and may be null; its stride does not
     * matter.
     */
    void getAccumulateStrided(AtomicOp op, DataType type, MemorySegment source, long sourceOffset, long sourceStride,
        MemorySegment result,
        long resultOffset, long resultStride, int target, long offset, long stride, long blockElements, long count);

    /** Blocking atomic update of one INT32 or INT64 element; returns the old value (INT32 sign-extended). */
    long fetchAndOp(AtomicOp op, DataType type, long operand, int target, long offset);

    /**
     * Blocking compare-and-swap of one INT32 or INT64 element; returns the old value: the swap took place if it equals
     * expected.
     */
    long compareAndSwap(DataType type, long expected, long desired, int target, long offset);

    /** {@link #put} with a request. */
    Request rput(MemorySegment source, long sourceOffset, int target, long offset, long length);

    /** {@link #get} with a request. */
    Request rget(MemorySegment destination, long destinationOffset, int target, long offset, long length);

    /** {@link #accumulate} with a request. */
    Request raccumulate(AtomicOp op, DataType type, MemorySegment source, long sourceOffset, int target, long offset,
        long count);

    /** {@link #getAccumulate} with a request. */
    Request rgetAccumulate(AtomicOp op, DataType type, MemorySegment source, long sourceOffset, MemorySegment result,
        long resultOffset,
        int target, long offset, long count);

    /**
     * {@link #putStrided} with a request for all of its blocks. Where very many are under way it may wait for some of
     * them.
     */
    Request rputStrided(MemorySegment source, long sourceOffset, long sourceStride, int target, long offset,
        long stride, long blockBytes,
        long count);

    /**
     * {@link #getStrided} with a request for all of its blocks. Where very many are under way it may wait for some of
     * them.
     */
    Request rgetStrided(MemorySegment destination, long destinationOffset, long destinationStride, int target,
        long offset, long stride,
        long blockBytes, long count);

    /** {@link #accumulateStrided} with a request. */
    Request raccumulateStrided(AtomicOp op, DataType type, MemorySegment source, long sourceOffset, long sourceStride,
        int target, long offset,
        long stride, long blockElements, long count);

    /** {@link #getAccumulateStrided} with a request. */
    Request rgetAccumulateStrided(AtomicOp op, DataType type, MemorySegment source, long sourceOffset,
        long sourceStride, MemorySegment result,
        long resultOffset, long resultStride, int target, long offset, long stride, long blockElements, long count);

    /** Completes all accesses to {@code target}, there and here; closes the epoch towards it. */
    void flush(int target);

    /** {@link #flush} of all targets. */
    void flushAll();

    /** Completes all accesses to {@code target} locally: sources may be reused, results are there. */
    void flushLocal(int target);

    /** {@link #flushLocal} of all targets. */
    void flushLocalAll();

    /**
     * A hint that the 8 bytes at {@code offset} of {@code target} will be accessed soon. Where that memory is mapped it
     * comes near meanwhile, so that hints for several places and then the accesses take less time than the accesses
     * alone; elsewhere nothing happens. It is no access: nothing is ordered, completed or logged by it.
     */
    default void prefetch(int target, long offset) {
        // a hint
    }

    /**
     * Locks the window at {@code target}. What a rank did, and completed, before it gave a lock back comes before what
     * the next holder does, in all windows and at all ranks; two holders of a shared lock have no order. A rank holds
     * at most one lock of a window per target, and no exclusive one when its program returns; one that is held at the
     * end of a step puts checkpoints off.
     */
    void lock(LockType type, int target);

    /** Completes all accesses to {@code target} and releases its lock. */
    void unlock(int target);

    /** A shared lock at every rank. It may be held over many steps and does not keep checkpoints from being taken. */
    void lockAll();

    /** Completes all accesses and releases the locks of {@link #lockAll}. */
    void unlockAll();
}
