package org.ftrma.rma.log;

import org.ftrma.FtrmaException;

/**
 * The chunks of one log as its writer has them, linked from the oldest to the newest: how one more is linked, what is
 * given back when the log is trimmed or emptied, and the marks that its ends have. Part of a {@link LogWriter}; data
 * thread only; allocates nothing.
 */
final class ChunkChain {
    private final LogRegion region;
    private final LogDescriptor layout;
    private final int log;
    private final long entry;
    private final Reservation reservation;
    private int first = -1;
    private int newest = -1;
    private int chunks;
    private long nextSerial;
    private long headMark;
    /** Offset of the end of the last chunk but one. */
    private long previousEnd;

    /** No chunks; {@link #resume} follows. Chunks that the reservation needs are not given back. */
    ChunkChain(LogRegion region, int log, long entry, Reservation reservation) {
        this.region = region;
        this.layout = region.layout;
        this.log = log;
        this.entry = entry;
        this.reservation = reservation;
    }

    /** Takes over what is published in the region, if anything is; returns the position after it, or 0. */
    long resume() {
        long head = region.word(entry + LogDescriptor.ENTRY_HEAD);
        long tail = region.word(entry + LogDescriptor.ENTRY_TAIL);
        nextSerial = region.word(entry + LogDescriptor.ENTRY_SERIAL);
        if (tail == 0 || region.isLost()) {
            return 0;
        }
        first = LogDescriptor.chunk(head);
        newest = LogDescriptor.chunk(tail);
        int offset = LogDescriptor.offset(tail);
        if (first < 0 || first >= layout.chunks() || newest < 0 || newest >= layout.chunks()
            || offset < LogDescriptor.CHUNK_HEADER || offset > layout.chunkBytes() || (offset & 7) != 0) {
            throw malformed("head " + head + ", tail " + tail);
        }
        long serial = serialOf(newest);
        long linked = serial - serialOf(first) + 1;
        if (region.isLost()) {
            first = -1;
            newest = -1;
            return 0;
        }
        if (linked < 1 || linked > layout.chunks() || serial >= nextSerial) {
            throw malformed("serials " + serialOf(first) + " to " + serial + ", next " + nextSerial);
        }
        chunks = (int) linked; // L21
        nextSerial = serial + 1;
        headMark = serialOf(first) << 32 | LogDescriptor.offset(head);
        region.word(newestBase() + LogDescriptor.CHUNK_END, 0);
        region.word(newestBase() + LogDescriptor.CHUNK_NEXT, 0);
        region.complete();
        return tail;
    }

    private long serialOf(int which) {
        return region.word(layout.chunkOffset(which) + LogDescriptor.CHUNK_SERIAL);
    }

    FtrmaException malformed(String what) {
        return new FtrmaException(FtrmaException.Category.FATAL,
            layout.logName(region.home, log) + ": malformed: " + what);
    }

    boolean isEmpty() {
        return newest < 0;
    }

    /** The newest chunk; below 0: there is none. */
    int newest() {
        return newest;
    }

    /** Region offset of the newest chunk. */
    long newestBase() {
        return layout.chunkOffset(newest);
    }

    int size() {
        return chunks;
    }

    /** Links one more chunk; records in the last one end at that region offset. False if the region has none left. */
    boolean grow(long at) {
        int next = region.chunks.allocate(log);
        if (next < 0) {
            return false;
        }
        long base = layout.chunkOffset(next);
        region.word(base + LogDescriptor.CHUNK_NEXT, 0);
        region.word(base + LogDescriptor.CHUNK_END, 0);
        region.word(base + LogDescriptor.CHUNK_SERIAL, nextSerial++);
        region.word(entry + LogDescriptor.ENTRY_SERIAL, nextSerial);
        region.word(entry + LogDescriptor.ENTRY_CHUNKS, ++chunks);
        if (newest < 0) {
            first = next;
            headMark = nextSerial - 1 << 32 | LogDescriptor.CHUNK_HEADER;
            region.word(entry + LogDescriptor.ENTRY_HEAD, LogDescriptor.position(next, LogDescriptor.CHUNK_HEADER));
        } else {
            long previous = newestBase();
            region.word(previous + LogDescriptor.CHUNK_NEXT, next + 1);
            region.word(previous + LogDescriptor.CHUNK_END, at - previous);
            previousEnd = at - previous;
        }
        newest = next;
        return true;
    }

    /** The mark of the log's end: records end at that region offset, and readers see them up to that position. */
    long end(long written, long published) {
        if (newest < 0) {
            return nextSerial << 32 | LogDescriptor.CHUNK_HEADER;
        }
        long offset = written - newestBase();
        // a chunk that was only reserved in is not the log's yet, should this process die
        return offset == LogDescriptor.CHUNK_HEADER && chunks > 1 && LogDescriptor.chunk(published) != newest
            ? nextSerial - 2 << 32 | previousEnd : nextSerial - 1 << 32 | offset;
    }

    /** A mark after all those that were taken before: the log is about to be emptied for want of room. */
    long skip() {
        nextSerial++; // so that the gap is after all marks taken before it
        region.word(entry + LogDescriptor.ENTRY_SERIAL, nextSerial);
        return nextSerial << 32 | LogDescriptor.CHUNK_HEADER;
    }

    /** Whether a mark is older than the log's beginning, or the log is empty: there is nothing to trim. */
    boolean beginsAfter(long mark) {
        return newest < 0 || mark < headMark;
    }

    /** Gives back the chunks before the mark, which is one in this log and not its end. */
    void trimTo(long mark) {
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
        releaseUpTo(keep);
        region.chunks.freed();
        chunks -= freed;
        headMark = mark;
    }

    private int next(int which) {
        int next = (int) region.word(layout.chunkOffset(which) + LogDescriptor.CHUNK_NEXT) - 1;
        if (region.isLost()) {
            return newest;
        }
        if (next < 0 || next >= layout.chunks()) {
            throw malformed("chunk " + which + " is followed by " + next);
        }
        return next;
    }

    /** Gives back all chunks, of which there is one at least. */
    void releaseAll() {
        region.word(entry + LogDescriptor.ENTRY_TAIL, 0);
        region.word(entry + LogDescriptor.ENTRY_CHUNKS, 0);
        region.complete();
        releaseUpTo(newest);
        release(newest);
        region.chunks.freed();
        first = -1;
        newest = -1;
        chunks = 0;
    }

    private void releaseUpTo(int keep) {
        while (first != keep && !region.isLost()) {
            int next = next(first);
            release(first);
            first = next;
        }
        first = keep;
    }

    private void release(int which) {
        if (!reservation.pins(which)) {
            region.chunks.freeSoon(which);
        }
    }
}
