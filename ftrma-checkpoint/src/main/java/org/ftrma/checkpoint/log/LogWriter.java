package org.ftrma.checkpoint.log;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.ftrma.checkpoint.log.LogDescriptor.header;
import static org.ftrma.checkpoint.log.LogDescriptor.strides;

import java.lang.foreign.MemorySegment;
import org.ftrma.FtrmaException;

/**
 * The append end of one log; a log has one writer. Where the region is mapped, records are written in place; else they are put, completed, and then
 * the tail is put. Readers see a record when the tail was published: {@code append} does that, {@code write} leaves it to a later
 * {@link #publish}. Data thread only; nothing on this path allocates but {@link #reserve}.
 *
 * <p>When no chunk is left the whole log is dropped: its records are gone, the gap says up to which counters, and what is appended from then on
 * is kept again.
 */
public final class LogWriter {
    private static final int MIN_FRAGMENT = 64;
    private static final int SMALL_BYTES = LogDescriptor.RECORD_BYTES + 24;

    /**
     * Room of up to this size is brought into the cache before it is given out, in the order of addresses, which costs half of what it costs a program
     * that writes rows here and there in memory that no cache holds.
     */
    private static final int CACHED_BYTES = 1 << 20;
    private final LogDescriptor layout;
    private final LogRegion region;
    private final MemorySegment direct;
    private final int log;
    private final long entry;
    private final long timeline;
    private final Runnable beforeDrop;
    /** Region offsets: the next record, the end of the chunk; equal if there is no chunk. */
    private long at;
    private long chunkEnd;
    /** What makes a position of a region offset in the present chunk. */
    private long bias;
    private int first = -1;
    private int chunk = -1;
    private int chunks;
    private long nextSerial;
    private long published;
    private long headMark;
    /** Offset of the end of the last chunk but one. */
    private long previousEnd;
    private final LogGap gap;
    private long reserved = -1;
    private long reservedBytes;
    private int pinned = -1;
    private long last = -1;
    private final LateCopy late = new LateCopy();
    private long newestUpdate;
    private long records;
    private long bytes;
    private long drops;

    /**
     * Opens a log for appending. It goes on after what is published there already: a replacement continues the logs of its predecessor.
     *
     * @param beforeDrop run before the log's memory is used again after a drop: completes puts whose source is in the log; may be null
     */
    public LogWriter(LogRegion region, int log, Runnable beforeDrop) {
        this.layout = region.layout;
        this.region = region;
        this.direct = region.direct;
        this.log = log;
        this.entry = region.makeEntry(log);
        this.timeline = (long) region.timeline() << 32;
        this.beforeDrop = beforeDrop;
        this.gap = new LogGap(region, entry);
        resume();
    }

    private void resume() {
        long head = region.word(entry + LogDescriptor.ENTRY_HEAD);
        published = region.word(entry + LogDescriptor.ENTRY_TAIL);
        nextSerial = region.word(entry + LogDescriptor.ENTRY_SERIAL);
        if (published == 0) {
            return;
        }
        first = LogDescriptor.chunk(head);
        chunk = LogDescriptor.chunk(published);
        int offset = LogDescriptor.offset(published);
        if (first < 0 || first >= layout.chunks() || chunk < 0 || chunk >= layout.chunks() || offset < LogDescriptor.CHUNK_HEADER
            || offset > layout.chunkBytes() || (offset & 7) != 0) {
            throw malformed("head " + head + ", tail " + published);
        }
        long serial = serialOf(chunk);
        long linked = serial - serialOf(first) + 1;
        if (linked < 1 || linked > layout.chunks() || serial >= nextSerial) {
            throw malformed("serials " + serialOf(first) + " to " + serial + ", next " + nextSerial);
        }
        chunks = (int) linked;
        nextSerial = serial + 1;
        headMark = serialOf(first) << 32 | LogDescriptor.offset(head);
        enter(chunk, offset);
        region.word(layout.chunkOffset(chunk) + LogDescriptor.CHUNK_END, 0);
        region.word(layout.chunkOffset(chunk) + LogDescriptor.CHUNK_NEXT, 0);
        region.complete();
    }

    private long serialOf(int which) {
        return region.word(layout.chunkOffset(which) + LogDescriptor.CHUNK_SERIAL);
    }

    private FtrmaException malformed(String what) {
        return new FtrmaException(FtrmaException.Category.FATAL, layout.logName(region.home, log) + ": malformed: " + what);
    }

