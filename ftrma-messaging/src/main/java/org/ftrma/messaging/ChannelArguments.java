package org.ftrma.messaging;

import java.lang.foreign.MemorySegment;
import org.ftrma.AtomicOp;
import org.ftrma.Channel;
import org.ftrma.DataType;
import org.ftrma.MisuseException;
import org.ftrma.core.collective.Reductions;
import org.ftrma.core.image.BufferChecks;
import org.ftrma.messaging.transport.SendLogDescriptor;

/** Checks the arguments of a channel's calls: what cannot be is refused, with what it is and must be. Immutable. */
final class ChannelArguments {
    private static final long MIB = 1 << 20;
    /** The most that --message-log may be. */
    private static final long MOST_MIB = 1 << 10;
    private final int size;
    private final int rank;
    private final long mostBytes;

    /** Of a channel of so many ranks, at that rank, whose messages have so many bytes at most. */
    ChannelArguments(int size, int rank, long mostBytes) {
        this.size = size;
        this.rank = rank;
        this.mostBytes = mostBytes;
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

    /** A message that is logged fits into the log, as a whole. */
    void checkLogged(String call, String parameter, long bytes) {
        if (bytes > mostBytes) {
            long megabytes = (SendLogDescriptor.logBytes(bytes) + MIB - 1) / MIB;
            throw new MisuseException(call + ": " + parameter + "=" + bytes + " bytes: a message that is logged must "
                + "fit into --message-log as a whole, which has room for " + mostBytes + " bytes; use "
                + (megabytes > MOST_MIB ? "" : "--message-log " + megabytes + "MiB or more, or ")
                + "several messages");
        }
    }

    /** The same of what each rank sends to others in a collective, whatever this one does in it. */
    private void checkLoggedPart(String call, String parameter, long bytes) {
        if (size > 1) {
            checkLogged(call, parameter, bytes);
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
            BufferChecks.checkWritten(segment, call, parameter);
        } else {
            BufferChecks.checkRead(segment, call, parameter);
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
        if (source.byteSize() % op.elementBytes(type) != 0) {
            throw new MisuseException(call + ": source=" + source.byteSize() + " bytes: must be a multiple of the "
                + op.elementBytes(type) + " of " + (op.hasIndex() ? "a pair of a value and an index" : type));
        }
    }

    void checkBroadcast(String call, MemorySegment data, int root) {
        checkRoot(call, root);
        checkSegment(call, "data", data, rank != root, -1);
    }

    /** Of one that does not block: what goes along a tree goes in pieces, and what goes directly does not. */
    void checkDirectBroadcast(String call, MemorySegment data, int root) {
        checkBroadcast(call, data, root);
        checkLoggedPart(call, "data", data.byteSize());
    }

    void checkReduce(String call, AtomicOp op, DataType type, MemorySegment source, MemorySegment destination,
        int root) {
        checkRoot(call, root);
        checkElements(call, op, type, source);
        if (rank == root) {
            checkSegment(call, "destination", destination, true, source.byteSize());
        }
    }

    void checkDirectReduce(String call, AtomicOp op, DataType type, MemorySegment source, MemorySegment destination,
        int root) {
        checkReduce(call, op, type, source, destination, root);
        checkLoggedPart(call, "source", source.byteSize());
    }

    /** Of an allReduce or a scan. */
    static void checkCombined(String call, AtomicOp op, DataType type, MemorySegment source,
        MemorySegment destination) {
        checkElements(call, op, type, source);
        checkSegment(call, "destination", destination, true, source.byteSize());
    }

    void checkDirectCombined(String call, AtomicOp op, DataType type, MemorySegment source,
        MemorySegment destination) {
        checkCombined(call, op, type, source, destination);
        checkLoggedPart(call, "source", source.byteSize());
    }

    void checkGather(String call, MemorySegment source, MemorySegment destination, int root) {
        checkRoot(call, root);
        checkSegment(call, "source", source, false, -1);
        if (rank == root) {
            checkSegment(call, "destination", destination, true, source.byteSize() * size);
        }
        checkLoggedPart(call, "source", source.byteSize());
    }

    void checkAllGather(String call, MemorySegment source, MemorySegment destination) {
        checkSegment(call, "source", source, false, -1);
        checkSegment(call, "destination", destination, true, source.byteSize() * size);
        checkLoggedPart(call, "source", source.byteSize());
    }

    void checkScatter(String call, MemorySegment source, MemorySegment destination, int root) {
        checkRoot(call, root);
        checkSegment(call, "destination", destination, true, -1);
        if (rank == root) {
            checkSegment(call, "source", source, false, destination.byteSize() * size);
        }
        checkLoggedPart(call, "destination", destination.byteSize());
    }

    void checkAllToAll(String call, MemorySegment source, MemorySegment destination) {
        checkSegment(call, "source", source, false, -1);
        if (source.byteSize() % size != 0) {
            throw new MisuseException(call + ": source=" + source.byteSize() + " bytes: must be a multiple of the "
                + size + " ranks");
        }
        checkSegment(call, "destination", destination, true, source.byteSize());
        checkLoggedPart(call, "part of source", source.byteSize() / size);
    }

    void checkParts(String call, MemorySegment source, long[] sendOffsets, long[] sendBytes,
        MemorySegment destination, long[] recvOffsets, long[] recvBytes) {
        checkSegment(call, "source", source, false, -1);
        checkSegment(call, "destination", destination, true, -1);
        checkParts(call, "send", sendOffsets, sendBytes, source);
        checkParts(call, "recv", recvOffsets, recvBytes, destination);
        if (sendBytes[rank] != recvBytes[rank]) {
            throw new MisuseException(call + ": rank " + rank + " sends " + sendBytes[rank] + " bytes to itself, and "
                + "receives " + recvBytes[rank]);
        }
    }

    private void checkArray(String call, String name, long[] array) {
        if (array == null || array.length != size) {
            throw new MisuseException(call + ": " + name + (array == null ? " is null" : " has " + array.length
                + " elements") + ": must have " + size + ", one for each rank of the channel");
        }
    }

    private void checkParts(String call, String way, long[] offsets, long[] bytes, MemorySegment segment) {
        checkArray(call, way + "Offsets", offsets);
        checkArray(call, way + "Bytes", bytes);
        for (int i = 0; i < offsets.length; i++) {
            if (offsets[i] < 0 || bytes[i] < 0 || offsets[i] > segment.byteSize() - bytes[i]) {
                throw new MisuseException(call + ": " + way + "Offsets[" + i + "]=" + offsets[i] + " " + way + "Bytes["
                    + i + "]=" + bytes[i] + ": the segment has " + segment.byteSize() + " bytes");
            }
            if (i != rank) {
                checkLogged(call, way + "Bytes[" + i + "]", bytes[i]);
            }
        }
    }
}
