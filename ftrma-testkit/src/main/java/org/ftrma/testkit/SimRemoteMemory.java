package org.ftrma.testkit;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.MisuseException;
import org.ftrma.spi.RemoteMemory;
import org.ftrma.spi.Wait;
import org.ftrma.testkit.programs.SimRandom;

/** A peer's region: reached by transfers, and on some connections mapped. */
final class SimRemoteMemory implements RemoteMemory {
    private static final int LEAST_STREAMED = 16;

    private final SimFabric fabric;
    private final SimConnection connection;
    private final SimRegion region;
    private final String target;
    private MemorySegment mapped;

    SimRemoteMemory(SimFabric fabric, SimConnection connection, SimRegion region) {
        this.fabric = fabric;
        this.connection = connection;
        this.region = region;
        this.target = " to " + connection.peer;
    }

    @Override
    public long bytes() {
        return region.memory.byteSize();
    }

    @Override
    public MemorySegment mapped() {
        if (mapped == null) {
            mapped = connection.map(region);
        }
        return mapped;
    }

    private void enter(String what, long offset, long length) {
        fabric.process().enter(what);
        if (connection.revoked) {
            throw SimAdmissions.loss(connection.peer, what);
        }
        if (!connection.isOpen()) {
            throw new MisuseException(what + target + ": the connection was renewed; attach again");
        }
        if (offset < 0 || length < 0 || offset > bytes() - length) {
            throw new MisuseException(what + target + " offset=" + offset + " length=" + length + " regionBytes="
                + bytes()
                + ": outside of the region");
        }
        fabric.waits().checkLost(what);
        if (connection.lost) {
            throw fabric.waits().lost(connection.peer, what);
        }
        if (connection.target != connection.source) {
            fabric.network().count(length);
        }
    }

    private SimTransfer.Access transfer(SimTransfer.Kind kind, MemorySegment local, long localOffset, long offset,
        long length) {
        SimTransfer.Access access = new SimTransfer.Access(connection);
        SimRandom random = fabric.network().random();
        boolean torn = random.chance(fabric.network().traits().tear());
        long done = 0;
        while (done < length) {
            long end = length;
            if (torn && length - done > 8) {
                // Aligned units of 8 bytes stay whole.
                long cut = ((offset + done + 8 + random.between(0, length - done)) & -8) - offset;
                end = cut > done ? Math.min(cut, length) : length;
            }
            SimTransfer piece = new SimTransfer(kind, connection, region, access, offset + done, (int) (end - done));
            piece.local = local;
            piece.localOffset = localOffset + done;
            fabric.network().issue(piece);
            done = end;
        }
        return access;
    }

    private SimTransfer.Access atomic(SimTransfer.Kind kind, AtomicOp op, DataType type, long offset, long operand,
        long expected) {
        if ((offset & type.bytes() - 1) != 0) {
            throw new MisuseException("atomic" + target + " offset=" + offset + " type=" + type + ": not aligned");
        }
        SimTransfer.Access access = new SimTransfer.Access(connection);
        SimTransfer transfer = new SimTransfer(kind, connection, region, access, offset, type.bytes());
        transfer.op = op;
        transfer.type = type;
        transfer.operand = operand;
        transfer.expected = expected;
        fabric.network().issue(transfer);
        return access;
    }

    private void await(SimTransfer.Access access, String what) {
        fabric.waits().begin(what.startsWith("get") ? what : Wait.ATOMIC, connection.peer);
        connection.awaited = true;
        while (access.pieces > 0 && !access.lost && !connection.revoked) {
            fabric.waits().turn(what + target);
        }
        connection.awaited = false;
        fabric.process().accessesRemotely();
        if (access.lost || access.pieces > 0) {
            throw connection.revoked ? SimAdmissions.loss(connection.peer, what)
                : fabric.waits().lost(connection.peer, what);
        }
    }

    @Override
    public void put(MemorySegment source, long sourceOffset, long offset, long length) {
        enter("put", offset, length);
        checkLocal(source, sourceOffset, length);
        transfer(SimTransfer.Kind.PUT, source, sourceOffset, offset, length);
        fabric.process().left();
    }

    @Override
    public long leastStreamed() {
        return fabric.network().streams() ? LEAST_STREAMED : Long.MAX_VALUE;
    }

