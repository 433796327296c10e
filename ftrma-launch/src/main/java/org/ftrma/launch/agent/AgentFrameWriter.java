package org.ftrma.launch.agent;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Writes the components of a message, as {@link AgentFrameReader} reads them. One thread. */
final class AgentFrameWriter {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    AgentFrameWriter i32(int value) {
        bytes.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(value).array());
        return this;
    }

    AgentFrameWriter i64(long value) {
        bytes.writeBytes(ByteBuffer.allocate(Long.BYTES).putLong(value).array());
        return this;
    }

    AgentFrameWriter truth(boolean value) {
        return i32(value ? 1 : 0);
    }

    AgentFrameWriter bytes(byte[] value) {
        i32(value.length);
        bytes.writeBytes(value);
        return this;
    }

    AgentFrameWriter text(String value) {
        return value == null ? i32(-1) : bytes(value.getBytes(StandardCharsets.UTF_8));
    }

    AgentFrameWriter texts(List<String> values) {
        i32(values.size());
        values.forEach(this::text);
        return this;
    }

    AgentFrameWriter numbers(List<Integer> values) {
        i32(values.size());
        values.forEach(this::i32);
        return this;
    }

    byte[] frame() {
        return bytes.toByteArray();
    }
}