    private void enter(int newChunk, int offset) {
        long base = layout.chunkOffset(newChunk);
        chunk = newChunk;
        at = base + offset;
        chunkEnd = base + layout.chunkBytes();
        bias = LogDescriptor.position(newChunk, 0) - base;
    }

    /** Appends and publishes a record with data. As {@link #write}. */
    public boolean append(int kind, int window, int code, long offset, long ec, long gc, long sc, long gnc, MemorySegment data, long dataOffset,
        long length) {
        if (!write(kind, window, code, offset, ec, gc, sc, gnc, data, dataOffset, length)) {
            return false;
        }
        publishUnlessLate();
        return true;
    }

    /**
     * The data of the append that follows stays unchanged until the log is {@link #settle settled}: what of it does not end a chunk may be copied
     * later, by {@link #progress}; readers see the record then. Whatever else is done with the log settles it first.
     */
    void putOff() {
        late.want(direct != null);
    }

    /** Copies about so many bytes of data that was put off; false if there is none. */
    boolean progress(long pieceBytes) {
        if (!late.isPending()) {
            return false;
        }
        late.move(region, pieceBytes);
        if (!late.isPending()) {
            publish();
        }
        return true;
    }

    /** Readers see all records: data that was put off is copied. */
    void settle() {
        late.want(false);
        if (late.isPending()) {
            publish();
        }
    }

    private void publishUnlessLate() {
        late.want(false);
        if (!late.isPending()) {
            publish();
        }
    }

    private void store(MemorySegment data, long dataOffset, long to, long length) {
        if (late.isWanted() && length > 0) {
            late.finish(region); // of the same append, at the end of another chunk
            late.begin(data, dataOffset, to, length);
        } else {
            region.copy(data, dataOffset, to, length);
        }
    }

    /** Appends and publishes a record of one value. As {@link #write}. */
    public boolean appendLong(int kind, int window, int code, long offset, long ec, long gc, long sc, long gnc, long value) {
        long to = at;
        MemorySegment memory = direct;
        if (memory == null || to + LogDescriptor.RECORD_BYTES + 8 > chunkEnd || !late.isIdle()) {
            return writeLong(kind, window, code, offset, ec, gc, sc, gnc, value) && published();
        }
        header(timeline, memory, to, LogDescriptor.RECORD_BYTES + 8, kind, window, code, 0, offset, ec, gc, sc, gnc, 8);
        memory.set(JAVA_LONG_UNALIGNED, to + LogDescriptor.RECORD_BYTES, value);
        last = to;
        at = to + LogDescriptor.RECORD_BYTES + 8;
        records++;
        bytes += LogDescriptor.RECORD_BYTES + 8;
        published = bias + at;
        LogRegion.LONG.setRelease(memory, entry + LogDescriptor.ENTRY_TAIL, published);
        return true;
    }

    /** Appends and publishes a record of three values (operand, old, new). As {@link #write}. */
    public boolean appendLong(int kind, int window, int code, long offset, long ec, long gc, long sc, long gnc, long value, long value2,
        long value3) {
        return writeLong(kind, window, code, offset, ec, gc, sc, gnc, value, value2, value3) && published();
    }

    /** Appends and publishes the atomic update of that number to a log of puts. As {@link #write}. */
    public boolean appendUpdate(int kind, int window, int code, long offset, long ec, long gc, long sc, long gnc, long number, long operand,
        long old, long updated) {
        settle();
        newestUpdate = number;
        if (!writeLong(kind, window, code, offset, ec, gc, sc, gnc, operand, old, updated)) {
            return false;
        }
        region.word(last + 32, sc & 0xffff_ffffL | (number & LogDescriptor.UPDATES_MASK) << 32);
        return published();
    }

    private boolean published() {
        publish();
        return true;
    }