    /** Only of the own memory is anything streamed here: nobody else sees a piece of it. */
    @Override
    public void stream(MemorySegment source, long sourceOffset, long offset, long length) {
        if (connection.target != connection.source) {
            put(source, sourceOffset, offset, length);
            return;
        }
        MemorySegment.copy(source, sourceOffset, region.memory, offset, length);
    }

    @Override
    public void putLong(long offset, long value) {
        enter("putLong", offset, 8);
        MemorySegment source = MemorySegment.ofArray(new long[] {value});
        transfer(SimTransfer.Kind.PUT, source, 0, offset, 8);
        fabric.process().left();
    }

    @Override
    public void putInt(long offset, int value) {
        enter("putInt", offset, 4);
        transfer(SimTransfer.Kind.PUT, MemorySegment.ofArray(new int[] {value}), 0, offset, 4);
        fabric.process().left();
    }

    @Override
    public int getInt(long offset) {
        enter("getInt", offset, 4);
        MemorySegment result = MemorySegment.ofArray(new byte[4]);
        await(transfer(SimTransfer.Kind.GET, result, 0, offset, 4), "getInt");
        fabric.process().left();
        return result.get(ValueLayout.JAVA_INT_UNALIGNED, 0);
    }

    @Override
    public void signal(long offset, long value) {
        enter("signal", offset, 8);
        SimTransfer.Access access = new SimTransfer.Access(connection);
        SimTransfer transfer = new SimTransfer(SimTransfer.Kind.PUT, connection, region, access, offset, 8);
        transfer.local = MemorySegment.ofArray(new long[] {value});
        transfer.isSignal = true;
        fabric.network().issue(transfer);
        fabric.process().left();
    }

    @Override
    public void get(MemorySegment destination, long destinationOffset, long offset, long length) {
        enter("get", offset, length);
        checkLocal(destination, destinationOffset, length);
        fabric.process().accessesRemotely();
        transfer(SimTransfer.Kind.GET, destination, destinationOffset, offset, length);
        fabric.process().left();
    }

    @Override
    public long getLong(long offset) {
        enter("getLong", offset, 8);
        MemorySegment result = MemorySegment.ofArray(new byte[8]);
        await(transfer(SimTransfer.Kind.GET, result, 0, offset, 8), "getLong");
        fabric.process().left();
        return result.get(SimTransfer.LONG, 0);
    }

    @Override
    public long requestPut(MemorySegment source, long sourceOffset, long offset, long length) {
        enter("requestPut", offset, length);
        checkLocal(source, sourceOffset, length);
        SimTransfer.Access access = transfer(SimTransfer.Kind.PUT, source, sourceOffset, offset, length);
        fabric.process().left();
        return fabric.request(access);
    }

    @Override
    public long requestGet(MemorySegment destination, long destinationOffset, long offset, long length) {
        enter("requestGet", offset, length);
        checkLocal(destination, destinationOffset, length);
        fabric.process().accessesRemotely();
        SimTransfer.Access access = transfer(SimTransfer.Kind.GET, destination, destinationOffset, offset, length);
        fabric.process().left();
        return fabric.request(access);
    }

    private static void checkLocal(MemorySegment local, long offset, long length) {
        if (offset < 0 || offset > local.byteSize() - length) {
            throw new MisuseException("localOffset=" + offset + " length=" + length + " localBytes="
                + local.byteSize());
        }
    }

    @Override
    public long fetchOp(AtomicOp op, DataType type, long offset, long operand) {
        enter("fetchOp", offset, type.bytes());
        SimTransfer.Access access = atomic(SimTransfer.Kind.OP, op, type, offset, operand, 0);
        await(access, "fetchOp");
        fabric.process().left();
        return access.result;
    }

    @Override
    public void op(AtomicOp op, DataType type, long offset, long operand) {
        enter("op", offset, type.bytes());
        atomic(SimTransfer.Kind.OP, op, type, offset, operand, 0);
        fabric.process().left();
    }

    @Override
    public long compareAndSwap(DataType type, long offset, long expected, long desired) {
        enter("compareAndSwap", offset, type.bytes());
        SimTransfer.Access access = atomic(SimTransfer.Kind.SWAP, AtomicOp.REPLACE, type, offset, desired, expected);
        await(access, "compareAndSwap");
        fabric.process().left();
        return access.result;
    }
}
