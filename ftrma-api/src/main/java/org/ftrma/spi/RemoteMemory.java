package org.ftrma.spi;

import java.lang.foreign.MemorySegment;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;

/**
 * A peer's region as seen from here (the peer may be this member itself). Offsets and lengths in bytes, checked by the
 * caller against {@link #bytes}; implementations still never touch memory outside the region. Data thread only;
 * allocates nothing.
 *
 * <p>Puts, gets and non-fetching atomics are non-blocking and unordered until a {@link Fabric#flush}: the source must
 * stay unchanged until {@link Fabric#flushLocal}. Where very many are under way a further one may wait for room, as
 * {@link Wait} says. Every access may throw {@link org.ftrma.PeerLostException}.
 */
public interface RemoteMemory {
    /** Size of the region. */
    long bytes();

    /** The peer's memory itself where it is mapped here, else null. */
    MemorySegment mapped();

    /** Starts a write. */
    void put(MemorySegment source, long sourceOffset, long offset, long length);

    /**
     * Starts a write of {@code count} blocks, at least 1, of {@code blockBytes} each, which are apart by the strides.
     */
    default void putBlocks(MemorySegment source, long sourceOffset, long sourceStride, long offset, long stride,
        long blockBytes, long count) {
        for (long i = 0; i < count; i++) {
            put(source, sourceOffset + i * sourceStride, offset + i * stride, blockBytes);
        }
    }

    /**
     * From how many bytes on {@link #stream} goes past the caches; {@link Long#MAX_VALUE}: never. Where it does, it is
     * faster to fill a small buffer that stays in the cache, and to stream that, than to fill the memory in place.
     */
    default long leastStreamed() {
        return Long.MAX_VALUE;
    }

    /**
     * As {@link #put}, of what nobody reads soon, to where nobody wrote lately: memory that is mapped here is written
     * past the caches if it can be.
     */
    default void stream(MemorySegment source, long sourceOffset, long offset, long length) {
        put(source, sourceOffset, offset, length);
    }

    /**
     * As {@link #stream}, of a piece: the processor need not wait until it is written, so that it does what follows
     * meanwhile. Others see it only after a full fence of this thread.
     */
    default void streamPart(MemorySegment source, long sourceOffset, long offset, long length) {
        stream(source, sourceOffset, offset, length);
    }

    /** Starts a write of one value in native order, which may be of any alignment; aligned ones land whole. */
    void putLong(long offset, long value);

    /**
     * As {@link #putLong}, of a value that its reader waits for: {@link Fabric#completeAll} does not wait for it to
     * arrive.
     */
    default void signal(long offset, long value) {
        putLong(offset, value);
    }

    /** As {@link #putLong}, of 4 bytes. */
    void putInt(long offset, int value);

    /** Starts a read. */
    void get(MemorySegment destination, long destinationOffset, long offset, long length);

    /**
     * The 8 bytes there will be accessed soon: memory that is mapped here may be brought near. Never waits, fails, or
     * changes anything.
     */
    default void prefetch(long offset) {
        // a hint
    }

    /**
     * All of these bytes will be accessed soon, for the first time perhaps: memory that is mapped here may be made
     * ready for that at once, which costs less than page by page. Never fails, or changes the contents; unlike accesses
     * it may allocate.
     */
    default void prefault(long offset, long length) {
        // a hint
    }

    /** Reads one value in native order and waits for it; aligned ones are read whole. */
    long getLong(long offset);

    /** As {@link #getLong}, of 4 bytes. */
    int getInt(long offset);

    /** As {@link #put}; returns 0 if the source may be reused already, else a handle for {@link Fabric#test}. */
    long requestPut(MemorySegment source, long sourceOffset, long offset, long length);

    /** As {@link #get}; returns 0 if the data has arrived already, else a handle for {@link Fabric#test}. */
    long requestGet(MemorySegment destination, long destinationOffset, long offset, long length);

    /**
     * Atomically replaces the element by {@code op.apply(type, old, operand)} and waits for the old value. All types
     * and operations.
     *
     * @return raw bits of the old value, {@linkplain DataType#normalized as they travel}
     */
    long fetchOp(AtomicOp op, DataType type, long offset, long operand);

    /** As {@link #fetchOp} without a result; may be non-blocking. */
    void op(AtomicOp op, DataType type, long offset, long operand);

    /** Atomic compare-and-swap of an element by its raw bits; waits for the old value, as {@link #fetchOp}. */
    long compareAndSwap(DataType type, long offset, long expected, long desired);
}
