package org.ftrma.ucx;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.MisuseException;
import org.ftrma.spi.Elements;
import org.ftrma.spi.RemoteMemory;
import org.ftrma.ucp.Libc;
import org.ftrma.ucp.SpacedBlocks;
import org.ftrma.ucp.StreamingCopy;

/**
 * A peer's region that is mapped here: accesses are copies and CPU atomics, complete when they return (a flush adds the
 * fence). Data thread only; allocates nothing. The segment ends with the connection, so that an access after
 * {@code renew} is an exception and not a crash.
 */
final class MappedMemory implements RemoteMemory {
    private static final ValueLayout.OfLong UNALIGNED_LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
    private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();

    /** Shorter blocks are put in the ordinary way. */
    private static final long LEAST_BLOCK = 512;
    /** Less than that is streamed in the ordinary way. */
    private static final long LEAST_STREAMED = 4096;
    /** Binary logarithm of the bytes of a page. */
    private static final int PAGE_SHIFT = 12;

    private final int peer;
    private final MemorySegment segment;
    private final SpacedBlocks streamed = new SpacedBlocks();
    private boolean disconnected;
    private boolean revoked;
    /** A bit for each page that is here; null: for none. */
    private PageMarks ready;
    /** Of what was only read to have it near: so that the compiler does not leave it out. */
    private long near;

    MappedMemory(int peer, MemorySegment segment) {
        this.peer = peer;
        this.segment = segment;
    }

    /** From here on every access is an exception. */
    void disconnect() {
        disconnected = true;
    }

    /** From here on the peer is lost for every access. */
    void revoke() {
        revoked = true;
        disconnected = true;
    }

    private MemorySegment memory() {
        if (disconnected) {
            if (revoked) {
                throw NetworkPeer.revocation(peer);
            }
            throw new MisuseException("peer=" + peer + ": this connection was closed or renewed");
        }
        return segment;
    }

    @Override
    public long bytes() {
        return segment.byteSize();
    }

    @Override
    public MemorySegment mapped() {
        return memory();
    }

    @Override
    public void put(MemorySegment source, long sourceOffset, long offset, long length) {
        MemorySegment.copy(source, sourceOffset, memory(), offset, length);
    }

    @Override
    public void putBlocks(MemorySegment source, long sourceOffset, long sourceStride, long offset, long stride,
        long blockBytes, long count) {
        MemorySegment memory = memory();
        // What goes that far apart is in no cache when it is written next, nor when it is read.
        if (stride * count >= LastLevelCache.bytes() && blockBytes >= LEAST_BLOCK && isApart(source)) {
            StreamingCopy.copy(source, sourceOffset, memory, offset,
                streamed.of(count, blockBytes).apart(sourceStride, stride));
            return;
        }
        for (long i = 0; i < count; i++) {
            MemorySegment.copy(source, sourceOffset + i * sourceStride, memory, offset + i * stride, blockBytes);
        }
    }

    /** A window may be put into itself. */
    private boolean isApart(MemorySegment source) {
        return source.address() >= segment.address() + segment.byteSize()
            || source.address() + source.byteSize() <= segment.address();
    }

    @Override
    public long leastStreamed() {
        return StreamingCopy.isAvailable() && segment.byteSize() >= LastLevelCache.bytes() ? LEAST_STREAMED
            : Long.MAX_VALUE;
    }

    @Override
    public void stream(MemorySegment source, long sourceOffset, long offset, long length) {
        StreamingCopy.copy(source, sourceOffset, memory(), offset, length);
    }

    @Override
    public void streamPart(MemorySegment source, long sourceOffset, long offset, long length) {
        StreamingCopy.copyPart(source, sourceOffset, memory(), offset, length);
    }

    @Override
    public void putLong(long offset, long value) {
        if ((offset & 7) == 0) {
            LONG.setRelease(memory(), offset, value); // seen whole, and not put off by the compiler
        } else {
            memory().set(UNALIGNED_LONG, offset, value);
        }
    }

    @Override
    public void putInt(long offset, int value) {
        if ((offset & 3) == 0) {
            INT.setRelease(memory(), offset, value);
        } else {
            memory().set(ValueLayout.JAVA_INT_UNALIGNED, offset, value);
        }
    }

    @Override
    public void get(MemorySegment destination, long destinationOffset, long offset, long length) {
        MemorySegment.copy(memory(), offset, destination, destinationOffset, length);
    }

    @Override
    public long getLong(long offset) {
        if ((offset & 7) == 0) {
            return (long) LONG.getAcquire(memory(), offset); // read anew in every turn of a loop that polls
        }
        return memory().get(UNALIGNED_LONG, offset);
    }

    @Override
    public int getInt(long offset) {
        return (offset & 3) == 0 ? (int) INT.getAcquire(memory(), offset)
            : memory().get(ValueLayout.JAVA_INT_UNALIGNED, offset);
    }

    @Override
    public void prefetch(long offset) {
        if (!disconnected) {
            near ^= segment.get(UNALIGNED_LONG, offset);
        }
    }

    @Override
    public void prefault(long offset, long length) {
        if (disconnected || length <= 0) {
            return;
        }
        if (ready == null) {
            ready = new PageMarks((segment.byteSize() - 1 >> PAGE_SHIFT) + 1);
        }
        // No page beyond: there may be a hole, whose pages would come by being read.
        long end = (Math.min(offset + length, segment.byteSize()) - 1 >> PAGE_SHIFT) + 1;
        long missing = ready.mark(offset >> PAGE_SHIFT, end);
        if (missing >= 0) {
            long start = missing << PAGE_SHIFT;
            // where the kernel refuses it, pages come one by one
            Libc.madvise(segment.address() + start, Math.min(end << PAGE_SHIFT, segment.byteSize()) - start,
                Libc.MADV_POPULATE_READ);
        }
    }

