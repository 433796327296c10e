package org.ftrma.spi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
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
}
