package org.ftrma.ucx;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.spi.RemoteMemory;

/**
 * A peer's region that is mapped here: accesses are copies and CPU atomics, complete when they return (a flush adds the fence). Data thread
 * only; allocates nothing. The segment ends with the connection, so that an access after {@code renew} is an exception and not a crash.
 */
final class MappedMemory implements RemoteMemory {
    private static final ValueLayout.OfLong UNALIGNED_LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
    private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();

    private final MemorySegment segment;

    MappedMemory(MemorySegment segment) {
        this.segment = segment;
    }

    @Override
    public long bytes() {
        return segment.byteSize();
    }

    @Override
    public MemorySegment mapped() {
        return segment;
    }

    @Override
    public void put(MemorySegment source, long sourceOffset, long offset, long length) {
        MemorySegment.copy(source, sourceOffset, segment, offset, length);
    }

    @Override
    public void putLong(long offset, long value) {
        if ((offset & 7) == 0) {
            LONG.setRelease(segment, offset, value); // seen whole, and not put off by the compiler
        } else {
            segment.set(UNALIGNED_LONG, offset, value);
        }
    }

    @Override
    public void get(MemorySegment destination, long destinationOffset, long offset, long length) {
        MemorySegment.copy(segment, offset, destination, destinationOffset, length);
    }

    @Override
    public long getLong(long offset) {
        if ((offset & 7) == 0) {
            return (long) LONG.getAcquire(segment, offset); // read anew in every turn of a loop that polls
        }
        return segment.get(UNALIGNED_LONG, offset);
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
            case INT64 -> fetchOpLong(op, offset, operand);
            case INT32 -> fetchOpInt(op, offset, (int) operand);
            case FLOAT64 -> switch (op) {
                case REPLACE -> (long) LONG.getAndSet(segment, offset, operand);
                case NO_OP -> (long) LONG.getVolatile(segment, offset);
                default -> combineLong(op, type, offset, operand);
            };
        };
    }

    private long fetchOpLong(AtomicOp op, long offset, long operand) {
        return switch (op) {
            case SUM -> (long) LONG.getAndAdd(segment, offset, operand);
            case BAND -> (long) LONG.getAndBitwiseAnd(segment, offset, operand);
            case BOR -> (long) LONG.getAndBitwiseOr(segment, offset, operand);
            case BXOR -> (long) LONG.getAndBitwiseXor(segment, offset, operand);
            case REPLACE -> (long) LONG.getAndSet(segment, offset, operand);
            case NO_OP -> (long) LONG.getVolatile(segment, offset);
            case MIN, MAX -> combineLong(op, DataType.INT64, offset, operand);
        };
    }

    private int fetchOpInt(AtomicOp op, long offset, int operand) {
        return switch (op) {
            case SUM -> (int) INT.getAndAdd(segment, offset, operand);
            case BAND -> (int) INT.getAndBitwiseAnd(segment, offset, operand);
            case BOR -> (int) INT.getAndBitwiseOr(segment, offset, operand);
            case BXOR -> (int) INT.getAndBitwiseXor(segment, offset, operand);
            case REPLACE -> (int) INT.getAndSet(segment, offset, operand);
            case NO_OP -> (int) INT.getVolatile(segment, offset);
            case MIN, MAX -> combineInt(op, offset, operand);
        };
    }

    /** What no instruction does: compute, and swap if nobody came between. */
    private long combineLong(AtomicOp op, DataType type, long offset, long operand) {
        long old = (long) LONG.getVolatile(segment, offset);
        while (true) {
            long seen = (long) LONG.compareAndExchange(segment, offset, old, op.apply(type, old, operand));
            if (seen == old) {
                return old;
            }
            old = seen;
        }
    }

    private int combineInt(AtomicOp op, long offset, int operand) {
        int old = (int) INT.getVolatile(segment, offset);
        while (true) {
            int seen = (int) INT.compareAndExchange(segment, offset, old, (int) op.apply(DataType.INT32, old, operand));
            if (seen == old) {
                return old;
            }
            old = seen;
        }
    }

    @Override
    public void op(AtomicOp op, DataType type, long offset, long operand) {
        fetchOp(op, type, offset, operand);
    }

    @Override
    public long compareAndSwap(DataType type, long offset, long expected, long desired) {
        if (type == DataType.INT32) {
            return (int) INT.compareAndExchange(segment, offset, (int) expected, (int) desired);
        }
        return (long) LONG.compareAndExchange(segment, offset, expected, desired);
    }
}
