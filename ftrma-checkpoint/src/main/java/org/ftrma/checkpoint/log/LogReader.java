package org.ftrma.checkpoint.log;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.ftrma.FtrmaException;

/**
 * Reads the published records of one log, oldest first. Where the region is mapped, records are read in place; else chunk by chunk through a
 * buffer. Whatever is read is checked before it is used: a malformed log is an {@link FtrmaException} that names the log, the position and the
 * value. The log must not be trimmed or dropped meanwhile; appending is harmless. The data thread of the member that opened the region.
 */
public final class LogReader {
    private final LogRegion region;
    private final LogDescriptor layout;
    private final MemorySegment memory;
    private int log;
    private long tail;
    private long position;
    private long nextPosition;
    private int walked;
    private int loaded = -1;
    private long gapEc;
    private long gapGnc;
    private long gapUpdates;
    private long gapMark;

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
    /** Of a write of blocks: those that follow, and how far apart they are in the window. */
    private long blocksLeft;
    private long stride;

    /** A reader of a region's logs; its buffer, if the region is not mapped, comes from the arena. */
    public LogReader(LogRegion region, Arena arena) {
        this.region = region;
        this.layout = region.layout;
        this.memory = region.direct != null ? region.direct : arena.allocate(layout.chunkBytes(), 64);
    }

    /** Begins with the oldest record of a log; what is appended later is not seen. */
    public LogReader open(int which) {
        log = which;
        long entry = region.entry(which);
        tail = word(entry, LogDescriptor.ENTRY_TAIL);
        long head = word(entry, LogDescriptor.ENTRY_HEAD);
        gapMark = word(entry, LogDescriptor.ENTRY_GAP);
        gapUpdates = word(entry, LogDescriptor.ENTRY_GAP_UPDATES);
        gapEc = word(entry, LogDescriptor.ENTRY_GAP_EC);
        gapGnc = word(entry, LogDescriptor.ENTRY_GAP_GNC);
        walked = 0;
        loaded = -1;
        blocksLeft = 0;
        position = 0;
        nextPosition = tail == 0 ? 0 : head;
        if (tail != 0) {
            checkPosition("tail", tail);
            checkPosition("head", head);
            enter(LogDescriptor.chunk(head));
        }
        return this;
    }

    /** Nothing was ever written to a log without an entry. */
    private long word(long entry, long which) {
        return entry == 0 ? 0 : region.word(entry + which);
    }

    /** Goes on behind a mark of the log's writer, or stays at the head where that is later. */
    public LogReader seek(long mark) {
        if (tail == 0) {
            return this;
        }
        int chunk = LogDescriptor.chunk(nextPosition);
        long serial = chunkWord(chunk, LogDescriptor.CHUNK_SERIAL);
        while (serial < mark >>> 32) {
            if (chunk == LogDescriptor.chunk(tail)) {
                nextPosition = tail;
                return this;
            }
            chunk = follow(chunk);
            serial++;
            nextPosition = LogDescriptor.position(chunk, LogDescriptor.CHUNK_HEADER);
        }
        int at = (int) mark;
        if (serial == mark >>> 32 && at > LogDescriptor.offset(nextPosition)) {
            nextPosition = LogDescriptor.position(chunk, at);
            checkPosition("mark", nextPosition);
            if (chunk == LogDescriptor.chunk(tail) && at > LogDescriptor.offset(tail)) {
                nextPosition = tail;
            }
        }
        return this;
    }

    private FtrmaException malformed(String what, long value) {
        return new FtrmaException(FtrmaException.Category.FATAL, layout.logName(region.home, log) + ": position chunk="
            + LogDescriptor.chunk(nextPosition) + " offset=" + LogDescriptor.offset(nextPosition) + ": " + what + "=" + value + " is malformed");
    }

    private void checkPosition(String what, long value) {
        int at = LogDescriptor.offset(value);
        checkChunk(what, LogDescriptor.chunk(value));
        if (at < LogDescriptor.CHUNK_HEADER || at > layout.chunkBytes() || (at & 7) != 0) {
            throw malformed(what + " offset", at);
        }
    }

    private void checkChunk(String what, int chunk) {
        if (chunk < 0 || chunk >= layout.chunks()) {
            throw malformed(what + " chunk", chunk);
        }
    }

