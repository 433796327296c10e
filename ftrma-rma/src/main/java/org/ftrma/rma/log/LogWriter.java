package org.ftrma.rma.log;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.ftrma.rma.log.LogDescriptor.header;

import java.lang.foreign.MemorySegment;
import org.ftrma.spi.Blocks;

/**
 * The append end of one log; a log has one writer. Where the region is mapped, records are written in place; else they
 * are put, completed, and then the tail is put. Readers see a record when the tail was published: {@code append} does
 * that, {@code write} leaves it to a later {@link #publish}. Which chunks the log has is its {@link ChunkChain}'s. Data
 * thread only; nothing on this path allocates but a {@link Reservation}.
 *
 * <p>When no chunk is left the whole log is dropped: the gap says up to which counters records are gone.
 */
public final class LogWriter {
    private static final int MIN_FRAGMENT = 64;
    private static final int SMALL_BYTES = LogDescriptor.RECORD_BYTES + 24;
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
    /** The same for an append that need not look further; 0 if the region is not mapped, or data was put off. */
    private long plainEnd;
    /** What makes a position of a region offset in the present chunk. */
    private long bias;
    private long published;
    private final ChunkChain chain;
    private final LogGap gap;
    private final Reservation reservation;
    private long last = -1;
    private final LateCopy late = new LateCopy();
    private final BlockRecords blockRecords;
    private long newestUpdate;
    private long records;
    /** The bytes of all records written, less {@link #at}: appends need not count them. */
    private long uncounted;
    private long drops;

    /**
     * Opens a log for appending, after what is published there already: a replacement continues its predecessor's.
     *
     * @param beforeDrop completes puts whose source is in the log, before a drop; may be null
     */
    public LogWriter(LogRegion region, int log, Runnable beforeDrop) {
        this.layout = region.layout;
        this.region = region;
        this.direct = region.direct;
        this.log = log;
        this.entry = region.makeEntry(log);
        this.timeline = (long) region.timeline() << 32;
        this.beforeDrop = beforeDrop != null ? beforeDrop : () -> { };
        this.gap = new LogGap(region, entry);
        this.reservation = new Reservation(this, region);
        this.blockRecords = new BlockRecords(region, late, timeline);
        this.chain = new ChunkChain(region, log, entry, reservation);
        this.published = chain.resume();
        if (published != 0) {
            enterNewest(LogDescriptor.offset(published));
        }
    }

    private void enterNewest(int offset) {
        long base = chain.newestBase();
        goOnAt(base + offset);
        chunkEnd = base + layout.chunkBytes();
        plainEnd = direct != null && late.isIdle() ? chunkEnd : 0;
        bias = LogDescriptor.position(chain.newest(), 0) - base;
    }

    private boolean nextChunk() {
        if (!chain.grow(at)) {
            return false;
        }
        enterNewest(LogDescriptor.CHUNK_HEADER);
        return true;
    }

    /** Appends and publishes a record with data. As {@link #write}. */
    public boolean append(Determinant access, MemorySegment data, long dataOffset, long length) {
        if (!write(access, data, dataOffset, length)) {
            return false;
        }
        publishUnlessLate();
        return true;
    }

    /**
     * The data of the append that follows stays unchanged until the log is {@link #settle settled}: what of it does not
     * end a chunk may be copied later, by {@link #progress}; readers see the record then. Whatever else is done with
     * the log settles it first.
     */
    void putOff() {
        late.want(direct != null);
        plainEnd = 0;
    }

