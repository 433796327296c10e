package org.ftrma;

import java.lang.foreign.MemorySegment;

/**
 * Off-heap memory that all ranks can access (an MPI-3 window): of the same size on every rank, or, of
 * {@link Job#allocateUnequal(String, long)}, of sizes of their own.
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

    /** Bytes of the own part; on each rank, unless it is one of {@link Job#allocateUnequal(String, long)}. */
    long bytes();

    /** Bytes of a rank's part. Any thread. */
    long bytes(int rank);

    /** Whether the contents survive the death of their rank. */
    WindowKind kind();

    /**
     * The own part. Reading or writing it directly is allowed only where a gsync, lock, signal or collective separates
     * it from others' accesses; writing it, before the first step, only in initialize. Any thread.
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
     * Where puts are logged it lies in the log, so that a put or putStrided of it is logged without a copy; or, for 4
     * KiB and more, where the log is larger than the processor's caches, which can be written past, and the job's
     * option {@code staging} is not {@code log}, in a buffer that stays in the cache and is streamed to the log, which
     * costs half of writing to a log that no cache holds; a program that calls {@link Job#progress} has it streamed
     * while it computes. (What has no room in one piece of the log is copied, too.) Fill it; make one put (of this
     * window, to that target, with this very segment as the source, from its beginning, blocks without gaps) and leave
     * it alone from then on: there is nothing to wait for before the next call. It ends with the next call for the
     * same target, and at the next step boundary. Allocates the segment.
     *
     * @param length 1 up to the length of the target's part
     */
    MemorySegment stage(int target, long length);

    /** Writes one 8-byte value (native order); the value may be reused at once. {@code offset} need not be aligned. */
    void putLong(long value, int target, long offset);

    /** As {@link #putLong}, of 4 bytes. An aligned value lands whole. */
    void putInt(int value, int target, long offset);

    /** As {@link #putLong}, of the 8 bytes of a double. */
    default void putDouble(double value, int target, long offset) {
        putLong(Double.doubleToRawLongBits(value), target, offset);
    }

    /**
     * Writes {@code count} elements of an array, from index {@code from}, to {@code offset} at {@code target}, in
     * native order; {@code offset} need not be aligned. The elements are copied to a buffer of the window, so that the
     * array may be changed at once; remote completion is that of any put. For arrays of some KiB: the buffer grows to
     * the longest of them, and nothing else is allocated.
     */
    void put(double[] source, int from, int count, int target, long offset);

    /** Writes the whole array. */
    default void put(double[] source, int target, long offset) {
        put(source, 0, source == null ? 0 : source.length, target, offset);
    }

    /** As {@link #put(double[], int, int, int, long)}. */
    void put(long[] source, int from, int count, int target, long offset);

    /** Writes the whole array. */
    default void put(long[] source, int target, long offset) {
        put(source, 0, source == null ? 0 : source.length, target, offset);
    }

    /** As {@link #put(double[], int, int, int, long)}. */
    void put(int[] source, int from, int count, int target, long offset);

    /** Writes the whole array. */
    default void put(int[] source, int target, long offset) {
        put(source, 0, source == null ? 0 : source.length, target, offset);
    }

    /** Reads {@code length} bytes from {@code offset} at {@code target} into {@code destination}. */
    void get(MemorySegment destination, long destinationOffset, int target, long offset, long length);

    /** Fills {@code destination} from {@code offset} at {@code target}. */
    default void get(MemorySegment destination, int target, long offset) {
        get(destination, 0, target, offset, destination == null ? 0 : destination.byteSize());
    }

    /**
     * Memory to read {@code length} bytes from {@code offset} of a rank's part in, in place where that can be (MPI-3's
     * shared windows, OpenSHMEM's {@code shmem_ptr}). Where the part is mapped here and accesses are not logged, and of
     * the own part, it is the part itself, and nothing moves. Elsewhere, over a network or where a replacement must see
     * the same bytes again ({@code --protocol full} and its kin), it is a copy, read as by a get that is complete when
     * this returns, and which completes locally all that was issued to the rank before. So whoever needs a few bytes
     * asks for these.
     *
     * <p>What it holds counts until this rank's next gsync, barrier, collective, lock, unlock, flush, wait for a
     * signal or request, received message or step boundary;
     * as long nobody may write there, as during a get. After that it may be the older contents or newer ones; of a rank
     * that was lost, an {@link IllegalStateException}. Whoever asks for bytes of a rank that are among the last four
     * pieces asked of it gets the same segment, with the present contents; else one is allocated, which the garbage
     * collector frees.
     *
     * @return of {@code length} bytes, read-only
     */
    MemorySegment shared(int rank, long offset, long length);

    /** All of a rank's part. */
    default MemorySegment shared(int rank) {
        return shared(rank, 0, bytes(rank));
    }

    /**
     * Blocking read of one 8-byte value (native order): what was there at some moment between call and return. It is
     * complete when it returns, and completes nothing else: puts of this rank to the same bytes are seen only where a
     * flush, unlock or gsync came between. {@code offset} need not be aligned; an aligned value is read whole.
     */
    long getLong(int target, long offset);

    /** As {@link #getLong}, of 4 bytes. */
    int getInt(int target, long offset);

    /** As {@link #getLong}, of the 8 bytes of a double. */
    default double getDouble(int target, long offset) {
        return Double.longBitsToDouble(getLong(target, offset));
    }

    /**
     * Blocking read of {@code count} elements from {@code offset} at {@code target} to the array, from index
     * {@code from} on. It is complete when it returns. It completes locally, as {@link #flushLocal}, all that was
     * issued to the target before. The elements come by way of a buffer of the window, as those of
     * {@link #put(double[], int, int, int, long)}.
     */
    void get(double[] destination, int from, int count, int target, long offset);

    /** Fills the array. */
    default void get(double[] destination, int target, long offset) {
        get(destination, 0, destination == null ? 0 : destination.length, target, offset);
    }

    /** As {@link #get(double[], int, int, int, long)}. */
    void get(long[] destination, int from, int count, int target, long offset);

    /** Fills the array. */
    default void get(long[] destination, int target, long offset) {
        get(destination, 0, destination == null ? 0 : destination.length, target, offset);
    }

    /** As {@link #get(double[], int, int, int, long)}. */
    void get(int[] destination, int from, int count, int target, long offset);

    /** Fills the array. */
    default void get(int[] destination, int target, long offset) {
        get(destination, 0, destination == null ? 0 : destination.length, target, offset);
    }

    /**
     * Writes {@code count} blocks of {@code blockBytes}: block i comes from {@code sourceOffset + i * sourceStride} and
     * goes to {@code offset + i * stride}. Strides are at least {@code blockBytes}.
     */
    void putStrided(MemorySegment source, long sourceOffset, long sourceStride, int target, long offset, long stride,
        long blockBytes,
        long count);

    /** Reads {@code count} blocks; the counterpart of putStrided. */
    void getStrided(MemorySegment destination, long destinationOffset, long destinationStride, int target, long offset,
        long stride,
        long blockBytes, long count);

    /**
     * Writes {@code outerCount} groups of {@code count} blocks of {@code blockBytes}, such as a face of a block of
     * three dimensions: each group as {@link #putStrided(MemorySegment, long, long, int, long, long, long, long)} does.
     * All groups are checked before the first is written.
     */
    default void putStrided(MemorySegment source, Strides from, int target, Strides to, long blockBytes, long count,
        long outerCount) {
        Blocks.checkNested("putStrided", this, source, from, target, to, blockBytes, count, outerCount);
        for (long j = 0; j < Math.max(1, outerCount); j++) {
            putStrided(source, from.offset() + j * from.outerStride(), from.stride(), target,
                to.offset() + j * to.outerStride(), to.stride(), blockBytes, outerCount == 0 ? 0 : count);
        }
    }

    /**
     * Reads {@code outerCount} groups of blocks; the counterpart of
     * {@link #putStrided(MemorySegment, Strides, int, Strides, long, long, long)}.
     */
    default void getStrided(MemorySegment destination, Strides to, int target, Strides from, long blockBytes,
        long count, long outerCount) {
        Blocks.checkNested("getStrided", this, destination, to, target, from, blockBytes, count, outerCount);
        for (long j = 0; j < Math.max(1, outerCount); j++) {
            getStrided(destination, to.offset() + j * to.outerStride(), to.stride(), target,
                from.offset() + j * from.outerStride(), from.stride(), blockBytes, outerCount == 0 ? 0 : count);
        }
    }

    /**
     * Writes the blocks of a list (as MPI's hindexed types and GASPI's lists have them): block i has
     * {@code lengths[i]} bytes, comes from {@code sourceOffsets[i]} and goes to {@code offsets[i]}. All are checked
     * before the first is written. The lists may be changed when this returns.
     */
    default void putBlocks(MemorySegment source, long[] sourceOffsets, int target, long[] offsets, long[] lengths) {
        Blocks.checkList("putBlocks", this, source, sourceOffsets, target, offsets, lengths);
        for (int i = 0; i < lengths.length; i++) {
            put(source, sourceOffsets[i], target, offsets[i], lengths[i]);
        }
        if (lengths.length == 0) {
            put(source, 0, target, 0, 0);
        }
    }

    /** Reads the blocks of a list; the counterpart of {@link #putBlocks}. */
    default void getBlocks(MemorySegment destination, long[] destinationOffsets, int target, long[] offsets,
        long[] lengths) {
        Blocks.checkList("getBlocks", this, destination, destinationOffsets, target, offsets, lengths);
        for (int i = 0; i < lengths.length; i++) {
            get(destination, destinationOffsets[i], target, offsets[i], lengths[i]);
        }
        if (lengths.length == 0) {
            get(destination, 0, target, 0, 0);
        }
    }

    /** Combines {@code count} elements into the target, each atomically. {@code offset} is aligned to the element. */
    void accumulate(AtomicOp op, DataType type, MemorySegment source, long sourceOffset, int target, long offset,
        long count);

    /**
     * Combines one element, given by its raw bits, into the target, as
     * {@link #accumulate(AtomicOp, DataType, MemorySegment, long, int, long, long)} does. Nothing of it is read later.
     */
    void accumulate(AtomicOp op, DataType type, long operand, int target, long offset);

    /** {@link #accumulate(AtomicOp, DataType, long, int, long)} of an INT64. */
    default void accumulate(AtomicOp op, long operand, int target, long offset) {
        accumulate(op, DataType.INT64, operand, target, offset);
    }

    /** {@link #accumulate(AtomicOp, DataType, long, int, long)} of a FLOAT64. */
    default void accumulate(AtomicOp op, double operand, int target, long offset) {
        accumulate(op, DataType.FLOAT64, Double.doubleToRawLongBits(operand), target, offset);
    }

    /**
     * As {@link #accumulate(AtomicOp, DataType, MemorySegment, long, int, long, long)}, and delivers the old values
     * into {@code result}. With NO_OP the source is not read and
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

    /**
     * Blocking atomic update of one element; returns the old value. Both are raw bits: an INT8, INT16 and INT32
     * are sign-extended, a UINT32 and a FLOAT32 are zero-extended.
     */
    long fetchAndOp(AtomicOp op, DataType type, long operand, int target, long offset);

    /** {@link #fetchAndOp(AtomicOp, DataType, long, int, long)} of a FLOAT64. */
    default double fetchAndOp(AtomicOp op, double operand, int target, long offset) {
        return Double.longBitsToDouble(
            fetchAndOp(op, DataType.FLOAT64, Double.doubleToRawLongBits(operand), target, offset));
    }

    /**
     * Blocking compare-and-swap of one element by its raw bits; returns the old ones: the swap took place if they equal
     * the expected ones. So a FLOAT64 of 0.0 is not -0.0, and a NaN equals the same NaN.
     */
    long compareAndSwap(DataType type, long expected, long desired, int target, long offset);

    /** {@link #compareAndSwap(DataType, long, long, int, long)} of a FLOAT64; it compares bits. */
    default double compareAndSwap(double expected, double desired, int target, long offset) {
        return Double.longBitsToDouble(compareAndSwap(DataType.FLOAT64, Double.doubleToRawLongBits(expected),
            Double.doubleToRawLongBits(desired), target, offset));
    }

    /**
     * Completes all accesses of this rank to {@code target}, in all windows, as {@link #flush} does, which closes the
     * epoch; then changes the 8-byte cell at {@code offset} of {@code target} by an atomic update: {@code value} takes
     * its place (REPLACE), or is added to it (SUM). A rank that has seen the new value by {@link #waitUntil} or
     * {@link #test} sees all that was completed before it, by direct reads of its own memory too; and what that rank
     * does next comes after all that this rank had done and completed, at any rank, as if it had got a lock that this
     * rank gave back. The value is on its way when this returns, and arrives without another call; a later flush
     * completes it.
     *
     * <p>The cell belongs to a window like all others, and is part of its image. Only signals and atomic accesses
     * change it; its owner may write it directly once a wait has seen the signal, until the next one can come.
     *
     * @param op REPLACE or SUM
     * @param offset of the cell, a multiple of 8
     */
    void signal(AtomicOp op, long value, int target, long offset);

    /**
     * {@link #put(MemorySegment, long, int, long, long)}, and {@link #signal} to a cell of the same target: whoever
     * sees the signal sees the data. The source is free when this returns.
     */
    void putSignal(MemorySegment source, long sourceOffset, int target, long offset, long length, AtomicOp op,
        long value, long signalOffset);

    /** {@link #putSignal(MemorySegment, long, int, long, long, AtomicOp, long, long)} of a whole segment; REPLACE. */
    default void putSignal(MemorySegment source, int target, long offset, long value, long signalOffset) {
        putSignal(source, 0, target, offset, source == null ? 0 : source.byteSize(), AtomicOp.REPLACE, value,
            signalOffset);
    }

    /**
     * Waits until the comparison holds of the 8-byte cell at {@code offset} of the own part, and returns what is there
     * then. This rank sees from then on what was completed before the signal that it saw (acquire order): see
     * {@link #signal}. A value that is there already is seen at once. The wait ends at the job's deadline, with a
     * {@link DeadlineException} that names the cell, its contents and what was waited for.
     *
     * @param offset of the cell, a multiple of 8
     */
    long waitUntil(long offset, Comparison comparison, long value);

    /**
     * Whether the comparison holds now; if so, this rank has seen the signal as by {@link #waitUntil}. Waits for no
     * signal. Where accesses are logged the answer is logged too, so that a program may do what it likes with it.
     *
     * @param offset of the cell, a multiple of 8
     */
    boolean test(long offset, Comparison comparison, long value);

    /** {@link #put(MemorySegment, long, int, long, long)} with a request. */
    Request rput(MemorySegment source, long sourceOffset, int target, long offset, long length);

    /** {@link #get(MemorySegment, long, int, long, long)} with a request. */
    Request rget(MemorySegment destination, long destinationOffset, int target, long offset, long length);

    /** {@link #accumulate(AtomicOp, DataType, MemorySegment, long, int, long, long)} with a request. */
    Request raccumulate(AtomicOp op, DataType type, MemorySegment source, long sourceOffset, int target, long offset,
        long count);

    /** {@link #getAccumulate} with a request. */
    Request rgetAccumulate(AtomicOp op, DataType type, MemorySegment source, long sourceOffset, MemorySegment result,
        long resultOffset,
        int target, long offset, long count);

    /**
     * putStrided with a request for all of its blocks. Where very many are under way it may wait for some of
     * them.
     */
    Request rputStrided(MemorySegment source, long sourceOffset, long sourceStride, int target, long offset,
        long stride, long blockBytes,
        long count);

    /**
     * getStrided with a request for all of its blocks. Where very many are under way it may wait for some of
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