    /**
     * Appends a record, which readers see after {@link #publish}. Data that does not fit the chunk goes to several records of the same determinant.
     * Where the region is not mapped, {@code data} must stay unchanged until then.
     *
     * @param kind a kind of {@link LogDescriptor}
     * @param window number of the window, up to 255
     * @param code {@link LogDescriptor#code}, or 0
     * @param offset in the window, in bytes
     * @param length of the data, in bytes
     * @return false if there was no room: the log was dropped, up to and including this record
     */
    public boolean write(int kind, int window, int code, long offset, long ec, long gc, long sc, long gnc, MemorySegment data, long dataOffset,
        long length) {
        late.finish(region);
        long done = 0;
        do {
            long room = chunkEnd - at - LogDescriptor.RECORD_BYTES;
            if (room < Math.min(LogDescriptor.align(length - done), MIN_FRAGMENT)) {
                if (!nextChunk()) {
                    drop(ec, gnc);
                    return false;
                }
                room = chunkEnd - at - LogDescriptor.RECORD_BYTES;
            }
            long part = Math.min(length - done, room);
            long recordBytes = LogDescriptor.RECORD_BYTES + LogDescriptor.align(part);
            int flags = done + part < length ? LogDescriptor.FLAG_MORE : 0;
            if (direct != null) {
                header(timeline, direct, at, recordBytes, kind, window, code, flags, offset + done, ec, gc, sc, gnc, part);
                store(data, dataOffset + done, at + LogDescriptor.RECORD_BYTES, part);
            } else {
                long stage = region.stage(LogDescriptor.RECORD_BYTES);
                header(timeline, region.staging(), stage, recordBytes, kind, window, code, flags, offset + done, ec, gc, sc, gnc, part);
                region.remote.put(region.staging(), stage, at, LogDescriptor.RECORD_BYTES);
                if (part > 0) {
                    region.remote.put(data, dataOffset + done, at + LogDescriptor.RECORD_BYTES, part);
                }
            }
            advance(recordBytes);
            done += part;
        } while (done < length);
        last = -1;
        return true;
    }

    /**
     * Appends and publishes a write of {@code count} blocks of {@code blockBytes}, which are {@code dataStride} apart in {@code data} and {@code
     * stride} apart in the window: one record for as many as fit in a chunk. As {@link #write}.
     */
    public boolean appendStrided(int window, long offset, long stride, long blockBytes, long count, long ec, long gc, long sc, long gnc,
        MemorySegment data, long dataOffset, long dataStride) {
        late.finish(region);
        long done = 0;
        while (done < count) {
            long fit = (chunkEnd - at - LogDescriptor.RECORD_BYTES - LogDescriptor.STRIDES) / blockBytes;
            if (fit < 1 && blockBytes <= layout.maxReserve()) {
                if (!nextChunk()) {
                    drop(ec, gnc);
                    return false;
                }
                fit = layout.maxReserve() / blockBytes;
            }
            long part = Math.min(fit, count - done);
            if (part < 1) {
                if (!write(LogDescriptor.PUT, window, 0, offset + done * stride, ec, gc, sc, gnc, data, dataOffset + done * dataStride, blockBytes)) {
                    return false;
                }
                part = 1;
            } else {
                writeBlocks(window, offset + done * stride, stride, blockBytes, part, ec, gc, sc, gnc, data, dataOffset + done * dataStride,
                    dataStride);
            }
            done += part;
        }
        last = -1;
        publishUnlessLate();
        return true;
    }

    private void writeBlocks(int window, long offset, long stride, long blockBytes, long count, long ec, long gc, long sc, long gnc,
        MemorySegment data, long dataOffset, long dataStride) {
        long length = count * blockBytes;
        long padded = LogDescriptor.align(length);
        long recordBytes = LogDescriptor.RECORD_BYTES + padded + LogDescriptor.STRIDES;
        MemorySegment memory = direct != null ? direct : region.staging();
        long to = direct != null ? at : region.stage(LogDescriptor.RECORD_BYTES + LogDescriptor.STRIDES);
        long strides = direct != null ? to + LogDescriptor.RECORD_BYTES + padded : to + LogDescriptor.RECORD_BYTES;
        header(timeline, memory, to, recordBytes, LogDescriptor.PUT_STRIDED, window, 0, 0, offset, ec, gc, sc, gnc, length);
        strides(memory, strides, stride, blockBytes);
        boolean packed = dataStride == blockBytes;
        long pieces = packed ? 1 : count;
        long pieceBytes = packed ? length : blockBytes;
        for (long i = 0; i < pieces; i++) {
            long from = dataOffset + i * dataStride;
            long dataAt = at + LogDescriptor.RECORD_BYTES + i * pieceBytes;
            if (direct != null) {
                store(data, from, dataAt, pieceBytes);
            } else {
                region.remote.put(data, from, dataAt, pieceBytes);
            }
        }
        if (direct == null) {
            region.remote.put(memory, to, at, LogDescriptor.RECORD_BYTES);
            region.remote.put(memory, strides, at + LogDescriptor.RECORD_BYTES + padded, LogDescriptor.STRIDES);
        }
        advance(recordBytes);
    }