    /** Copies about so many bytes of data that was put off; false if there is none. */
    boolean progress(long pieceBytes) {
        if (!late.isPending()) {
            return false;
        }
        late.move(region, pieceBytes);
        publishUnlessLate();
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

    /** Appends and publishes a record of one value. As {@link #write}. */
    public boolean appendLong(Determinant access, long value) {
        long to = at;
        if (to + LogDescriptor.RECORD_BYTES + 8 > plainEnd) {
            return writeLongs(access, 1, value, 0, 0) && published();
        }
        MemorySegment memory = direct;
        header(access, memory, to, LogDescriptor.RECORD_BYTES + 8, timeline | 8);
        memory.set(JAVA_LONG_UNALIGNED, to + LogDescriptor.RECORD_BYTES, value);
        last = to;
        advance(LogDescriptor.RECORD_BYTES + 8);
        published = bias + at;
        LogRegion.LONG.setRelease(memory, entry + LogDescriptor.ENTRY_TAIL, published); // L6
        return true;
    }

    /** Appends and publishes a record of three values (operand, old, new). As {@link #write}. */
    public boolean appendLong(Determinant access, long value, long value2, long value3) {
        return writeLongs(access, 3, value, value2, value3) && published();
    }

    /** Appends and publishes an atomic update, numbered in its determinant, to a log of puts. As {@link #write}. */
    public boolean appendUpdate(Determinant access, long operand, long old, long updated) {
        settle();
        newestUpdate = access.update();
        if (!writeLongs(access, 3, operand, old, updated)) {
            return false;
        }
        region.word(last + LogDescriptor.RECORD_COUNTS,
            access.sc() & LogDescriptor.SC_MASK | (newestUpdate & LogDescriptor.UPDATES_MASK) << 32);
        return published();
    }

    /**
     * Appends a record, which readers see after {@link #publish}. Data that does not fit the chunk goes to several
     * records of the same determinant. Where the region is not mapped, {@code data} must stay unchanged until then.
     *
     * @param access what was done, and when
     * @param length of the data, in bytes
     * @return false if there was no room: the log was dropped, up to and including this record
     */
    public boolean write(Determinant access, MemorySegment data, long dataOffset, long length) {
        late.finish(region);
        long start = access.offset();
        long done = 0;
        boolean hasRoom;
        do {
            hasRoom = hasRoom(LogDescriptor.RECORD_BYTES + Math.min(LogDescriptor.align(length - done), MIN_FRAGMENT));
            if (hasRoom) {
                long part = Math.min(length - done, chunkEnd - at - LogDescriptor.RECORD_BYTES);
                access.part(start + done, done + part < length);
                writePart(access, data, dataOffset + done, part);
                done += part;
            }
        } while (hasRoom && done < length);
        access.part(start, false);
        last = -1;
        if (!hasRoom) {
            drop(access);
        }
        return hasRoom;
    }

    private void writePart(Determinant access, MemorySegment data, long dataOffset, long length) {
        long recordBytes = LogDescriptor.RECORD_BYTES + LogDescriptor.align(length);
        if (direct != null) {
            header(access, direct, at, recordBytes, timeline | length);
            late.store(region, data, dataOffset, at + LogDescriptor.RECORD_BYTES, length);
        } else {
            long stage = region.stage(LogDescriptor.RECORD_BYTES);
            header(access, region.staging(), stage, recordBytes, timeline | length);
            region.memory.put(region.staging(), stage, at, LogDescriptor.RECORD_BYTES);
            if (length > 0) {
                region.memory.put(data, dataOffset, at + LogDescriptor.RECORD_BYTES, length);
            }
        }
        advance(recordBytes);
    }

    /** Appends and publishes the put of blocks: one record for as many of them as fit in a chunk. As {@link #write}. */
    public boolean appendStrided(Determinant access, MemorySegment data, Blocks blocks) {
        late.finish(region);
        long done = 0;
        while (done < blocks.count()) {
            long fit = (chunkEnd - at - LogDescriptor.RECORD_BYTES - LogDescriptor.STRIDES) / blocks.bytes();
            if (fit < 1 && blocks.bytes() <= layout.maxReserve()) {
                if (!nextChunk()) {
                    drop(access);
                    return false;
                }
                fit = layout.maxReserve() / blocks.bytes();
            }
            long part = Math.min(fit, blocks.count() - done);
            access.part(blocks.target(done), false);
            if (part < 1) {
                if (!write(access, data, blocks.source(done), blocks.bytes())) {
                    return false;
                }
                part = 1;
            } else {
                advance(blockRecords.write(access, data, blocks, done, part, at));
            }
            done += part;
        }
        last = -1;
        publishUnlessLate();
        return true;
    }

    private boolean writeLongs(Determinant access, int count, long value, long value2, long value3) {
        late.want(false);
        late.finish(region);
        plainEnd = direct != null ? chunkEnd : 0;
        long recordBytes = LogDescriptor.RECORD_BYTES + 8L * count;
        if (!hasRoom(recordBytes)) {
            drop(access);
            return false;
        }
        MemorySegment memory = direct != null ? direct : region.staging();
        long to = direct != null ? at : region.stage(SMALL_BYTES);
        header(access, memory, to, recordBytes, timeline | 8L * count);
        memory.set(JAVA_LONG_UNALIGNED, to + LogDescriptor.RECORD_BYTES, value);
        if (count > 1) {
            memory.set(JAVA_LONG_UNALIGNED, to + LogDescriptor.RECORD_BYTES + 8, value2);
            memory.set(JAVA_LONG_UNALIGNED, to + LogDescriptor.RECORD_BYTES + 16, value3);
        }
        if (direct == null) {
            region.memory.put(memory, to, at, recordBytes);
        }
        last = at;
        advance(recordBytes);
        return true;
    }

    private void advance(long recordBytes) {
        at += recordBytes;
        records++;
    }

    /**
     * Says that the newest record, of {@link #appendLong}, happened once more with the same outcome; completes that.
     *
     * @param repeats how often it was repeated so far
     * @return false if there is no such record (then it must be written again)
     */
    public boolean repeat(Determinant access, long repeats) {
        if (last < 0 || repeats > 0xffff_ffffL) {
            return false;
        }
        long counts = access.sc() & LogDescriptor.SC_MASK | repeats << 32;
        if (direct == null) {
            region.word(last + LogDescriptor.RECORD_COUNTS, counts);
            region.complete();
        } else {
            LogRegion.LONG.setRelease(direct, last + LogDescriptor.RECORD_COUNTS, counts);
        }
        return true;
    }

    private boolean published() {
        publish();
        return true;
    }

    /** Makes what was written visible to readers; it is complete when this returns. */
    public void publish() {
        late.finish(region);
        region.complete();
        if (!chain.isEmpty()) {
            published = bias + written();
            region.word(entry + LogDescriptor.ENTRY_TAIL, published); // L6
        }
        region.complete();
    }

    /** Where the records end: before a reservation that nothing was appended after. */
    private long written() {
        return reservation.endsAt(at) ? reservation.from() : at;
    }

    /** A mark after everything written so far: what {@link #trimTo} drops is before it. Marks of a log grow. */
    public long mark() { // L13
        settle();
        last = -1; // what is before a mark does not change any more
        return chain.end(written(), published);
    }

    /**
     * Frees whole chunks before the mark; readers begin at the mark from now on. No reader may be reading before it. A
     * gap that is older than the mark is forgotten. A mark older than the log's beginning changes nothing.
     */
    public void trimTo(long mark) {
        settle();
        long endMark = chain.end(written(), published);
        if (mark > endMark) {
            throw chain.malformed("trim to mark " + mark + " after its end " + endMark);
        }
        if (mark >= gap.mark()) {
            gap.close();
        }
        if (chain.beginsAfter(mark)) {
            return;
        }
        if (published != bias + written()) {
            publish();
        }
        if (mark == endMark) {
            releaseAll();
        } else {
            chain.trimTo(mark);
        }
    }

    /** Empties the log and leaves no gap: the records are not needed any more. */
    public void dropAll() {
        settle();
        gap.close();
        releaseAll();
    }

    /** Empties the log, which lacks from now on all records up to this one. */
    void drop(Determinant access) {
        drop(access.ec(), access.gnc(), newestUpdate);
    }

    /**
     * Empties the log, which lacks from now on all records up to those numbers.
     *
     * @param epoch EC of the newest record that is missing
     * @param gnc GNC of the newest record that is missing
     * @param updates in a log of puts the newest atomic update that is missing; in the log of locks the recovery since
     *     when events are
     */
    public void drop(long epoch, long gnc, long updates) {
        settle();
        completePuts();
        drops++;
        gap.widen(epoch, gnc, updates);
        gap.open(chain.skip());
        releaseAll();
        region.chunks.freeKept(); // memory is short
    }

    private void releaseAll() {
        if (!chain.isEmpty()) {
            chain.releaseAll();
            published = 0;
            last = -1;
            goOnAt(0);
            chunkEnd = 0;
            plainEnd = 0;
        }
    }

    /** Room for the data of a put to come, in the log itself. */
    Reservation reservation() {
        return reservation;
    }

    /** Region offset at which the next record begins. */
    long at() {
        return at;
    }

    /** The next record begins elsewhere: in another chunk, or since a reservation is made or given up. */
    void goOnAt(long offset) {
        uncounted += offset - at;
        at = offset;
    }

    /** Whether there is a chunk that has room for a record of so many bytes, where the next record begins. */
    boolean hasRoom(long recordBytes) {
        return chunkEnd - at >= recordBytes || nextChunk();
    }

    /** The word of a record that says how many bytes of data it has. */
    long lengths(long dataBytes) {
        return timeline | dataBytes;
    }

    /** A reservation became the newest record; it is published. */
    void committed(long from, long recordBytes) {
        goOnAt(from);
        advance(recordBytes);
        last = -1;
        publish();
    }

    /** Completes puts whose source is in the log. */
    void completePuts() {
        beforeDrop.run();
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
        return at - uncounted;
    }

    /** How often the log was dropped for want of room. */
    public long drops() {
        return drops;
    }

    /** Chunks of the log. */
    public int chunks() {
        return chain.size();
    }
}
