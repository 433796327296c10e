package org.ftrma.core.control;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.ftrma.FtrmaException;

/** Several byte strings in one, for exchanges: a 4-byte length before each. Any thread. */
public final class Blob {
    private Blob() {
    }

    /** Packs the parts. */
    public static byte[] pack(List<byte[]> parts) {
        int bytes = parts.stream().mapToInt(part -> part.length + 4).sum();
        ByteBuffer buffer = ByteBuffer.allocate(bytes);
        for (byte[] part : parts) {
            buffer.putInt(part.length).put(part);
        }
        return buffer.array();
    }

    /** Unpacks exactly {@code count} parts. */
    public static List<byte[]> unpack(byte[] blob, int count) {
        List<byte[]> parts = new ArrayList<>();
        ByteBuffer buffer = ByteBuffer.wrap(blob);
        while (buffer.remaining() >= 4) {
            int length = buffer.getInt();
            if (length < 0 || length > buffer.remaining()) {
                throw malformed(blob, count);
            }
            byte[] part = new byte[length];
            buffer.get(part);
            parts.add(part);
        }
        if (parts.size() != count || buffer.hasRemaining()) {
            throw malformed(blob, count);
        }
        return parts;
    }

    private static FtrmaException malformed(byte[] blob, int count) {
        return new FtrmaException(FtrmaException.Category.FATAL,
            "exchanged data of " + blob.length + " bytes does not hold " + count + " parts");
    }

    /** Longs as bytes. */
    public static byte[] longs(long... values) {
        ByteBuffer buffer = ByteBuffer.allocate(values.length * 8);
        for (long value : values) {
            buffer.putLong(value);
        }
        return buffer.array();
    }

    /** Bytes as longs. */
    public static long[] longs(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        long[] values = new long[bytes.length / 8];
        for (int i = 0; i < values.length; i++) {
            values[i] = buffer.getLong();
        }
        return values;
    }
}