    /** As {@link #write}, of one value. */
    public boolean writeLong(int kind, int window, int code, long offset, long ec, long gc, long sc, long gnc, long value) {
        return writeLongs(kind, window, code, offset, ec, gc, sc, gnc, 1, value, 0, 0);
    }

    /** As {@link #write}, of three values. */
    public boolean writeLong(int kind, int window, int code, long offset, long ec, long gc, long sc, long gnc, long value, long value2, long value3) {
        return writeLongs(kind, window, code, offset, ec, gc, sc, gnc, 3, value, value2, value3);
    }

    private boolean writeLongs(int kind, int window, int code, long offset, long ec, long gc, long sc, long gnc, int count, long value, long value2,
        long value3) {
        late.want(false);
        late.finish(region);
        long recordBytes = LogDescriptor.RECORD_BYTES + 8L * count;
        if (chunkEnd - at < recordBytes && !nextChunk()) {
            drop(ec, gnc);
            return false;
        }
        MemorySegment memory = direct != null ? direct : region.staging();
        long to = direct != null ? at : region.stage(SMALL_BYTES);
        header(timeline, memory, to, recordBytes, kind, window, code, 0, offset, ec, gc, sc, gnc, 8L * count);
        memory.set(JAVA_LONG_UNALIGNED, to + LogDescriptor.RECORD_BYTES, value);
        if (count > 1) {
            memory.set(JAVA_LONG_UNALIGNED, to + LogDescriptor.RECORD_BYTES + 8, value2);
            memory.set(JAVA_LONG_UNALIGNED, to + LogDescriptor.RECORD_BYTES + 16, value3);
        }
        if (direct == null) {
            region.remote.put(memory, to, at, recordBytes);
        }
        last = at;
        advance(recordBytes);
        return true;
    }

    private void advance(long recordBytes) {
        at += recordBytes;
        records++;
        bytes += recordBytes;
    }

    /**
     * Says that the newest record, which must have been written by {@link #writeLong} or {@link #appendLong}, happened once more with the same
     * outcome, and completes that.
     *
     * @param repeats how often it was repeated so far
     * @return false if there is no such record (then it must be written again)
     */
    public boolean repeat(long sc, long repeats) {
        if (last < 0 || repeats > 0xffff_ffffL) {
            return false;
        }
        region.word(last + 32, sc & 0xffff_ffffL | repeats << 32);
        region.complete();
        return true;
    }

    /** Makes what was written visible to readers; it is complete when this returns. */
    public void publish() {
        late.finish(region);
        region.complete();
        publishTail();
        region.complete();
    }

    /** The last part of {@link #publish}, for several logs at once: call {@link LogRegion#complete} before and after. */
    void publishTail() {
        late.finish(region);
        if (chunk >= 0) {
            published = bias + written();
            region.word(entry + LogDescriptor.ENTRY_TAIL, published);
        }
    }

    /** Where the records end: before a reservation that nothing was appended after. */
    private long written() {
        return reserved >= 0 && reserved + reservedBytes == at ? reserved : at;
    }

    private boolean nextChunk() {
        int next = region.allocate(log);
        if (next < 0) {
            return false;
        }
        long base = layout.chunkOffset(next);
        region.word(base + LogDescriptor.CHUNK_NEXT, 0);
        region.word(base + LogDescriptor.CHUNK_END, 0);
        region.word(base + LogDescriptor.CHUNK_SERIAL, nextSerial++);
        region.word(entry + LogDescriptor.ENTRY_SERIAL, nextSerial);
        region.word(entry + LogDescriptor.ENTRY_CHUNKS, ++chunks);
        if (chunk < 0) {
            first = next;
            headMark = nextSerial - 1 << 32 | LogDescriptor.CHUNK_HEADER;
            region.word(entry + LogDescriptor.ENTRY_HEAD, LogDescriptor.position(next, LogDescriptor.CHUNK_HEADER));
        } else {
            long previous = layout.chunkOffset(chunk);
            region.word(previous + LogDescriptor.CHUNK_NEXT, next + 1);
            region.word(previous + LogDescriptor.CHUNK_END, at - previous);
            previousEnd = at - previous;
        }
        enter(next, LogDescriptor.CHUNK_HEADER);
        return true;
    }

