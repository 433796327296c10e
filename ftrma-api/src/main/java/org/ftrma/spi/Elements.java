package org.ftrma.spi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
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
        return switch (type.bytes()) {
            case Long.BYTES -> segment.get(ValueLayout.JAVA_LONG_UNALIGNED, offset);
            case Integer.BYTES -> type.normalized(segment.get(ValueLayout.JAVA_INT_UNALIGNED, offset));
            case Short.BYTES -> segment.get(ValueLayout.JAVA_SHORT_UNALIGNED, offset);
            default -> segment.get(ValueLayout.JAVA_BYTE, offset);
        };
    }

    /** Sets the element at this offset; of one of less than 8 bytes the lower bits count. */
    public static void write(DataType type, MemorySegment segment, long offset, long bits) {
        switch (type.bytes()) {
            case Long.BYTES -> segment.set(ValueLayout.JAVA_LONG_UNALIGNED, offset, bits);
            case Integer.BYTES -> segment.set(ValueLayout.JAVA_INT_UNALIGNED, offset, (int) bits);
            case Short.BYTES -> segment.set(ValueLayout.JAVA_SHORT_UNALIGNED, offset, (short) bits);
            default -> segment.set(ValueLayout.JAVA_BYTE, offset, (byte) bits);
        }
    }

    /**
     * Combines so many bytes of elements, or of pairs where the operation has an index, each left one with the right
     * one; the result may lie where either of them does.
     */
    public static void combine(AtomicOp op, DataType type, MemorySegment left, long leftAt, MemorySegment right,
        long rightAt, MemorySegment result, long resultAt, long length) {
        if (op.hasIndex()) {
            select(op, type, left, leftAt, right, rightAt, result, resultAt, length);
            return;
        }
        for (long at = 0; at < length; at += type.bytes()) {
            write(type, result, resultAt + at, op.apply(type, read(type, left, leftAt + at),
                read(type, right, rightAt + at)));
        }
    }

    private static void select(AtomicOp op, DataType type, MemorySegment left, long leftAt, MemorySegment right,
        long rightAt, MemorySegment result, long resultAt, long length) {
        int bytes = op.elementBytes(type);
        for (long at = 0; at < length; at += bytes) {
            boolean isRight = op.takesSecond(type, read(type, left, leftAt + at), index(left, leftAt + at),
                read(type, right, rightAt + at), index(right, rightAt + at));
            MemorySegment.copy(isRight ? right : left, (isRight ? rightAt : leftAt) + at, result, resultAt + at, bytes);
        }
    }

    private static long index(MemorySegment segment, long pair) {
        return segment.get(ValueLayout.JAVA_LONG_UNALIGNED, pair + Long.BYTES);
    }

    /** Where the 4 bytes begin that contain an element of fewer bytes. */
    public static long wordOffset(long offset) {
        return offset & -Integer.BYTES;
    }

    /** Of 4 bytes that begin at {@link #wordOffset}: the element of fewer bytes at the offset. */
    public static long part(DataType type, int word, long offset) {
        return type.normalized(word >>> shift(type, offset));
    }

    /** The same 4 bytes with another element there. */
    public static int withPart(DataType type, int word, long offset, long bits) {
        int shift = shift(type, offset);
        int mask = (1 << 8 * type.bytes()) - 1 << shift;
        return word & ~mask | (int) bits << shift & mask;
    }

    private static int shift(DataType type, long offset) {
        int at = (int) offset & Integer.BYTES - 1;
        return 8 * (ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? at : Integer.BYTES - type.bytes() - at);
    }
}
