package org.ftrma.core.image;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/**
 * The header of an image: the library's own state. It has room for the most that its parts may take, which grows with
 * the job, and uses from its start on what they do take.
 *
 * <pre>
 *   0 step   8 timeline   16 bytes used, U
 *  24 locks held   32 messages sent less messages received   40 zeros
 *   64 for each part: its length, then the part
 *   U  zeros
 * </pre>
 *
 * <p>Data thread only.
 */
final class ImageHeader {
    private static final long USED = 16;
    private static final long LOCKS = 24;
    private static final long UNDER_WAY = 32;
    private static final long PARTS = 64;

    private ImageHeader() {
    }

    /** Room for the header of an image with these parts: a multiple of {@link ImageLayout#BLOCK}. */
    static long capacity(List<CheckpointedState> parts) {
        long bytes = PARTS;
        for (CheckpointedState part : parts) {
            bytes += Long.BYTES + part.imageBytes();
        }
        return ImageLayout.align(bytes);
    }

    /** Writes a header, and zeros up to the end of its last block. Returns the bytes of its blocks. */
    static long write(MemorySegment memory, long start, long step, long timeline, List<CheckpointedState> parts) {
        return write(memory, start, step, timeline, parts, false);
    }

    /** As {@link #write}, of a job that has done nothing so far. */
    static long writeUnused(MemorySegment memory, long start, long step, long timeline,
        List<CheckpointedState> parts) {
        return write(memory, start, step, timeline, parts, true);
    }

    private static long write(MemorySegment memory, long start, long step, long timeline,
        List<CheckpointedState> parts, boolean unused) {
        memory.asSlice(start, PARTS).fill((byte) 0);
        memory.set(ValueLayout.JAVA_LONG, start, step);
        memory.set(ValueLayout.JAVA_LONG, start + Long.BYTES, timeline);
        ResidualState remainder = new ResidualState();
        long at = start + PARTS;
        for (CheckpointedState part : parts) {
            long length = unused ? part.saveUnused(memory, at + Long.BYTES) : part.save(memory, at + Long.BYTES);
            part.tell(remainder);
            memory.set(ValueLayout.JAVA_LONG, at, length);
            at += Long.BYTES + length;
        }
        memory.set(ValueLayout.JAVA_LONG, start + USED, at - start);
        memory.set(ValueLayout.JAVA_LONG, start + LOCKS, remainder.locks());
        memory.set(ValueLayout.JAVA_LONG, start + UNDER_WAY, remainder.underWay());
        long blocks = ImageLayout.align(at - start);
        memory.asSlice(at, start + blocks - at).fill((byte) 0);
        return blocks;
    }

    /**
     * All parts take their state over; what was not written by {@link #write} is a FtrmaException of category FATAL.
     * Returns the step.
     */
    static long read(MemorySegment memory, long start, long capacity, List<CheckpointedState> parts) {
        long end = start + used(memory, start, capacity);
        long at = start + PARTS;
        for (CheckpointedState part : parts) {
            CheckpointedState.require(end - at >= Long.BYTES,
                "it ends at byte " + (end - start) + ", before a part's length");
            long length = memory.get(ValueLayout.JAVA_LONG, at);
            at += Long.BYTES;
            CheckpointedState.require(length >= 0 && length % Long.BYTES == 0
                && length <= Math.min(part.imageBytes(), end - at),
                "a part of " + length + " bytes, where it may have " + part.imageBytes() + " and " + (end - at)
                + " are left");
            part.restore(memory, at, length);
            at += length;
        }
        CheckpointedState.require(at == end, "its parts end at byte " + (at - start) + " of " + (end - start));
        return step(memory, start);
    }

    /** What is lost where a job goes on without the header. */
    static ResidualState remainder(MemorySegment memory, long start) {
        ResidualState remainder = new ResidualState();
        remainder.locks(memory.get(ValueLayout.JAVA_LONG, start + LOCKS));
        remainder.messages(memory.get(ValueLayout.JAVA_LONG, start + UNDER_WAY), 0);
        return remainder;
    }

    static long step(MemorySegment memory, long start) {
        return memory.get(ValueLayout.JAVA_LONG, start);
    }

    /** Bytes of the blocks that a header says it uses. */
    static long usedBlocks(MemorySegment memory, long start, long capacity) {
        return ImageLayout.align(used(memory, start, capacity));
    }

    private static long used(MemorySegment memory, long start, long capacity) {
        long used = memory.get(ValueLayout.JAVA_LONG, start + USED);
        CheckpointedState.require(used >= PARTS && used <= capacity && used % Long.BYTES == 0,
            "it says that it uses " + used + " bytes of " + capacity);
        return used;
    }
}
