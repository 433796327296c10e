package org.ftrma.messaging.transport;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Proxy;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.spi.Fabric;
import org.ftrma.spi.RemoteMemory;

/** An inbox in this process, with a lane of each source: mapped, or as over a network where all lands at once. */
public final class TwoRanks {
    /** Bytes of a lane. */
    public static final long LANE = 1024;
    /** The rank that has the inbox. */
    public static final int TARGET = 0;
    private final boolean isMapped;
    private final int ranks;
    private final MemorySegment inbox;

    /** An inbox for so many sources. */
    public TwoRanks(int ranks, boolean isMapped) {
        this.ranks = ranks;
        this.isMapped = isMapped;
        this.inbox = memory(FrameDescriptor.inboxBytes(ranks, LANE));
    }

    /** Zeros. */
    public static MemorySegment memory(long bytes) {
        return Arena.ofAuto().allocate(bytes, 64);
    }

    /** Bytes of one value. */
    public static MemorySegment filled(long bytes, int value) {
        return memory(bytes).fill((byte) value);
    }

    /** The inbox. */
    public MemorySegment inbox() {
        return inbox;
    }

    /** A fabric that reaches all memory in one way. */
    public static Fabric fabric(boolean isMapped) {
        return (Fabric) Proxy.newProxyInstance(Fabric.class.getClassLoader(), new Class<?>[] {Fabric.class},
            (self, method, arguments) -> method.getName().equals("isImmediate") ? isMapped : null);
    }

    /** Memory of another rank. */
    public static RemoteMemory remote(MemorySegment segment) {
        return new Remote(segment);
    }

    /** The writing end of a source's lane. */
    public OutLane out(int source) {
        return new OutLane(fabric(isMapped), source, ranks, TARGET, remote(inbox), LANE, memory(LANE));
    }

    /** The reading end of a source's lane. */
    public InLane in(int source) {
        return new InLane(inbox, ranks, LANE, source);
    }

    /** The reading ends of all lanes. */
    public InLane[] lanes() {
        InLane[] lanes = new InLane[ranks];
        for (int source = 0; source < ranks; source++) {
            lanes[source] = in(source);
        }
        return lanes;
    }

    private record Remote(MemorySegment segment) implements RemoteMemory {
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
            segment.set(ValueLayout.JAVA_LONG, offset, value);
        }

        @Override
        public void get(MemorySegment destination, long destinationOffset, long offset, long length) {
            MemorySegment.copy(segment, offset, destination, destinationOffset, length);
        }

        @Override
        public long getLong(long offset) {
            return segment.get(ValueLayout.JAVA_LONG, offset);
        }

        @Override
        public void op(AtomicOp op, DataType type, long offset, long operand) {
            if (op != AtomicOp.BOR) {
                throw new UnsupportedOperationException(op.toString());
            }
            putLong(offset, getLong(offset) | operand);
        }

        @Override
        public void putInt(long offset, int value) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int getInt(long offset) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long requestPut(MemorySegment source, long sourceOffset, long offset, long length) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long requestGet(MemorySegment destination, long destinationOffset, long offset, long length) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long fetchOp(AtomicOp op, DataType type, long offset, long operand) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long compareAndSwap(DataType type, long offset, long expected, long desired) {
            throw new UnsupportedOperationException();
        }
    }
}