    private void enter(int chunk) {
        if (++walked > layout.chunks()) {
            throw malformed("chunks linked", walked);
        }
        long bytes = chunk == LogDescriptor.chunk(tail) ? LogDescriptor.offset(tail) : layout.chunkBytes();
        if (region.home != region.member) {
            region.remote.prefault(layout.chunkOffset(chunk), bytes); // of the own log only the heads of records are read, to trim it
        }
        if (region.direct == null && loaded != chunk) {
            region.remote.get(memory, 0, layout.chunkOffset(chunk), bytes);
            region.complete();
            loaded = chunk;
        }
        long owner = chunkWord(chunk, LogDescriptor.CHUNK_OWNER);
        if ((int) owner != log) {
            throw malformed("chunk " + chunk + " owner", owner);
        }
    }

    /** Offset of a chunk in what {@link #data} returns. */
    private long base(int chunk) {
        return region.direct != null ? layout.chunkOffset(chunk) : 0;
    }

    private long chunkWord(int chunk, long word) {
        return memory.get(JAVA_LONG_UNALIGNED, base(chunk) + word);
    }

    private int follow(int chunk) {
        long next = chunkWord(chunk, LogDescriptor.CHUNK_NEXT) - 1;
        if (next < 0 || next >= layout.chunks()) {
            throw malformed("next chunk", next);
        }
        enter((int) next);
        return (int) next;
    }

    /** Goes to the next record; false at the end. */
    public boolean next() {
        if (blocksLeft > 0) {
            blocksLeft--;
            offset += stride;
            dataOffset += length;
            return true;
        }
        do {
            if (nextPosition == tail) {
                return false;
            }
            int chunk = LogDescriptor.chunk(nextPosition);
            int at = LogDescriptor.offset(nextPosition);
            boolean newest = chunk == LogDescriptor.chunk(tail);
            long end = newest ? LogDescriptor.offset(tail) : chunkWord(chunk, LogDescriptor.CHUNK_END);
            if (end < LogDescriptor.CHUNK_HEADER || end > layout.chunkBytes()) {
                throw malformed("end of chunk " + chunk, end);
            }
            if (!newest && at == end) {
                chunk = follow(chunk);
                nextPosition = LogDescriptor.position(chunk, LogDescriptor.CHUNK_HEADER);
                kind = LogDescriptor.VOID;
            } else {
                read(chunk, at, end);
            }
        } while (kind == LogDescriptor.VOID);
        return true;
    }

    /** Goes to the next record, past all blocks of this one's write; false at the end. */
    boolean nextWrite() {
        blocksLeft = 0;
        return next();
    }

    /** The log's chunks from the one that the next record is in, or would be, to the newest one. */
    int[] chunksAhead() {
        if (tail == 0) {
            return new int[0];
        }
        int[] ahead = new int[layout.chunks()];
        int count = 0;
        int chunk = LogDescriptor.chunk(nextPosition);
        ahead[count++] = chunk;
        while (chunk != LogDescriptor.chunk(tail)) {
            long next = region.word(layout.chunkOffset(chunk) + LogDescriptor.CHUNK_NEXT) - 1;
            if (next < 0 || next >= layout.chunks() || count == ahead.length) {
                throw malformed("after " + count + " chunks the next one", next);
            }
            chunk = (int) next;
            ahead[count++] = chunk;
        }
        return Arrays.copyOf(ahead, count);
    }

    /** Goes on from the beginning of one of {@link #chunksAhead}. */
    LogReader toChunk(int chunk) {
        walked = 0;
        blocksLeft = 0;
        enter(chunk);
        nextPosition = LogDescriptor.position(chunk, LogDescriptor.CHUNK_HEADER);
        return this;
    }

