package org.ftrma.launch.agent;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.ftrma.launch.agent.AgentCodec.MalformedException;

/**
 * Reads the components of a message. Integers are big-endian; a text is its length in bytes (4 bytes) and UTF-8, and
 * null is the length -1; a list is its length (4 bytes) and its elements. A length is compared with what is left of the
 * frame before memory is taken. A frame that ends too early is a {@link java.nio.BufferUnderflowException}. One thread.
 */
final class AgentFrameReader {
    private final ByteBuffer from;

    AgentFrameReader(byte[] frame) {
        from = ByteBuffer.wrap(frame);
    }

    /** Bytes that are not read yet. */
    int left() {
        return from.remaining();
    }

    int i32() {
        return from.getInt();
    }

    long i64() {
        return from.getLong();
    }

    boolean truth() throws MalformedException {
        return ordinal("a flag", 2) == 1;
    }

    int ordinal(String what, int count) throws MalformedException {
        int value = i32();
        if (value < 0 || value >= count) {
            throw new MalformedException(what + " of " + value + "; there are " + count);
        }
        return value;
    }

    <E extends Enum<E>> E word(String what, E[] words) throws MalformedException {
        return words[ordinal(what, words.length)];
    }

    /** The number of elements that follow, of which each takes so many bytes at least. */
    private int count(int least) throws MalformedException {
        int count = i32();
        if (count < 0 || count > from.remaining() / least) {
            throw new MalformedException("a length of " + count + " where " + from.remaining() + " bytes are left");
        }
        return count;
    }

    byte[] bytes() throws MalformedException {
        byte[] bytes = new byte[count(1)];
        from.get(bytes);
        return bytes;
    }

    String textOrNull() throws MalformedException {
        if (i32() == -1) {
            return null;
        }
        from.position(from.position() - Integer.BYTES);
        return new String(bytes(), StandardCharsets.UTF_8);
    }

    String text() throws MalformedException {
        String text = textOrNull();
        if (text == null) {
            throw new MalformedException("a text is missing");
        }
        return text;
    }

    List<String> texts() throws MalformedException {
        int count = count(Integer.BYTES);
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            texts.add(text());
        }
        return List.copyOf(texts);
    }

    List<Integer> numbers() throws MalformedException {
        int count = count(Integer.BYTES);
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            numbers.add(i32());
        }
        return List.copyOf(numbers);
    }
}
