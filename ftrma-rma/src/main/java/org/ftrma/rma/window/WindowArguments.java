package org.ftrma.rma.window;

import java.lang.foreign.MemorySegment;
import org.ftrma.AtomicOp;
import org.ftrma.Comparison;
import org.ftrma.DataType;
import org.ftrma.LockType;
import org.ftrma.MisuseException;
import org.ftrma.options.Protocol;

/** Checks of the arguments of a window's accesses, and their texts. Immutable; hot path. */
final class WindowArguments {
    /** Parameters that are local memory, as messages name them. */
    static final String DESTINATION = "destination";
    static final String RESULT = "result";
    static final String SOURCE = "source";

    private final String name;
    private final WindowSizes sizes;
    private final long largest;
    private final int ranks;
    private final int own;
    private final Protocol protocol;

    WindowArguments(String name, WindowSizes sizes, Protocol protocol, int own) {
        this.name = name;
        this.sizes = sizes;
        this.largest = sizes.largest();
        this.ranks = sizes.byRank.length;
        this.own = own;
        this.protocol = protocol;
    }

    /** Refuses accesses of other ranks where messages are logged, and they are not; -1: of all. */
    void requireReached(int target) {
        if (target != own && protocol.logsMessages()) {
            throw new MisuseException("window=" + name + " target=" + (target < 0 ? "all" : target)
                + ": with --protocol " + protocol + " messages are logged, and accesses of other ranks' windows are "
                + "not: send messages alone, or use --protocol " + Protocol.COORDINATED + ", which has windows and"
                + " messages, or --protocol " + Protocol.FULL + " (windows alone)");
        }
    }

    /** The bytes of a rank's part. */
    long bytesOf(int rank) {
        if (rank < 0 || rank >= ranks) {
            throw noSuchRank(rank);
        }
        return sizes.byRank[rank];
    }

    MisuseException noSuchRank(int target) {
        return new MisuseException("target=" + target + " ranks=" + ranks + " window=" + name + ": no such rank");
    }

    MisuseException outside(int target, long offset, long length) {
        return new MisuseException("offset=" + offset + " length=" + length + " windowLength="
            + sizes.orLargest(target) + " window=" + name + " target=" + target
            + ": outside the window");
    }

    /** Local memory that is read. */
    void checkSource(MemorySegment segment, long offset, long length) {
        checkLocal(segment, offset, length, SOURCE);
    }

    /** Local memory that is written to. */
    void checkWritten(MemorySegment segment, long offset, long length, String what) {
        checkLocal(segment, offset, length, what);
        if (segment.isReadOnly()) {
            throw readOnly(what);
        }
    }

    /** Elements of an array; length -1: there is none. */
    void checkArray(int length, int from, int count, String what) {
        if ((from | count) < 0 || from > length - count) {
            throw new MisuseException(what + "From=" + from + " count=" + count + " " + what + "Length="
                + (length < 0 ? "null" : length) + " window=" + name
                + (length < 0 ? ": " + what + " is null; give the array" : ": outside the array"));
        }
    }

    /** UCX asks nobody whether memory is still there, or whose it is: that is asked here, on all paths alike. */
    private void checkLocal(MemorySegment segment, long offset, long length, String what) {
        if (segment == null || (offset | length) < 0 || offset > segment.byteSize() - length) {
            throw new MisuseException(what + "Offset=" + offset + " length=" + length + " " + what + "Length="
                + (segment == null ? "null" : segment.byteSize()) + " window=" + name
                + (segment == null ? ": " + what + " is null; give the local segment" : ": outside the local segment"));
        }
        if (!segment.scope().isAlive() || !segment.isAccessibleBy(Thread.currentThread())) {
            throw unusable(segment, what);
        }
    }

    private MisuseException readOnly(String what) {
        return new MisuseException(what + "=read-only window=" + name
            + ": it would be written to; pass a segment that was not made with asReadOnly()");
    }

    private MisuseException unusable(MemorySegment segment, String what) {
        String thread = Thread.currentThread().getName();
        return new MisuseException(segment.scope().isAlive()
            ? what + "=confined to another thread window=" + name + " thread=" + thread
                + ": its arena belongs to the thread that opened it; allocate it from Arena.ofShared() or ofAuto(), "
                + "or on thread " + thread
            : what + "=closed window=" + name
            + ": its arena has been closed; keep it open until a flushLocal, flush, unlock or gsync");
    }

    void checkSourceBlocks(MemorySegment segment, long offset, long stride, long blockBytes, long count) {
        checkLocalBlocks(segment, offset, stride, blockBytes, count, SOURCE);
    }

