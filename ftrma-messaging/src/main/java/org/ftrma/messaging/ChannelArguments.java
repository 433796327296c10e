package org.ftrma.messaging;

import java.lang.foreign.MemorySegment;
import org.ftrma.AtomicOp;
import org.ftrma.Channel;
import org.ftrma.DataType;
import org.ftrma.MisuseException;
import org.ftrma.core.collective.Reductions;
import org.ftrma.core.image.LocalMemory;

/** What programs may hand to a channel: all else is refused, with what it is and must be. Immutable. */
final class ChannelArguments {
    private final int size;
    private final int rank;

    ChannelArguments(int size, int rank) {
        this.size = size;
        this.rank = rank;
    }

    void checkTarget(String call, int target, int tag) {
        if (target < 0 || target >= size) {
            throw new MisuseException(call + ": target=" + target + ": must be 0 to " + (size - 1));
        }
        if (tag < 0) {
            throw new MisuseException(call + ": tag=" + tag + ": must be 0 to " + Integer.MAX_VALUE);
        }
    }

    void checkSource(String call, int source, int tag) {
        if (source != Channel.ANY_SOURCE && (source < 0 || source >= size)) {
            throw new MisuseException(call + ": source=" + source + ": must be 0 to " + (size - 1)
                + ", or ANY_SOURCE (" + Channel.ANY_SOURCE + ")");
        }
        if (tag < Channel.ANY_TAG) {
            throw new MisuseException(call + ": tag=" + tag + ": must be 0 to " + Integer.MAX_VALUE + ", or ANY_TAG ("
                + Channel.ANY_TAG + ")");
        }
    }

    static void checkBounds(String call, MemorySegment segment, long offset, long length) {
        if (offset < 0 || length < 0 || offset > segment.byteSize() - length) {
            throw new MisuseException(call + ": offset=" + offset + " length=" + length + ": the segment has "
                + segment.byteSize() + " bytes");
        }
        if (!segment.isNative()) {
            throw new MisuseException(call + ": the segment is on the Java heap, which other ranks cannot reach: "
                + "allocate it from an Arena");
        }
    }

    private void checkRoot(String call, int root) {
        if (root < 0 || root >= size) {
            throw new MisuseException(call + ": root=" + root + ": must be 0 to " + (size - 1));
        }
    }

    private static void checkSegment(String call, String parameter, MemorySegment segment, boolean isWritten,
        long bytes) {
        if (isWritten) {
            LocalMemory.checkWritten(segment, call, parameter);
        } else {
            LocalMemory.checkRead(segment, call, parameter);
        }
        if (!segment.isNative()) {
            checkBounds(call, segment, 0, 0);
        }
        if (bytes >= 0 && segment.byteSize() != bytes) {
            throw new MisuseException(call + ": " + parameter + "=" + segment.byteSize() + " bytes: must be " + bytes);
        }
    }

    private static void checkElements(String call, AtomicOp op, DataType type, MemorySegment source) {
        Reductions.check(call, op, type);
        checkSegment(call, "source", source, false, -1);
        if (source.byteSize() % type.bytes() != 0) {
            throw new MisuseException(call + ": source=" + source.byteSize() + " bytes: must be a multiple of the "
                + type.bytes() + " of " + type);
        }
    }

    void checkBroadcast(String call, MemorySegment data, int root) {
        checkRoot(call, root);
        checkSegment(call, "data", data, rank != root, -1);
    }

    void checkReduce(String call, AtomicOp op, DataType type, MemorySegment source, MemorySegment destination,
        int root) {
        checkRoot(call, root);
        checkElements(call, op, type, source);
        if (rank == root) {
            checkSegment(call, "destination", destination, true, source.byteSize());
        }
    }

    /** Of an allReduce or a scan. */
    static void checkCombined(String call, AtomicOp op, DataType type, MemorySegment source,
        MemorySegment destination) {
        checkElements(call, op, type, source);
        checkSegment(call, "destination", destination, true, source.byteSize());
    }

    void checkGather(String call, MemorySegment source, MemorySegment destination, int root) {
        checkRoot(call, root);
        checkSegment(call, "source", source, false, -1);
        if (rank == root) {
            checkSegment(call, "destination", destination, true, source.byteSize() * size);
        }
    }

    void checkAllGather(String call, MemorySegment source, MemorySegment destination) {
        checkSegment(call, "source", source, false, -1);
        checkSegment(call, "destination", destination, true, source.byteSize() * size);
    }

    void checkScatter(String call, MemorySegment source, MemorySegment destination, int root) {
        checkRoot(call, root);
        checkSegment(call, "destination", destination, true, -1);
        if (rank == root) {
            checkSegment(call, "source", source, false, destination.byteSize() * size);
        }
    }

    void checkAllToAll(String call, MemorySegment source, MemorySegment destination) {
        checkSegment(call, "source", source, false, -1);
        if (source.byteSize() % size != 0) {
            throw new MisuseException(call + ": source=" + source.byteSize() + " bytes: must be a multiple of the "
                + size + " ranks");
        }
        checkSegment(call, "destination", destination, true, source.byteSize());
    }

    void checkParts(String call, MemorySegment source, long[] sendOffsets, long[] sendBytes,
        MemorySegment destination, long[] recvOffsets, long[] recvBytes) {
        checkSegment(call, "source", source, false, -1);
        checkSegment(call, "destination", destination, true, -1);
        checkParts(call, "sendOffsets", sendOffsets, sendBytes, source);
        checkParts(call, "recvOffsets", recvOffsets, recvBytes, destination);
        if (sendBytes[rank] != recvBytes[rank]) {
            throw new MisuseException(call + ": rank " + rank + " sends " + sendBytes[rank] + " bytes to itself, and "
                + "receives " + recvBytes[rank]);
        }
    }

    private void checkParts(String call, String name, long[] offsets, long[] bytes, MemorySegment segment) {
        if (offsets == null || bytes == null || offsets.length != size || bytes.length != size) {
            throw new MisuseException(call + ": " + name + " and the sizes must have " + size + " elements");
        }
        for (int i = 0; i < offsets.length; i++) {
            if (offsets[i] < 0 || bytes[i] < 0 || offsets[i] > segment.byteSize() - bytes[i]) {
                checkBounds(call + ": " + name + " of rank " + i, segment, offsets[i], bytes[i]);
            }
        }
    }
}
