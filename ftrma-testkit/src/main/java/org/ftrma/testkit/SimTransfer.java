package org.ftrma.testkit;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.spi.Elements;

/** A piece of an access that is under way. */
@SuppressWarnings("restricted")
final class SimTransfer {
    /** What it does. */
    enum Kind { PUT, GET, OP, SWAP }

    /** What the program asked for: done when all pieces are. */
    static final class Access {
        final SimConnection connection;
        final int peer;
        int pieces;
        /** Pieces whose source was not read, or whose result has not arrived. */
        int openPieces;
        boolean lost;
        long result;
        /** The handle, or 0. */
        long request;

        Access(SimConnection connection) {
            this.connection = connection;
            this.peer = connection.peer;
        }
    }

    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    final Kind kind;
    final SimConnection connection;
    final SimRegion region;
    final Access access;
    final long offset;
    final int length;
    /** The program's memory: source of a put, destination of a get; null if there is none. */
    MemorySegment local;
    long localOffset;
    /** Bytes on the wire. */
    MemorySegment wire;
    AtomicOp op;
    DataType type;
    long operand;
    long expected;
    /** It takes its time unless its source waits for it. */
    boolean heldBack;
    /** Its reader waits for it. */
    boolean isSignal;
    /** It landed; its source does not know yet. */
    boolean landed;
    /** Its source has died or given up: it may land, and nobody is told. */
    boolean orphan;

    SimTransfer(Kind kind, SimConnection connection, SimRegion region, Access access, long offset, int length) {
        this.kind = kind;
        this.connection = connection;
        this.region = region;
        this.access = access;
        this.offset = offset;
        this.length = length;
        access.pieces++;
        access.openPieces++;
    }

    /** Reads the source now, so that it may be reused. */
    void capture() {
        if (kind == Kind.PUT && wire == null) {
            wire = MemorySegment.ofArray(new byte[length]);
            MemorySegment.copy(reachable(local, "source of an unflushed put"), localOffset, wire, 0, length);
            local = null;
            access.openPieces--;
        }
    }

    /** Whether the source was not read, and cannot be any more. */
    boolean sourceFreed() {
        return kind == Kind.PUT && wire == null && !local.scope().isAlive();
    }

    /** Reads the target now. */
    void read() {
        wire = MemorySegment.ofArray(new byte[length]);
        MemorySegment.copy(region.memory, offset, wire, 0, length);
    }

    /** Takes effect at the target, and for a get here too. */
    void land() {
        switch (kind) {
            case PUT -> {
                capture();
                MemorySegment.copy(wire, 0, region.memory, offset, length);
            }
            case GET -> {
                if (wire == null) {
                    read();
                }
                if (!orphan) {
                    MemorySegment.copy(wire, 0, reachable(local, "destination of an unfinished get"),
                        localOffset, length);
                }
            }
            case OP -> {
                access.result = load();
                store(op.apply(type, access.result, operand));
            }
            case SWAP -> {
                access.result = load();
                if (access.result == type.normalized(expected)) {
                    store(operand);
                }
            }
        }
    }

    /** Memory of the program, whatever thread it belongs to; it must not have been freed. */
    private static MemorySegment reachable(MemorySegment segment, String what) {
        if (!segment.scope().isAlive()) {
            throw new IllegalStateException(what + " was freed while the access was under way");
        }
        if (segment.isNative() && !segment.isAccessibleBy(Thread.currentThread())) {
            return MemorySegment.ofAddress(segment.address()).reinterpret(segment.byteSize());
        }
        return segment;
    }

    private long load() {
        return Elements.read(type, region.memory, offset);
    }

    private void store(long value) {
        Elements.write(type, region.memory, offset, value);
    }

    @Override
    public String toString() {
        return kind + " " + connection.source.member() + "->" + connection.peer + " region=" + region.id + " offset="
            + offset + " length="
            + length + (landed ? " landed" : "") + (orphan ? " orphan" : "");
    }
}