    void checkWrittenBlocks(MemorySegment segment, long offset, long stride, long blockBytes, long count, String what) {
        checkLocalBlocks(segment, offset, stride, blockBytes, count, what);
        if (segment.isReadOnly()) {
            throw readOnly(what);
        }
    }

    /** Of blocks that {@link #checkBlocks} has passed. */
    private void checkLocalBlocks(MemorySegment segment, long offset, long stride, long blockBytes, long count,
        String what) {
        if (segment != null && count > 1 && stride > 0 && count - 1 > segment.byteSize() / stride) {
            throw new MisuseException(what + "Offset=" + offset + " " + what + "Stride=" + stride + " blockBytes="
                + blockBytes + " count=" + count
                + " " + what + "Length=" + segment.byteSize() + " window=" + name + ": outside the local segment");
        }
        checkLocal(segment, offset, span(stride, blockBytes, count), what);
    }

    void checkStaged(int target, long length) {
        long most = sizes.orLargest(target);
        if (length < 1 || length > most) {
            throw new MisuseException("length=" + length + " windowLength=" + most + " window=" + name + " target="
                + target
                + ": a staged put has at least 1 byte and fits the window");
        }
    }

    void checkOperation(AtomicOp op, DataType type) {
        if (op == null || type == null) {
            throw new MisuseException("operation=" + op + " type=" + type + " window=" + name
                + ": neither may be null");
        }
    }

    void checkLockType(LockType type, int target) {
        requireReached(target);
        if (type == null) {
            throw new MisuseException("type=null window=" + name + " target=" + target
                + ": a lock is SHARED or EXCLUSIVE");
        }
    }

    void checkElements(AtomicOp op, DataType type, int target, long offset, long count) {
        checkOperation(op, type);
        if (!op.supports(type)) {
            throw new MisuseException("operation=" + op + " type=" + type + " window=" + name + (op.hasIndex()
                ? ": combines pairs of a value and an index, in reductions only; use MIN or MAX" : ": not defined"));
        }
        if (count < 0 || count > largest / type.bytes()) {
            throw outside(target, offset, count);
        }
        checkAligned(type, target, offset);
    }

    void checkAligned(DataType type, int target, long offset) {
        if ((offset & (type.bytes() - 1)) != 0) {
            throw new MisuseException("offset=" + offset + " type=" + type + " window=" + name + " target=" + target
                + ": atomic accesses must be aligned to " + type.bytes() + " bytes");
        }
    }

    void checkSignal(AtomicOp op, int target, long offset) {
        if (op != AtomicOp.REPLACE && op != AtomicOp.SUM) {
            throw new MisuseException("operation=" + op + " window=" + name + " target=" + target
                + ": a signal sets its cell (REPLACE) or adds to it (SUM)");
        }
        checkAligned(DataType.INT64, target, offset);
    }

    void checkWait(Comparison comparison, long offset) {
        if (comparison == null) {
            throw new MisuseException("comparison=null window=" + name + " offset=" + offset
                + ": what is waited for is one of " + java.util.Arrays.toString(Comparison.values()));
        }
        checkAligned(DataType.INT64, own, offset);
    }

    void checkBlocks(int target, long offset, long stride, long localStride, long blockBytes, long count) {
        if (blockBytes < 0 || count < 0 || stride < blockBytes || localStride < blockBytes) {
            throw new MisuseException("blockBytes=" + blockBytes + " count=" + count + " stride=" + stride
                + " localStride=" + localStride
                + " window=" + name + " target=" + target
                + ": strides must be at least the block, and nothing negative");
        }
        if (count > 0 && offset >= 0 && stride > 0 && (count - 1) > (largest - blockBytes - offset) / stride) {
            throw new MisuseException("offset=" + offset + " stride=" + stride + " blockBytes=" + blockBytes + " count="
                + count
                + " windowLength=" + sizes.orLargest(target) + " window=" + name + " target=" + target
                + ": outside the window");
        }
    }

    void checkElementBlocks(DataType type, long stride, long localStride, long blockElements) {
        if (blockElements < 0 || blockElements > largest / type.bytes()
            || ((stride | localStride) & (type.bytes() - 1)) != 0) {
            throw new MisuseException("blockElements=" + blockElements + " stride=" + stride + " localStride="
                + localStride + " type=" + type
                + " window=" + name + ": strides are multiples of the element, blocks fit the window");
        }
    }

    /** From the first byte of the first block to the last one of the last. */
    static long span(long stride, long blockBytes, long count) {
        return count == 0 ? 0 : (count - 1) * stride + blockBytes;
    }
}
