package org.ftrma.rma.log;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;

/**
 * The record at which a {@link LogReader} stands: its determinant and its data, by name, in place. There is one object
 * for each reader, which the reader moves on; what it says is good until then. Whatever is in memory is checked before
 * it is shown. The reader's thread.
 */
public final class LogRecord {
    private static final int BYTE = 255;

    private final LogReader reader;
    private final MemorySegment memory;
    private int kind;
    private int window;
    private int code;
    private boolean shared;
    private boolean more;
    private long ec;
    private long gc;
    private long gnc;
    private long sc;
    private long repeats;
    private long offset;
    private long length;
    private int timeline;
    private long dataOffset;
    /** Of a put of blocks: those that follow, and how far apart they are in the window. */
    private long blocksLeft;
    private long stride;

    LogRecord(LogReader reader, MemorySegment memory) {
        this.reader = reader;
        this.memory = memory;
    }

    /**
     * Becomes the record at that place.
     *
     * @param bytesLeft how far its log is known to go on there
     * @return bytes of the record
     */
    long read(long from, long bytesLeft) {
        if (bytesLeft < LogDescriptor.RECORD_BYTES) {
            throw reader.malformed("bytes left", bytesLeft);
        }
        long word = memory.get(JAVA_LONG_UNALIGNED, from);
        long recordBytes = word & 0xffff_ffffL;
        long lengths = memory.get(JAVA_LONG_UNALIGNED, from + 48);
        length = lengths & 0xffff_ffffL;
        if (recordBytes < LogDescriptor.RECORD_BYTES || recordBytes > bytesLeft || (recordBytes & 7) != 0) {
            throw reader.malformed("record bytes", recordBytes);
        }
        if (length > recordBytes - LogDescriptor.RECORD_BYTES) {
            throw reader.malformed("data bytes", length);
        }
        readWhat((int) (word >>> 32));
        timeline = (int) (lengths >>> 32);
        ec = memory.get(JAVA_LONG_UNALIGNED, from + 8);
        gc = memory.get(JAVA_LONG_UNALIGNED, from + 16);
        gnc = memory.get(JAVA_LONG_UNALIGNED, from + 24);
        long counts = memory.get(JAVA_LONG_UNALIGNED, from + LogDescriptor.RECORD_COUNTS);
        sc = counts & LogDescriptor.SC_MASK;
        repeats = counts >>> 32;
        offset = memory.get(JAVA_LONG_UNALIGNED, from + 40);
        if (offset < 0) {
            throw reader.malformed("offset in the window", offset);
        }
        dataOffset = from + LogDescriptor.RECORD_BYTES;
        if (kind == LogDescriptor.PUT_STRIDED) {
            readStrides(recordBytes);
        }
        return recordBytes;
    }

    private void readWhat(int what) {
        kind = what & BYTE;
        window = what >>> 8 & BYTE;
        code = what >>> 16 & BYTE;
        more = (what >>> LogDescriptor.FLAGS & LogDescriptor.FLAG_MORE) != 0;
        shared = (what >>> LogDescriptor.FLAGS & LogDescriptor.FLAG_SHARED) != 0;
        if (kind < LogDescriptor.VOID || kind >= LogDescriptor.KINDS) {
            throw reader.malformed("kind", kind);
        }
        if ((kind == LogDescriptor.ATOMIC || kind == LogDescriptor.COMPARE_AND_SWAP)
            && (!LogDescriptor.isCode(code) || length != 24)) {
            throw reader.malformed("code or data bytes of an atomic access", (long) code << 32 | length);
        }
        if (kind == LogDescriptor.WAIT && (length & 7) != 0) {
            throw reader.malformed("data bytes of a wait", length);
        }
        if (isValue() && length != 8) {
            throw reader.malformed("data bytes of one value", length);
        }
    }

    private boolean isValue() {
        return kind == LogDescriptor.GET_LONG || kind == LogDescriptor.LOCK || kind == LogDescriptor.UNLOCK
            || kind == LogDescriptor.NONDETERMINISTIC || kind == LogDescriptor.SIGNAL;
    }

