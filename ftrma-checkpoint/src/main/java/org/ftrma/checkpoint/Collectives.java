package org.ftrma.checkpoint;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.MisuseException;
import org.ftrma.spi.RemoteMemory;

/**
 * Barrier, broadcast, reductions and gathers over the control regions. The barrier is a dissemination barrier with counting flags: a
 * signal is an atomic
 * increment, so that signals of successive barriers cannot overtake one another to harm. Data moves through two buffers in turn: a buffer is
 * written again only after the barrier of the next collective, when all have read it. Data thread only; nothing is allocated.
 */
final class Collectives {
    private static final VarHandle FLAG = ValueLayout.JAVA_LONG.varHandle();
    private static final int GATHER_BYTES = 256 << 10;

    private final Session session;
    private final int rank;
    private final int ranks;
    private final int rounds;
    private final MemorySegment scratch;
    private final MemorySegment one;
    private final MemorySegment oneResult;
    private MemorySegment own;
    private RemoteMemory[] signals;
    private long barriers;
    private long collectives;

    Collectives(Session session, Arena arena) {
        this.session = session;
        this.rank = session.member;
        this.ranks = session.ranks;
        this.rounds = ranks == 1 ? 0 : 32 - Integer.numberOfLeadingZeros(ranks - 1);
        this.scratch = arena.allocate(GATHER_BYTES, 64);
        this.one = arena.allocate(8, 8);
        this.oneResult = arena.allocate(8, 8);
    }

    /** To be called in each view, after the session was opened. */
    void open() {
        own = session.controlMemory();
        barriers = 0;
        collectives = 0;
        signals = new RemoteMemory[rounds];
    }

    /** Collectives entered in this view, barriers included: the GNC of the paper. */
    long entered() {
        return barriers;
    }

    void barrier() {
        long number = ++barriers;
        for (int round = 0; round < rounds; round++) {
            RemoteMemory to = signals[round];
            if (to == null) {
                to = session.control((int) ((rank + (1L << round)) % ranks));
                signals[round] = to;
            }
            long offset = ControlDescriptor.barrierOffset(round);
            to.op(AtomicOp.SUM, DataType.INT64, offset, 1);
            if ((long) FLAG.getAcquire(own, offset) < number) {
                awaitFlag(offset, number, (int) ((rank - (1L << round) + ranks) % ranks));
            }
        }
    }

    private void awaitFlag(long offset, long number, int from) {
        session.waiter.begin("barrier, the signal", from);
        while ((long) FLAG.getAcquire(own, offset) < number) {
            session.fabric.progress();
            session.waiter.turn();
        }
    }

    void broadcast(MemorySegment data, int root) {
        if (root < 0 || root >= ranks) {
            throw new MisuseException("root=" + root + ": must be 0 to " + (ranks - 1));
        }
        long bytes = data.byteSize();
        for (long at = 0; at < bytes; at += ControlDescriptor.BUFFER_BYTES) {
            long length = Math.min(bytes - at, ControlDescriptor.BUFFER_BYTES);
            long buffer = ControlDescriptor.bufferOffset(collectives++);
            if (rank == root) {
                MemorySegment.copy(data, at, own, buffer, length);
            }
            barrier();
            if (rank != root) {
                session.control(root).get(data, at, buffer, length);
                session.fabric.flush(root);
            }
        }
    }

    void allGather(MemorySegment source, MemorySegment destination) {
        long bytes = source.byteSize();
        if (destination.byteSize() != bytes * ranks) {
            throw new MisuseException("destination=" + destination.byteSize() + " bytes: must be ranks * source = " + bytes * ranks);
        }
        for (long at = 0; at < bytes; at += ControlDescriptor.BUFFER_BYTES) {
            long length = Math.min(bytes - at, ControlDescriptor.BUFFER_BYTES);
            gather(source, at, length, destination, at, bytes);
        }
    }

    /** Every rank's bytes [at, at + length) of source arrive at base + r * stride of destination. */
    private void gather(MemorySegment source, long at, long length, MemorySegment destination, long base, long stride) {
        long buffer = ControlDescriptor.bufferOffset(collectives++);
        MemorySegment.copy(source, at, own, buffer, length);
        barrier();
        for (int r = 0; r < ranks; r++) {
            if (r == rank) {
                MemorySegment.copy(source, at, destination, base + r * stride, length);
            } else {
                session.control(r).get(destination, base + r * stride, buffer, length);
            }
        }
        for (int r = 0; r < ranks; r++) {
            if (r != rank) {
                session.fabric.flush(r);
            }
        }
    }

    void allReduce(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination) {
        long bytes = source.byteSize();
        if (destination.byteSize() != bytes || bytes % type.bytes() != 0) {
            throw new MisuseException("source=" + bytes + " destination=" + destination.byteSize() + " bytes: must be equal and a multiple of "
                + type.bytes());
        }
        if (op == AtomicOp.NO_OP || !op.supports(type)) {
            throw new MisuseException("operation=" + op + " type=" + type + ": not defined for reductions");
        }
        long chunk = Math.max(8, Math.min(ControlDescriptor.BUFFER_BYTES, GATHER_BYTES / ranks) & ~7L);
        for (long at = 0; at < bytes; at += chunk) {
            long length = Math.min(bytes - at, chunk);
            gather(source, at, length, scratch, 0, chunk);
            for (long i = 0; i < length; i += type.bytes()) {
                long value = bits(type, scratch, i);
                for (int r = 1; r < ranks; r++) {
                    value = op.apply(type, value, bits(type, scratch, r * chunk + i));
                }
                setBits(type, destination, at + i, value);
            }
        }
    }

    long allReduceOne(AtomicOp op, DataType type, long bits) {
        one.set(ValueLayout.JAVA_LONG, 0, bits);
        allReduce(op, type, one, oneResult);
        return oneResult.get(ValueLayout.JAVA_LONG, 0);
    }

    static long bits(DataType type, MemorySegment segment, long offset) {
        return type == DataType.INT32 ? segment.get(ValueLayout.JAVA_INT_UNALIGNED, offset) : segment.get(ValueLayout.JAVA_LONG_UNALIGNED, offset);
    }

    static void setBits(DataType type, MemorySegment segment, long offset, long bits) {
        if (type == DataType.INT32) {
            segment.set(ValueLayout.JAVA_INT_UNALIGNED, offset, (int) bits);
        } else {
            segment.set(ValueLayout.JAVA_LONG_UNALIGNED, offset, bits);
        }
    }
}
