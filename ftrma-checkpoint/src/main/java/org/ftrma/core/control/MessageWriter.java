package org.ftrma.core.control;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** The components of one message as bytes, in the formats that {@link MessageCodec} shows. One thread. */
final class MessageWriter {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(64);

    void tag(int tag) {
        bytes.write(tag);
    }

    int size() {
        return bytes.size();
    }

    byte[] toByteArray() {
        return bytes.toByteArray();
    }

    MessageWriter i32(int value) {
        return bigEndian(value, Integer.BYTES);
    }

    MessageWriter i64(long value) {
        return bigEndian(value, Long.BYTES);
    }

    private MessageWriter bigEndian(long value, int length) {
        for (int shift = 8 * length - 8; shift >= 0; shift -= 8) {
            bytes.write((int) (value >>> shift));
        }
        return this;
    }

    MessageWriter truth(boolean value) {
        bytes.write(value ? 1 : 0);
        return this;
    }

    MessageWriter text(String value) {
        return bytes(value.getBytes(StandardCharsets.UTF_8));
    }

    MessageWriter bytes(byte[] value) {
        i32(value.length);
        bytes.writeBytes(value);
        return this;
    }

    MessageWriter longs(long[] values) {
        i32(values.length);
        for (long value : values) {
            i64(value);
        }
        return this;
    }

    MessageWriter blobs(byte[][] values) {
        i32(values.length);
        for (byte[] value : values) {
            bytes(value);
        }
        return this;
    }

    MessageWriter map(Map<String, String> map) {
        i32(map.size());
        for (Map.Entry<String, String> entry : map.entrySet()) {
            text(entry.getKey()).text(entry.getValue());
        }
        return this;
    }
}
