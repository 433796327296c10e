package org.ftrma.spi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;

/**
 * Reads and writes single elements of a {@link DataType} in memory, as raw bits,
 * {@linkplain DataType#normalized as they travel}. Any thread.
 */
public final class Elements {
    private Elements() {
    }

    /** The element at this offset. */
    public static long read(DataType type, MemorySegment segment, long offset) {
        return type.bytes() == Integer.BYTES ? type.normalized(segment.get(ValueLayout.JAVA_INT_UNALIGNED, offset))
            : segment.get(ValueLayout.JAVA_LONG_UNALIGNED, offset);
    }

    /** Sets the element at this offset; of one of 4 bytes the lower 32 bits count. */
    public static void write(DataType type, MemorySegment segment, long offset, long bits) {
        if (type.bytes() == Integer.BYTES) {
            segment.set(ValueLayout.JAVA_INT_UNALIGNED, offset, (int) bits);
        } else {
            segment.set(ValueLayout.JAVA_LONG_UNALIGNED, offset, bits);
        }
    }

    /**
     * Combines so many bytes of elements, each left one with the right one; the result may lie where either of them
     * does.
     */
    public static void combine(AtomicOp op, DataType type, MemorySegment left, long leftAt, MemorySegment right,
        long rightAt, MemorySegment result, long resultAt, long length) {
        for (long at = 0; at < length; at += type.bytes()) {
            write(type, result, resultAt + at, op.apply(type, read(type, left, leftAt + at),
                read(type, right, rightAt + at)));
        }
    }
}
