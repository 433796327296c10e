package org.ftrma.rma.log;

import static org.ftrma.rma.log.LogDescriptor.header;
import static org.ftrma.rma.log.LogDescriptor.strides;

import java.lang.foreign.MemorySegment;
import org.ftrma.spi.Blocks;

/** Records of puts of blocks, as the {@link LogWriter} of one log has them written. Data thread; allocates nothing. */
final class BlockRecords {
    private final LogRegion region;
    private final MemorySegment direct;
    private final LateCopy late;
    private final long timeline;

    /** {@code timeline} is in the lengths of each record. */
    BlockRecords(LogRegion region, LateCopy late, long timeline) {
        this.region = region;
        this.direct = region.direct;
        this.late = late;
        this.timeline = timeline;
    }

    /**
     * Writes one record of so many of the blocks, from one of them on.
     *
     * @param at where the record begins in the region
     * @return its bytes
     */
    long write(Determinant access, MemorySegment data, Blocks blocks, long first, long count, long at) {
        long length = count * blocks.bytes();
        long padded = LogDescriptor.align(length);
        long recordBytes = LogDescriptor.RECORD_BYTES + padded + LogDescriptor.STRIDES;
        MemorySegment memory = direct != null ? direct : region.staging();
        long to = direct != null ? at : region.stage(LogDescriptor.RECORD_BYTES + LogDescriptor.STRIDES);
        long strides = direct != null ? to + LogDescriptor.RECORD_BYTES + padded : to + LogDescriptor.RECORD_BYTES;
        access.kind(LogDescriptor.PUT_STRIDED);
        header(access, memory, to, recordBytes, timeline | length);
        access.kind(LogDescriptor.PUT);
        strides(memory, strides, blocks.stride(), blocks.bytes());
        long pieces = blocks.isPacked() ? 1 : count;
        long pieceBytes = blocks.isPacked() ? length : blocks.bytes();
        for (long i = 0; i < pieces; i++) {
            long dataAt = at + LogDescriptor.RECORD_BYTES + i * pieceBytes;
            if (direct != null) {
                late.store(region, data, blocks.source(first + i), dataAt, pieceBytes);
            } else {
                region.memory.put(data, blocks.source(first + i), dataAt, pieceBytes);
            }
        }
        if (direct == null) {
            region.memory.put(memory, to, at, LogDescriptor.RECORD_BYTES);
            region.memory.put(memory, strides, at + LogDescriptor.RECORD_BYTES + padded, LogDescriptor.STRIDES);
        }
        return recordBytes;
    }
}