    /** A mark after everything written so far: what {@link #trimTo} drops is before it. Marks of a log grow. {@link #repeat} does not reach back. */
    public long mark() {
        settle();
        last = -1; // what is before a mark does not change any more
        return end();
    }

    private long end() {
        if (chunk < 0) {
            return nextSerial << 32 | LogDescriptor.CHUNK_HEADER;
        }
        long offset = written() - layout.chunkOffset(chunk);
        // a chunk that was only reserved in is not the log's yet, should this process die
        return offset == LogDescriptor.CHUNK_HEADER && chunks > 1 && LogDescriptor.chunk(published) != chunk
            ? nextSerial - 2 << 32 | previousEnd : nextSerial - 1 << 32 | offset;
    }

    /**
     * Frees whole chunks before the mark; readers begin at the mark from now on. No reader may be reading before it. A gap that is older than the
     * mark is forgotten. A mark older than the log's beginning changes nothing.
     */
    public void trimTo(long mark) {
        settle();
        long endMark = end();
        if (mark > endMark) {
            throw malformed("trim to mark " + mark + " after its end " + endMark);
        }
        if (mark >= gap.mark()) {
            gap.close();
        }
        if (chunk < 0 || mark < headMark) {
            return;
        }
        if (published != bias + written()) {
            publish();
        }
        if (mark == endMark) {
            releaseAll();
            return;
        }
        long serial = nextSerial - chunks;
        int keep = first;
        int freed = 0;
        while (serial + freed < mark >>> 32) {
            keep = next(keep);
            freed++;
        }
        region.word(entry + LogDescriptor.ENTRY_CHUNKS, chunks - freed);
        region.word(entry + LogDescriptor.ENTRY_HEAD, LogDescriptor.position(keep, mark & 0xffff_ffffL));
        region.complete();
        while (first != keep) {
            int next = next(first);
            release(first);
            first = next;
        }
        region.freed();
        chunks -= freed;
        headMark = mark;
    }

    private int next(int which) {
        int next = (int) region.word(layout.chunkOffset(which) + LogDescriptor.CHUNK_NEXT) - 1;
        if (next < 0 || next >= layout.chunks()) {
            throw malformed("chunk " + which + " is followed by " + next);
        }
        return next;
    }

    /** Empties the log and leaves no gap: the records are not needed any more. */
    public void dropAll() {
        settle();
        gap.close();
        releaseAll();
    }

    /** Empties the log, which lacks from now on all records up to the counters given. */
    public void drop(long ec, long gnc) {
        drop(ec, gnc, newestUpdate);
    }

    /** As above, of a log of puts: atomic updates are missing up to that number. */
    public void drop(long ec, long gnc, long updates) {
        settle();
        if (beforeDrop != null) {
            beforeDrop.run();
        }
        drops++;
        nextSerial++; // so that the gap is after all marks taken before it
        region.word(entry + LogDescriptor.ENTRY_SERIAL, nextSerial);
        gap.widen(nextSerial << 32 | LogDescriptor.CHUNK_HEADER, ec, gnc, updates);
        releaseAll();
        region.freeKept(); // memory is short
    }

    private void releaseAll() {
        if (chunk < 0) {
            return;
        }
        region.word(entry + LogDescriptor.ENTRY_TAIL, 0);
        region.word(entry + LogDescriptor.ENTRY_CHUNKS, 0);
        region.complete();
        while (first != chunk) {
            int next = next(first);
            release(first);
            first = next;
        }
        release(chunk);
        region.freed();
        first = -1;
        chunk = -1;
        chunks = 0;
        published = 0;
        last = -1;
        at = 0;
        chunkEnd = 0;
    }

    private void release(int which) {
        long base = layout.chunkOffset(which);
        if (reserved >= base && reserved < base + layout.chunkBytes()) {
            pinned = which;
        } else {
            region.freeSoon(which);
        }
    }

