package org.ftrma.team;

import java.lang.foreign.MemorySegment;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.MisuseException;

/** Validates arguments of a team's collectives before anything is sent. Immutable; data thread. */
final class TeamArguments {
    private final String name;
    private final int size;
    private final int position;

    TeamArguments(String name, int size, int position) {
        this.name = name;
        this.size = size;
        this.position = position;
    }

    private MisuseException refused(String call, String what) {
        return new MisuseException("team " + name + ": " + call + ": " + what);
    }

    void root(String call, int root) {
        if (root < 0 || root >= size) {
            throw refused(call, "root=" + root + ": must be a position, 0 to " + (size - 1));
        }
    }

    private void segment(String call, String parameter, MemorySegment segment, boolean isWritten, long bytes) {
        if (segment == null) {
            throw refused(call, parameter + " is null; give the segment");
        }
        if (!segment.scope().isAlive()) {
            throw refused(call, parameter + " is closed; keep its arena open until the call returns");
        }
        if (!segment.isAccessibleBy(Thread.currentThread())) {
            throw refused(call, parameter + " is confined to another thread than " + Thread.currentThread().getName()
                + "; allocate it from Arena.ofShared() or ofAuto(), or on this thread");
        }
        if (isWritten && segment.isReadOnly()) {
            throw refused(call, parameter
                + " is read-only, and would be written to; pass a segment that was not made with asReadOnly()");
        }
        if (bytes >= 0 && segment.byteSize() != bytes) {
            throw refused(call, parameter + "=" + segment.byteSize() + " bytes: must be " + bytes);
        }
    }

    void broadcast(MemorySegment data, int root) {
        root("broadcast", root);
        segment("broadcast", "data", data, position != root, -1);
    }

    void operation(String call, AtomicOp op, DataType type) {
        if (op == null || type == null) {
            throw refused(call, (op == null ? "op" : "type") + " is null");
        }
        if (op == AtomicOp.REPLACE || op == AtomicOp.NO_OP) {
            throw refused(call, "op=" + op + ": is for accesses to windows, and no reduction; use SUM, PROD, MIN, MAX, "
                + "BAND, BOR, BXOR, LAND, LOR, LXOR, MINLOC or MAXLOC");
        }
        if (!op.hasIndex() && !op.supports(type)) {
            throw refused(call, "op=" + op + " type=" + type + ": bit and logical operations need an integer type");
        }
    }

    /** The operation of one value, which has no index. */
    void single(AtomicOp op, DataType type) {
        operation("allReduce", op, type);
        if (op.hasIndex()) {
            throw refused("allReduce", "op=" + op + ": combines pairs of a value and an index; give segments of them, "
                + "or use MIN or MAX");
        }
    }

    /** Elements of a source, and the destination of the same size if this member writes it. */
    void elements(String call, AtomicOp op, DataType type, MemorySegment source, MemorySegment destination,
        boolean isWritten) {
        operation(call, op, type);
        segment(call, "source", source, false, -1);
        if (source.byteSize() % op.elementBytes(type) != 0) {
            throw refused(call, "source=" + source.byteSize() + " bytes: must be a multiple of the "
                + op.elementBytes(type) + " of " + (op.hasIndex() ? "a pair of a value and an index" : type));
        }
        if (isWritten) {
            segment(call, "destination", destination, true, source.byteSize());
        }
    }

    void gather(String call, MemorySegment source, MemorySegment destination, boolean isWritten) {
        segment(call, "source", source, false, -1);
        if (isWritten) {
            segment(call, "destination", destination, true, source.byteSize() * size);
        }
    }

    void scatter(MemorySegment source, MemorySegment destination, int root) {
        root("scatter", root);
        segment("scatter", "destination", destination, true, -1);
        if (position == root) {
            segment("scatter", "source", source, false, destination.byteSize() * size);
        }
    }

    void allToAll(MemorySegment source, MemorySegment destination) {
        segment("allToAll", "source", source, false, -1);
        if (source.byteSize() % size != 0) {
            throw refused("allToAll", "source=" + source.byteSize() + " bytes: must be a multiple of the " + size
                + " members");
        }
        segment("allToAll", "destination", destination, true, source.byteSize());
    }

    /** Parts of any size, one for each member. */
    void parts(String call, MemorySegment segment, String parameter, boolean isWritten, long[] offsets, long[] bytes) {
        segment(call, parameter, segment, isWritten, -1);
        if (offsets == null || bytes == null || offsets.length != size || bytes.length != size) {
            throw refused(call, "offsets and bytes of " + parameter + " have "
                + (offsets == null || bytes == null ? "no array" : offsets.length + " and " + bytes.length
                + " elements") + ": must have one for each of the " + size + " members");
        }
        for (int i = 0; i < size; i++) {
            if ((offsets[i] | bytes[i]) < 0 || offsets[i] > segment.byteSize() - bytes[i]) {
                throw refused(call, "offset=" + offsets[i] + " bytes=" + bytes[i] + " of position " + i + ": "
                    + parameter + " has " + segment.byteSize() + " bytes");
            }
        }
    }

    void allGather(MemorySegment source, MemorySegment destination, long[] offsets, long[] bytes) {
        segment("allGather", "source", source, false, -1);
        parts("allGather", destination, "destination", true, offsets, bytes);
        if (bytes[position] != source.byteSize()) {
            throw refused("allGather", "source=" + source.byteSize() + " bytes: must be bytes[" + position + "]="
                + bytes[position] + ", that of this position");
        }
    }

    void allToAll(MemorySegment source, long[] sendOffsets, long[] sendBytes, MemorySegment destination,
        long[] recvOffsets, long[] recvBytes) {
        parts("allToAll", source, "source", false, sendOffsets, sendBytes);
        parts("allToAll", destination, "destination", true, recvOffsets, recvBytes);
        if (sendBytes[position] != recvBytes[position]) {
            throw refused("allToAll", "sendBytes=" + sendBytes[position] + " recvBytes=" + recvBytes[position]
                + " of the own position " + position + ": must be the same");
        }
    }
}