    private void read(int chunk, int at, long end) {
        if (end - at < LogDescriptor.RECORD_BYTES) {
            throw malformed("bytes left", end - at);
        }
        long from = base(chunk) + at;
        long word = memory.get(JAVA_LONG_UNALIGNED, from);
        long recordBytes = word & 0xffff_ffffL;
        long lengths = memory.get(JAVA_LONG_UNALIGNED, from + 48);
        length = lengths & 0xffff_ffffL;
        if (recordBytes < LogDescriptor.RECORD_BYTES || recordBytes > end - at || (recordBytes & 7) != 0) {
            throw malformed("record bytes", recordBytes);
        }
        if (length > recordBytes - LogDescriptor.RECORD_BYTES) {
            throw malformed("data bytes", length);
        }
        kind = (int) (word >>> 32) & 255;
        window = (int) (word >>> 40) & 255;
        code = (int) (word >>> 48) & 255;
        more = (word >>> 56 & LogDescriptor.FLAG_MORE) != 0;
        shared = (word >>> 56 & LogDescriptor.FLAG_SHARED) != 0;
        if (kind < LogDescriptor.VOID || kind >= LogDescriptor.KINDS) {
            throw malformed("kind", kind);
        }
        if ((kind == LogDescriptor.ATOMIC || kind == LogDescriptor.COMPARE_AND_SWAP) && (!LogDescriptor.isCode(code) || length != 24)) {
            throw malformed("code or data bytes of an atomic access", (long) code << 32 | length);
        }
        if (isValue() && length != 8) {
            throw malformed("data bytes of one value", length);
        }
        timeline = (int) (lengths >>> 32);
        ec = memory.get(JAVA_LONG_UNALIGNED, from + 8);
        gc = memory.get(JAVA_LONG_UNALIGNED, from + 16);
        gnc = memory.get(JAVA_LONG_UNALIGNED, from + 24);
        long counts = memory.get(JAVA_LONG_UNALIGNED, from + 32);
        sc = counts & 0xffff_ffffL;
        repeats = counts >>> 32;
        offset = memory.get(JAVA_LONG_UNALIGNED, from + 40);
        if (offset < 0) {
            throw malformed("offset in the window", offset);
        }
        dataOffset = from + LogDescriptor.RECORD_BYTES;
        position = nextPosition;
        if (kind == LogDescriptor.PUT_STRIDED) {
            readStrides(recordBytes);
        }
        nextPosition = LogDescriptor.position(chunk, at + recordBytes);
    }

    private void readStrides(long recordBytes) {
        long padded = LogDescriptor.align(length);
        if (recordBytes != LogDescriptor.RECORD_BYTES + padded + LogDescriptor.STRIDES) {
            throw malformed("data bytes of blocks", length);
        }
        stride = memory.get(JAVA_LONG_UNALIGNED, dataOffset + padded);
        long blockBytes = memory.get(JAVA_LONG_UNALIGNED, dataOffset + padded + 8);
        if (blockBytes < 1 || blockBytes > length || length % blockBytes != 0) {
            throw malformed("bytes of a block", blockBytes);
        }
        blocksLeft = length / blockBytes - 1;
        if (stride < blockBytes || blocksLeft > 0 && stride > (Long.MAX_VALUE - offset) / length) {
            throw malformed("stride", stride);
        }
        kind = LogDescriptor.PUT;
        length = blockBytes;
    }

    private boolean isValue() {
        return kind == LogDescriptor.GET_LONG || kind == LogDescriptor.LOCK || kind == LogDescriptor.UNLOCK || kind == LogDescriptor.NONDETERMINISTIC;
    }

    /** Whether SC is the acquisition of a shared lock. */
    public boolean isShared() {
        return shared;
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

    /** In a log of puts: how many locks the source had taken and given back. In the log of locks: the number of the event. */
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

    /** One of the values of an access of whole words: 0 the value; or 0 operand (or what was expected), 1 old, 2 new value. */
    public long value(int index) {
        if (index < 0 || 8L * index + 8 > length) {
            throw malformed("data bytes, of which word " + index + " is read", length);
        }
        return memory.get(JAVA_LONG_UNALIGNED, dataOffset + 8L * index);
    }

    /** The position of the record, for messages; blocks of one write have the same. */
    public long position() {
        return position;
    }

    /** A mark before the record and all blocks of its write, as {@link #markAfter}. */
    long markBefore() {
        return markOf(position);
    }

    /** A mark behind the record and all blocks of its write, for {@link LogWriter#trimTo} and {@link #seek}. */
    public long markAfter() {
        return markOf(nextPosition);
    }

    private long markOf(long which) {
        return chunkWord(LogDescriptor.chunk(which), LogDescriptor.CHUNK_SERIAL) << 32 | LogDescriptor.offset(which);
    }

    /** In a log of puts: the number of the atomic update, counted from 1 and going round after 2^32. */
    public long update() {
        return repeats;
    }

    /** The mark below which records are missing, 0: none. */
    public long gapMark() {
        return gapMark;
    }

    /** In a log of puts: the atomic update up to which records are missing. In the log of locks: the recovery since when they are. */
    public long gapUpdates() {
        return gapUpdates;
    }

    /** Whether records are missing before the oldest one. */
    public boolean hasGap() {
        return gapMark != 0;
    }

    /** The epoch up to which records are missing. */
    public long gapEc() {
        return gapEc;
    }

    /** The number of gsyncs up to which records are missing. */
    public long gapGnc() {
        return gapGnc;
    }
}