    /**
     * Room in the log for the data of a put that will follow: the program writes its data there and puts from there, so that logging makes no
     * second copy. One reservation at a time: a new one ends the last, which must have been committed or given up, its puts complete. Allocates the
     * segment. It ends at the latest with the next cut.
     *
     * @return null if there is no room, the region is not mapped, or the length is above {@link LogDescriptor#maxReserve}
     */
    public MemorySegment reserve(long length) {
        settle();
        cancel();
        long recordBytes = LogDescriptor.RECORD_BYTES + LogDescriptor.align(length) + LogDescriptor.STRIDES;
        if (direct == null || length < 0 || length > layout.maxReserve() || chunkEnd - at < recordBytes && !nextChunk()) {
            return null;
        }
        header(timeline, direct, at, recordBytes, LogDescriptor.VOID, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        reserved = at;
        reservedBytes = recordBytes;
        at += recordBytes;
        MemorySegment room = direct.asSlice(reserved + LogDescriptor.RECORD_BYTES, length);
        if (length <= CACHED_BYTES) {
            room.fill((byte) 0);
        }
        return room;
    }

    /**
     * Makes a record of what was reserved and publishes it. If other records were appended meanwhile the data is copied behind them. As
     * {@link #write}; {@code length} is at most what was reserved.
     */
    public boolean commit(int kind, int window, int code, long offset, long ec, long gc, long sc, long gnc, long length) {
        long from = checkReserved(length);
        if (pinned < 0 && from + reservedBytes == at) {
            long recordBytes = LogDescriptor.RECORD_BYTES + LogDescriptor.align(length);
            header(timeline, direct, from, recordBytes, kind, window, code, 0, offset, ec, gc, sc, gnc, length);
            at = from;
            advance(recordBytes);
            last = -1;
            reserved = -1;
            publish();
            return true;
        }
        return append(kind, window, code, offset, ec, gc, sc, gnc, direct, from + LogDescriptor.RECORD_BYTES, length);
    }

    /**
     * As {@link #commit}, of a write of {@code count} blocks of {@code blockBytes} that lie one after the other in what was reserved and go
     * {@code stride} apart into the window.
     */
    public boolean commitStrided(int window, long offset, long stride, long blockBytes, long count, long ec, long gc, long sc, long gnc) {
        long length = count * blockBytes;
        long from = checkReserved(length);
        if (pinned < 0 && from + reservedBytes == at) {
            long padded = LogDescriptor.align(length);
            long recordBytes = LogDescriptor.RECORD_BYTES + padded + LogDescriptor.STRIDES;
            header(timeline, direct, from, recordBytes, LogDescriptor.PUT_STRIDED, window, 0, 0, offset, ec, gc, sc, gnc, length);
            strides(direct, from + LogDescriptor.RECORD_BYTES + padded, stride, blockBytes);
            at = from;
            advance(recordBytes);
            last = -1;
            reserved = -1;
            publish();
            return true;
        }
        return appendStrided(window, offset, stride, blockBytes, count, ec, gc, sc, gnc, direct, from + LogDescriptor.RECORD_BYTES, blockBytes);
    }

    private long checkReserved(long length) {
        long room = reservedBytes - LogDescriptor.RECORD_BYTES - LogDescriptor.STRIDES;
        if (reserved < 0 || LogDescriptor.align(length) > room) {
            throw new FtrmaException(FtrmaException.Category.MISUSE, layout.logName(region.home, log) + ": length=" + length + " reserved="
                + (reserved < 0 ? "nothing" : String.valueOf(room)));
        }
        return reserved;
    }

    /** Ends a reservation. */
    public void cancel() {
        if (pinned >= 0) {
            if (beforeDrop != null) {
                beforeDrop.run();
            }
            region.free(pinned);
            pinned = -1;
        } else if (reserved >= 0 && reserved + reservedBytes == at) {
            at = reserved;
        }
        reserved = -1;
    }

    /** Position after the newest record that readers see; 0 if they see none. */
    long tail() {
        return published;
    }

    /** What is missing. */
    LogGap gap() {
        return gap;
    }

    /** In a log of puts: the number of the newest atomic update, 0: there was none. */
    long newestUpdate() {
        return newestUpdate;
    }

    /** Whether the log holds no records. */
    public boolean isEmpty() {
        return published == 0;
    }

    /** Where the log's entry is in the region. */
    long entry() {
        return entry;
    }

    /** Which log this is. */
    public int log() {
        return log;
    }

    /** Records written by this writer. */
    public long records() {
        return records;
    }

    /** Bytes of records written by this writer. */
    public long bytes() {
        return bytes;
    }

    /** How often the log was dropped for want of room. */
    public long drops() {
        return drops;
    }

    /** Chunks of the log. */
    public int chunks() {
        return chunks;
    }
}