    private void readStrides(long recordBytes) {
        long padded = LogDescriptor.align(length);
        if (recordBytes != LogDescriptor.RECORD_BYTES + padded + LogDescriptor.STRIDES) {
            throw reader.malformed("data bytes of blocks", length);
        }
        stride = memory.get(JAVA_LONG_UNALIGNED, dataOffset + padded);
        long blockBytes = memory.get(JAVA_LONG_UNALIGNED, dataOffset + padded + 8);
        if (blockBytes < 1 || blockBytes > length || length % blockBytes != 0) {
            throw reader.malformed("bytes of a block", blockBytes);
        }
        blocksLeft = length / blockBytes - 1;
        if (stride < blockBytes || blocksLeft > 0 && stride > (Long.MAX_VALUE - offset) / length) {
            throw reader.malformed("stride", stride);
        }
        kind = LogDescriptor.PUT;
        length = blockBytes;
    }

    /** Becomes the next block of the same put; false if there is none. */
    boolean nextBlock() {
        if (blocksLeft == 0) {
            return false;
        }
        blocksLeft--;
        offset += stride;
        dataOffset += length;
        return true;
    }

    /** The blocks of the same put that follow are passed over. */
    void skipBlocks() {
        blocksLeft = 0;
    }

    /** Becomes none: what follows is in another chunk. */
    void skip() {
        kind = LogDescriptor.VOID;
    }

    /** Kind of the record, one of {@link LogDescriptor}. */
    public int kind() {
        return kind;
    }

    /** Number of the window. */
    public int window() {
        return window;
    }

    /** Operation and type: {@link LogDescriptor#op}, {@link LogDescriptor#type}. */
    public int code() {
        return code;
    }

    /** Whether SC is the acquisition of a shared lock. */
    public boolean isShared() {
        return shared;
    }

    /** Whether the same access goes on in the next record. */
    public boolean more() {
        return more;
    }

    /** Number of the epoch the access belongs to, from 1. */
    public long ec() {
        return ec;
    }

    /** Flushes that the source had issued. */
    public long gc() {
        return gc;
    }

    /**
     * In a log of puts: how many locks the source had taken and given back. In the log of locks: the number of the
     * event.
     */
    public long lockEvents() {
        return gc;
    }

    /** Gsyncs and other collectives that the source had completed. */
    public long gnc() {
        return gnc;
    }

    /** Number of the lock acquisition at the target, 0: none. */
    public long sc() {
        return sc;
    }

    /** How often the access was repeated with the same outcome. */
    public long repeats() {
        return repeats;
    }

    /** In a log of puts: the number of the atomic update, counted from 1 and going round after 2^32. */
    public long update() {
        return repeats;
    }

    /** Offset in the window, in bytes. */
    public long offset() {
        return offset;
    }

    /** Bytes of data. */
    public long length() {
        return length;
    }

    /** The timeline the record belongs to. */
    public int timeline() {
        return timeline;
    }

    /** Where the data lies, from {@link #dataOffset}; valid until the next record is read. */
    public MemorySegment data() {
        return memory;
    }

    /** Where the data begins in {@link #data}. */
    public long dataOffset() {
        return dataOffset;
    }

    /**
     * One of the values of an access of whole words: 0 the value; or 0 operand (or what was expected), 1 old, 2 new
     * value.
     */
    public long value(int index) {
        if (index < 0 || 8L * index + 8 > length) {
            throw reader.malformed("data bytes, of which word " + index + " is read", length);
        }
        return memory.get(JAVA_LONG_UNALIGNED, dataOffset + 8L * index);
    }

    /** The access with its determinant, for messages. */
    @Override
    public String toString() {
        return switch (kind) {
            case LogDescriptor.ATOMIC -> LogDescriptor.op(code) + " " + LogDescriptor.type(code);
            case LogDescriptor.COMPARE_AND_SWAP -> "compareAndSwap " + LogDescriptor.type(code);
            default -> LogDescriptor.kindName(kind);
        } + " window=" + window + " offset=" + offset + switch (kind) {
            case LogDescriptor.ATOMIC -> " operand=" + value(0);
            case LogDescriptor.COMPARE_AND_SWAP -> " expected=" + value(0) + " old=" + value(1) + " new=" + value(2);
            default -> " length=" + length;
        } + " EC=" + ec + " GC=" + gc + " GNC=" + gnc + " SC=" + sc;
    }
}
