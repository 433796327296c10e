package org.ftrma.rma.window;

import java.lang.foreign.MemorySegment;
import org.ftrma.AtomicOp;
import org.ftrma.Comparison;
import org.ftrma.DataType;
import org.ftrma.Request;
import org.ftrma.spi.Blocks;
import org.ftrma.spi.RemoteMemory;

/**
 * Accesses of one window: direct, logged, or replayed. The window has checked the arguments before, and has opened the
 * target's memory; what comes here has at least one byte. It is chosen when the mode changes, so that no access asks
 * for it. Data thread only; hot path.
 */
interface WindowAccess {
    /** See {@link org.ftrma.Window#put}. */
    void put(RemoteMemory remote, MemorySegment source, long sourceOffset, int target, long offset, long length);

    /** See {@link org.ftrma.Window#putLong}. */
    void putLong(RemoteMemory remote, long value, int target, long offset);

    /** See {@link org.ftrma.Window#putInt}. */
    void putInt(RemoteMemory remote, int value, int target, long offset);

    /** See {@link org.ftrma.Window#putStrided}. */
    void putBlocks(RemoteMemory remote, MemorySegment source, int target, Blocks blocks);

    /** See {@link org.ftrma.Window#rput}. */
    Request requestPut(RemoteMemory remote, MemorySegment source, long sourceOffset, int target, long offset,
        long length);

    /** See {@link org.ftrma.Window#rputStrided}. */
    Request requestPutBlocks(RemoteMemory remote, MemorySegment source, int target, Blocks blocks);

    /** Memory for the source of a put that will follow. */
    MemorySegment stage(int target, long length);

    /** A part that may be read where it is, by loads that nobody sees; null: it must be got. */
    default MemorySegment inPlace(RemoteMemory remote, int target) {
        return null;
    }

    /** See {@link org.ftrma.Window#get}. */
    void get(RemoteMemory remote, MemorySegment destination, long destinationOffset, int target, long offset,
        long length);

    /** See {@link org.ftrma.Window#rget}. */
    Request requestGet(RemoteMemory remote, MemorySegment destination, long destinationOffset, int target, long offset,
        long length);

    /** See {@link org.ftrma.Window#rgetStrided}. */
    Request requestGetBlocks(RemoteMemory remote, MemorySegment destination, int target, Blocks blocks);

    /** See {@link org.ftrma.Window#getLong}. */
    long getLong(RemoteMemory remote, int target, long offset);

    /** See {@link org.ftrma.Window#getInt}. */
    int getInt(RemoteMemory remote, int target, long offset);

    /** One element of an accumulate, whose old value nobody wants. */
    void update(RemoteMemory remote, AtomicOp op, DataType type, long operand, int target, long offset);

    /** One element that is updated atomically; returns its value before. */
    long fetch(AtomicOp op, DataType type, long operand, int target, long offset);

    /** See {@link org.ftrma.Window#compareAndSwap}. */
    long compareAndSwap(DataType type, long expected, long desired, int target, long offset);

    /** Changes a cell of a target when all accesses to that are complete. See {@link org.ftrma.Window#signal}. */
    void signal(AtomicOp op, long value, int target, long offset);

    /** See {@link org.ftrma.Window#waitUntil}. */
    long waitUntil(long offset, Comparison comparison, long value);

    /** See {@link org.ftrma.Window#test}. */
    boolean test(long offset, Comparison comparison, long value);

    /** The accesses to a target, -1: to all, are about to be completed, other than by a flush. */
    void completing(int target);

    /** See {@link org.ftrma.Window#flush}. */
    void flush(int target);

    /** See {@link org.ftrma.Window#flushAll}. */
    void flushAll();

    /** The results of all gets from a target have arrived. */
    void arrived(int target);

    /** The accesses to a target, -1: to all, are complete, and its lock is about to be released. */
    void unlocking(int target);
}
