package org.ftrma.rma.log;

import static org.ftrma.rma.log.LogDescriptor.header;
import static org.ftrma.rma.log.LogDescriptor.strides;

import java.lang.foreign.MemorySegment;
import org.ftrma.FtrmaException;
import org.ftrma.spi.Blocks;

/**
 * Room in a log that is given out for the data of a put to come: the program writes its data there and puts from there,
 * so that logging makes no second copy. One at a time: a new one ends the last, which must have been committed or given
 * up, its puts complete. The chunk that it lies in is kept for it when the log is trimmed or dropped meanwhile. Part of
 * a {@link LogWriter}; data thread only; only {@link #take} allocates, the segment.
 */
final class Reservation {
    /**
     * Room of up to this size is brought into the cache before it is given out, in the order of addresses, which costs
     * half of what it costs a program that writes rows here and there in memory that no cache holds.
     */
    private static final int CACHED_BYTES = 1 << 20;

    private final LogWriter writer;
    private final LogRegion region;
    private final LogDescriptor layout;
    private final MemorySegment direct;
    private final Determinant unused = new Determinant().access(LogDescriptor.VOID, 0, 0, 0);
    /** Region offset of the record that is to come; below 0: nothing is reserved. */
    private long from = -1;
    private long bytes;
    private int pinned = -1;

    Reservation(LogWriter writer, LogRegion region) {
        this.writer = writer;
        this.region = region;
        this.layout = region.layout;
        this.direct = region.direct;
    }

    /**
     * Takes room for so many bytes of data. It ends at the latest with the next cut.
     *
     * @return null if there is no room, the region is not mapped, or the length is above
     *     {@link LogDescriptor#maxReserve}
     */
    MemorySegment take(long length) {
        writer.settle();
        cancel();
        long recordBytes = LogDescriptor.RECORD_BYTES + LogDescriptor.align(length) + LogDescriptor.STRIDES;
        if (direct == null || length < 0 || length > layout.maxReserve() || !writer.hasRoom(recordBytes)) {
            return null;
        }
        from = writer.at();
        bytes = recordBytes;
        header(unused, direct, from, recordBytes, writer.lengths(0));
        writer.goOnAt(from + recordBytes);
        MemorySegment room = direct.asSlice(from + LogDescriptor.RECORD_BYTES, length);
        if (length <= CACHED_BYTES) {
            room.fill((byte) 0);
        }
        return room;
    }

    /**
     * Makes a record of what was reserved and publishes it. If other records were appended meanwhile the data is copied
     * behind them. As {@link LogWriter#write}; {@code length} is at most what was reserved.
     */
    boolean commit(Determinant access, long length) {
        check(length);
        if (!isNewest()) {
            return writer.append(access, direct, from + LogDescriptor.RECORD_BYTES, length);
        }
        header(access, direct, from, LogDescriptor.RECORD_BYTES + LogDescriptor.align(length), writer.lengths(length));
        committed(LogDescriptor.RECORD_BYTES + LogDescriptor.align(length));
        return true;
    }

    /** As {@link #commit}, of blocks that lie one after the other in what was reserved, which is {@code data}. */
    boolean commitStrided(Determinant access, MemorySegment data, Blocks blocks) {
        long length = blocks.allBytes();
        check(length);
        if (!isNewest()) {
            return writer.appendStrided(access, data, blocks);
        }
        long padded = LogDescriptor.align(length);
        long recordBytes = LogDescriptor.RECORD_BYTES + padded + LogDescriptor.STRIDES;
        access.kind(LogDescriptor.PUT_STRIDED);
        header(access, direct, from, recordBytes, writer.lengths(length));
        access.kind(LogDescriptor.PUT);
        strides(direct, from + LogDescriptor.RECORD_BYTES + padded, blocks.stride(), blocks.bytes());
        committed(recordBytes);
        return true;
    }

    private boolean isNewest() {
        return pinned < 0 && from + bytes == writer.at();
    }

    private void committed(long recordBytes) {
        long record = from;
        from = -1;
        writer.committed(record, recordBytes);
    }

    private void check(long length) {
        long room = bytes - LogDescriptor.RECORD_BYTES - LogDescriptor.STRIDES;
        if (from < 0 || LogDescriptor.align(length) > room) {
            String log = layout.logName(region.home, writer.log());
            throw new FtrmaException(FtrmaException.Category.MISUSE, log + ": length=" + length + " reserved="
                + (from < 0 ? "nothing" : String.valueOf(room)));
        }
    }

    /** Ends it. */
    void cancel() {
        if (pinned >= 0) {
            writer.completePuts();
            region.chunks.free(pinned);
            pinned = -1;
        } else if (endsAt(writer.at())) {
            writer.goOnAt(from);
        }
        from = -1;
    }

    /** Whether a log that goes on at that region offset ends with it. */
    boolean endsAt(long at) {
        return from >= 0 && from + bytes == at;
    }

    /** Region offset of the record that is to come; below 0: nothing is reserved. */
    long from() {
        return from;
    }

    /** The log gives up a chunk, of which it has all but what this keeps; whether it must be kept. */
    boolean pins(int chunk) {
        long base = layout.chunkOffset(chunk);
        boolean isInside = from >= base && from < base + layout.chunkBytes();
        if (isInside) {
            pinned = chunk;
        }
        return isInside;
    }
}
