package org.ftrma.rma.log;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.ftrma.FtrmaException;
import org.ftrma.PeerLostException;

/**
 * Reads the published records of one log, oldest first; the {@link #record} shows the present one. Where the region is
 * mapped, records are read in place; else chunk by chunk through a buffer. Whatever is read is checked before it is
 * used: a malformed log is an {@link FtrmaException} that names the log, the position and the value; a
 * {@link PeerLostException} if its home is lost meanwhile. The log must not be trimmed or dropped meanwhile; appending
 * is harmless. The data thread of the member that opened the region.
 */
public final class LogReader {
    /** What is missing where {@link #lacksUntold}. */
    public static final String UNTOLD = "a wait of the rank ended at --deadline, or a call of it with another "
        + "exception that depends on the moment, and no log tells that";

    private final LogRegion region;
    private final LogDescriptor layout;
    private final MemorySegment memory;
    private final LogRecord record;
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

    /** A reader of a region's logs; its buffer, if the region is not mapped, comes from the arena. */
    public LogReader(LogRegion region, Arena arena) {
        this.region = region;
        this.layout = region.layout;
        this.memory = region.direct != null ? region.direct : arena.allocate(layout.chunkBytes(), 64);
        this.record = new LogRecord(this, memory);
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
        record.skipBlocks();
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

    FtrmaException malformed(String what, long value) {
        if (region.isLost()) {
            return new PeerLostException(region.home, layout.logName(region.home, log) + " was lost while it was read");
        }
        return new FtrmaException(FtrmaException.Category.FATAL, layout.logName(region.home, log) + ": position chunk="
            + LogDescriptor.chunk(nextPosition) + " offset=" + LogDescriptor.offset(nextPosition) + ": " + what + "="
            + value + " is malformed");
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
            // of the own log only the heads of records are read, to trim it
            region.remote.prefault(layout.chunkOffset(chunk), bytes);
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
        if (record.nextBlock()) {
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
                record.skip();
            } else {
                long recordBytes = record.read(base(chunk) + at, end - at);
                position = nextPosition;
                nextPosition = LogDescriptor.position(chunk, at + recordBytes);
            }
        } while (record.kind() == LogDescriptor.VOID);
        return true;
    }

    /** Goes to the next record, past all blocks of this one's write; false at the end. */
    boolean nextWrite() {
        record.skipBlocks();
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
        record.skipBlocks();
        enter(chunk);
        nextPosition = LogDescriptor.position(chunk, LogDescriptor.CHUNK_HEADER);
        return this;
    }

    /** The record at which this stands: the same object for all of them. */
    public LogRecord record() {
        return record;
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

    /** The mark below which records are missing, 0: none. */
    public long gapMark() {
        return gapMark;
    }

    /**
     * In a log of puts: the atomic update up to which records are missing. In the log of locks: the recovery since when
     * they are.
     */
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

    /** In a log of results: whether what is missing is something that is no result (R38). */
    public boolean lacksUntold() {
        return gapUpdates == LogDescriptor.UNTOLD;
    }

    /** The number of gsyncs up to which records are missing. */
    public long gapGnc() {
        return gapGnc;
    }
}