    @Override
    public long requestPut(MemorySegment source, long sourceOffset, long offset, long length) {
        put(source, sourceOffset, offset, length);
        return 0;
    }

    @Override
    public long requestGet(MemorySegment destination, long destinationOffset, long offset, long length) {
        get(destination, destinationOffset, offset, length);
        return 0;
    }

    @Override
    public long fetchOp(AtomicOp op, DataType type, long offset, long operand) {
        return switch (type) {
            case INT64, UINT64 -> fetchOpLong(op, type, offset, operand);
            case INT8, INT16 -> fetchOpPart(op, type, offset, operand);
            case INT32, UINT32 -> type.normalized(fetchOpInt(op, type, offset, (int) operand));
            case FLOAT32 -> type.normalized(switch (op) {
                case REPLACE -> (int) INT.getAndSet(memory(), offset, (int) operand);
                case NO_OP -> (int) INT.getVolatile(memory(), offset);
                default -> combineInt(op, type, offset, (int) operand);
            });
            case FLOAT64 -> switch (op) {
                case REPLACE -> (long) LONG.getAndSet(memory(), offset, operand);
                case NO_OP -> (long) LONG.getVolatile(memory(), offset);
                default -> combineLong(op, type, offset, operand);
            };
        };
    }

    private long fetchOpLong(AtomicOp op, DataType type, long offset, long operand) {
        return switch (op) {
            case SUM -> (long) LONG.getAndAdd(memory(), offset, operand);
            case BAND -> (long) LONG.getAndBitwiseAnd(memory(), offset, operand);
            case BOR -> (long) LONG.getAndBitwiseOr(memory(), offset, operand);
            case BXOR -> (long) LONG.getAndBitwiseXor(memory(), offset, operand);
            case REPLACE -> (long) LONG.getAndSet(memory(), offset, operand);
            case NO_OP -> (long) LONG.getVolatile(memory(), offset);
            case MIN, MAX, PROD, LAND, LOR, LXOR, MINLOC, MAXLOC -> combineLong(op, type, offset, operand);
        };
    }

    private int fetchOpInt(AtomicOp op, DataType type, long offset, int operand) {
        return switch (op) {
            case SUM -> (int) INT.getAndAdd(memory(), offset, operand);
            case BAND -> (int) INT.getAndBitwiseAnd(memory(), offset, operand);
            case BOR -> (int) INT.getAndBitwiseOr(memory(), offset, operand);
            case BXOR -> (int) INT.getAndBitwiseXor(memory(), offset, operand);
            case REPLACE -> (int) INT.getAndSet(memory(), offset, operand);
            case NO_OP -> (int) INT.getVolatile(memory(), offset);
            case MIN, MAX, PROD, LAND, LOR, LXOR, MINLOC, MAXLOC -> combineInt(op, type, offset, operand);
        };
    }

    /** What no instruction does: compute, and swap if nobody came between. */
    private long combineLong(AtomicOp op, DataType type, long offset, long operand) {
        long old = (long) LONG.getVolatile(memory(), offset);
        while (true) {
            long seen = (long) LONG.compareAndExchange(memory(), offset, old, op.apply(type, old, operand));
            if (seen == old) {
                return old;
            }
            old = seen;
        }
    }

    private int combineInt(AtomicOp op, DataType type, long offset, int operand) {
        int old = (int) INT.getVolatile(memory(), offset);
        while (true) {
            int seen = (int) INT.compareAndExchange(memory(), offset, old,
                (int) op.apply(type, old, operand));
            if (seen == old) {
                return old;
            }
            old = seen;
        }
    }

    /** Of 1 or 2 bytes: the 4 bytes around them are swapped. */
    private long fetchOpPart(AtomicOp op, DataType type, long offset, long operand) {
        long at = Elements.wordOffset(offset);
        int word = (int) INT.getVolatile(memory(), at);
        while (true) {
            long old = Elements.part(type, word, offset);
            if (op == AtomicOp.NO_OP) {
                return old;
            }
            int updated = Elements.withPart(type, word, offset, op.apply(type, old, operand));
            int seen = (int) INT.compareAndExchange(memory(), at, word, updated);
            if (seen == word) {
                return old;
            }
            word = seen;
        }
    }

    private long swapPart(DataType type, long offset, long expected, long desired) {
        long at = Elements.wordOffset(offset);
        int word = (int) INT.getVolatile(memory(), at);
        while (true) {
            long old = Elements.part(type, word, offset);
            if (old != type.normalized(expected)) {
                return old;
            }
            int seen = (int) INT.compareAndExchange(memory(), at, word,
                Elements.withPart(type, word, offset, desired));
            if (seen == word) {
                return old;
            }
            word = seen;
        }
    }

    @Override
    public void op(AtomicOp op, DataType type, long offset, long operand) {
        fetchOp(op, type, offset, operand);
    }

    @Override
    public long compareAndSwap(DataType type, long offset, long expected, long desired) {
        if (type.bytes() < Integer.BYTES) {
            return swapPart(type, offset, expected, desired);
        }
        if (type.bytes() == Integer.BYTES) {
            return type.normalized((int) INT.compareAndExchange(memory(), offset, (int) expected, (int) desired));
        }
        return (long) LONG.compareAndExchange(memory(), offset, expected, desired);
    }
}
