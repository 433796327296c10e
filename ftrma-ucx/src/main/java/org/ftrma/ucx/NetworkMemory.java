package org.ftrma.ucx;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import java.util.function.Consumer;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.DeadlineException;
import org.ftrma.spi.Elements;
import org.ftrma.spi.RemoteMemory;
import org.ftrma.spi.Wait;
import org.ftrma.ucp.Ucp;
import org.ftrma.ucp.UcpConstants;

/**
 * A peer's region reached by UCX operations. Data thread only; allocates nothing, but for accesses whose local memory
 * is on the Java heap, which UCX cannot address: these go through a native copy and wait.
 */
final class NetworkMemory implements RemoteMemory {
    private static final int NOT_IN_UCX = -1;

    private final Operations operations;
    private final NetworkPeer peer;
    private final long rkey;
    private final long address;
    private final long bytes;
    private final long hostParam;

    NetworkMemory(Operations operations, NetworkPeer peer, long rkey, long address, long bytes) {
        this.operations = operations;
        this.peer = peer;
        this.rkey = rkey;
        this.address = address;
        this.bytes = bytes;
        this.hostParam = operations.params().host();
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public MemorySegment mapped() {
        return null;
    }

    /** Reads a byte and waits for it: fails where later accesses would. */
    void probe() {
        operations.await(startGet(operations.scratchSegment(), Long.BYTES, 0, 1), peer, "attach");
    }

    // ---- copies ----

    @Override
    public void put(MemorySegment source, long sourceOffset, long offset, long length) {
        if (source.isNative()) {
            operations.release(startPut(source, sourceOffset, offset, length), peer, "put");
        } else {
            putFromHeap(source, sourceOffset, offset, length);
        }
    }

    @Override
    public long requestPut(MemorySegment source, long sourceOffset, long offset, long length) {
        if (source.isNative()) {
            return operations.track(startPut(source, sourceOffset, offset, length), peer, "put");
        }
        putFromHeap(source, sourceOffset, offset, length);
        return 0;
    }

    private long startPut(MemorySegment source, long sourceOffset, long offset, long length) {
        long endpoint = peer.endpoint();
        Objects.checkFromIndexSize(sourceOffset, length, source.byteSize());
        Objects.checkFromIndexSize(offset, length, bytes);
        return length == 0 ? 0 : Ucp.putNbx(endpoint, source.address() + sourceOffset, length, address + offset, rkey,
            hostParam);
    }

    private void putFromHeap(MemorySegment source, long sourceOffset, long offset, long length) {
        peer.dirty = true;
        byHeap(length, copy -> {
            MemorySegment.copy(source, sourceOffset, copy, 0, length);
            operations.await(startPut(copy, 0, offset, length), peer, "put");
        });
    }

    @Override
    public void get(MemorySegment destination, long destinationOffset, long offset, long length) {
        if (destination.isNative()) {
            operations.release(startGet(destination, destinationOffset, offset, length), peer, "get");
        } else {
            getToHeap(destination, destinationOffset, offset, length);
        }
    }

    @Override
    public long requestGet(MemorySegment destination, long destinationOffset, long offset, long length) {
        if (destination.isNative()) {
            return operations.track(startGet(destination, destinationOffset, offset, length), peer, "get");
        }
        getToHeap(destination, destinationOffset, offset, length);
        return 0;
    }

    private long startGet(MemorySegment destination, long destinationOffset, long offset, long length) {
        long endpoint = peer.endpoint();
        Objects.checkFromIndexSize(destinationOffset, length, destination.byteSize());
        Objects.checkFromIndexSize(offset, length, bytes);
        return length == 0 ? 0 : Ucp.getNbx(endpoint, destination.address() + destinationOffset, length,
            address + offset, rkey, hostParam);
    }

    private void getToHeap(MemorySegment destination, long destinationOffset, long offset, long length) {
        byHeap(length, copy -> {
            operations.await(startGet(copy, 0, offset, length), peer, "get");
            MemorySegment.copy(copy, 0, destination, destinationOffset, length);
        });
    }

    /** By a copy that lives on where its access is left under way. */
    private void byHeap(long length, Consumer<MemorySegment> access) {
        Arena arena = Arena.ofConfined();
        try {
            access.accept(arena.allocate(Math.max(1, length)));
        } catch (DeadlineException e) {
            peer.keeps(arena);
            throw e;
        } catch (RuntimeException | Error e) {
            arena.close();
            throw e;
        }
        arena.close();
    }

    // ---- single values ----

    @Override
    public void putLong(long offset, long value) {
        peer.dirty = true;
        signal(offset, value);
    }

    @Override
    public void signal(long offset, long value) {
        operations.scratchSegment().set(ValueLayout.JAVA_LONG, 0, value);
        peer.signalled = true;
        // The scratch word is free again when this returns: short puts are copied at once, and if not, we wait.
        operations.await(startPut(operations.scratchSegment(), 0, offset, Long.BYTES), peer, "put");
    }

    @Override
    public void putInt(long offset, int value) {
        peer.dirty = true;
        operations.scratchSegment().set(ValueLayout.JAVA_INT, 0, value);
        operations.await(startPut(operations.scratchSegment(), 0, offset, Integer.BYTES), peer, "put");
    }

    @Override
    public int getInt(long offset) {
        operations.await(startGet(operations.scratchSegment(), Long.BYTES, offset, Integer.BYTES), peer, "get");
        return operations.scratchSegment().get(ValueLayout.JAVA_INT, Long.BYTES);
    }

    @Override
    public long getLong(long offset) {
        operations.await(startGet(operations.scratchSegment(), Long.BYTES, offset, Long.BYTES), peer, "get");
        return operations.scratchSegment().get(ValueLayout.JAVA_LONG, Long.BYTES);
    }

    @Override
    public long fetchOp(AtomicOp op, DataType type, long offset, long operand) {
        if (type.bytes() < Integer.BYTES) {
            return fetchOpPart(op, type, offset, operand);
        }
        if (op == AtomicOp.NO_OP) {
            return fetch(UcpConstants.UCP_ATOMIC_OP_ADD, type, offset, 0, 0);
        }
        int opcode = opcode(op, type);
        return opcode == NOT_IN_UCX ? combine(op, type, offset, operand) : fetch(opcode, type, offset, operand, 0);
    }

    /** Of 1 or 2 bytes, which UCX has no atomics of: the 4 bytes around them are swapped. */
    private long fetchOpPart(AtomicOp op, DataType type, long offset, long operand) {
        checkElement(type, offset);
        long at = Elements.wordOffset(offset);
        int word = (int) fetch(UcpConstants.UCP_ATOMIC_OP_ADD, DataType.INT32, at, 0, 0);
        while (true) {
            long old = Elements.part(type, word, offset);
            if (op == AtomicOp.NO_OP) {
                return old;
            }
            int updated = Elements.withPart(type, word, offset, op.apply(type, old, operand));
            int seen = (int) compareAndSwap(DataType.INT32, at, word, updated);
            if (seen == word) {
                return old;
            }
            word = seen;
        }
    }

    private long swapPart(DataType type, long offset, long expected, long desired) {
        checkElement(type, offset);
        long at = Elements.wordOffset(offset);
        int word = (int) fetch(UcpConstants.UCP_ATOMIC_OP_ADD, DataType.INT32, at, 0, 0);
        while (true) {
            long old = Elements.part(type, word, offset);
            if (old != type.normalized(expected)) {
                return old;
            }
            int seen = (int) compareAndSwap(DataType.INT32, at, word,
                Elements.withPart(type, word, offset, desired));
            if (seen == word) {
                return old;
            }
            word = seen;
        }
    }

    /** What UCX does not do: compute here, and swap if nobody came between. */
    private long combine(AtomicOp op, DataType type, long offset, long operand) {
        long old = fetch(UcpConstants.UCP_ATOMIC_OP_ADD, type, offset, 0, 0);
        while (true) {
            long seen = compareAndSwap(type, offset, old, op.apply(type, old, operand));
            if (seen == old) {
                return old;
            }
            old = seen;
        }
    }

    @Override
    public void op(AtomicOp op, DataType type, long offset, long operand) {
        int opcode = opcode(op, type);
        // UCX swaps only with a result
        if (opcode == NOT_IN_UCX || op == AtomicOp.REPLACE || type.bytes() < Integer.BYTES) {
            fetchOp(op, type, offset, operand);
            return;
        }
        long endpoint = peer.endpoint();
        checkElement(type, offset);
        // of 4 bytes: the low half comes first on a little-endian machine
        operations.scratchSegment().set(ValueLayout.JAVA_LONG, 0, operand);
        peer.dirty = true;
        long param = operations.params().post(type.bytes());
        operations.await(Ucp.atomicOpNbx(endpoint, opcode, operations.scratch(), 1, address + offset, rkey, param),
            peer, "accumulate");
    }

    @Override
    public long compareAndSwap(DataType type, long offset, long expected, long desired) {
        if (type.bytes() < Integer.BYTES) {
            return swapPart(type, offset, expected, desired);
        }
        return fetch(UcpConstants.UCP_ATOMIC_OP_CSWAP, type, offset, expected, desired);
    }

    /**
     * One fetching operation; {@code reply} is what the reply word holds before, for compare-and-swap the new value.
     */
    private long fetch(int opcode, DataType type, long offset, long operand, long reply) {
        long endpoint = peer.endpoint();
        checkElement(type, offset);
        MemorySegment scratch = operations.scratchSegment();
        scratch.set(ValueLayout.JAVA_LONG, 0, operand);
        scratch.set(ValueLayout.JAVA_LONG, Long.BYTES, reply);
        long param = operations.params().fetch(type.bytes(), operations.scratch() + Long.BYTES);
        operations.await(Ucp.atomicOpNbx(endpoint, opcode, operations.scratch(), 1, address + offset, rkey, param),
            peer, Wait.ATOMIC);
        return type.bytes() == Integer.BYTES ? type.normalized(scratch.get(ValueLayout.JAVA_INT, Long.BYTES))
            : scratch.get(ValueLayout.JAVA_LONG, Long.BYTES);
    }

    private void checkElement(DataType type, long offset) {
        Objects.checkFromIndexSize(offset, type.bytes(), bytes);
        if (offset % type.bytes() != 0) {
            throw new IllegalArgumentException("offset=" + offset + " type=" + type + ": misaligned");
        }
    }

    private static int opcode(AtomicOp op, DataType type) {
        return switch (op) {
            case SUM -> type.isInteger() ? UcpConstants.UCP_ATOMIC_OP_ADD : NOT_IN_UCX;
            case BAND -> UcpConstants.UCP_ATOMIC_OP_AND;
            case BOR -> UcpConstants.UCP_ATOMIC_OP_OR;
            case BXOR -> UcpConstants.UCP_ATOMIC_OP_XOR;
            case REPLACE -> UcpConstants.UCP_ATOMIC_OP_SWAP;
            case MIN, MAX, NO_OP, PROD, LAND, LOR, LXOR, MINLOC, MAXLOC -> NOT_IN_UCX;
        };
    }
}
