package org.ftrma.core.control;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/**
 * The components of one message from the bytes of its frame. Lengths are checked before memory is taken. One thread.
 */
final class MessageReader {
    private final ByteBuffer frame;

    /** Reads on after the tag. */
    MessageReader(byte[] frame) {
        this.frame = ByteBuffer.wrap(frame, 1, frame.length - 1);
    }

    int remaining() {
        return frame.remaining();
    }

    private void require(int bytes) throws MessageCodec.MalformedException {
        if (frame.remaining() < bytes) {
            throw new MessageCodec.MalformedException("cut short: " + bytes + " bytes wanted, " + frame.remaining()
                + " left");
        }
    }

    int i32() throws MessageCodec.MalformedException {
        require(Integer.BYTES);
        return frame.getInt();
    }

    long i64() throws MessageCodec.MalformedException {
        require(Long.BYTES);
        return frame.getLong();
    }

    boolean truth() throws MessageCodec.MalformedException {
        require(1);
        byte value = frame.get();
        if (value != 0 && value != 1) {
            throw new MessageCodec.MalformedException("truth value " + value);
        }
        return value == 1;
    }

    String text() throws MessageCodec.MalformedException {
        return new String(bytes(), StandardCharsets.UTF_8);
    }

    byte[] bytes() throws MessageCodec.MalformedException {
        byte[] bytes = new byte[count(1)];
        frame.get(bytes);
        return bytes;
    }

    long[] longs() throws MessageCodec.MalformedException {
        long[] longs = new long[count(Long.BYTES)];
        for (int i = 0; i < longs.length; i++) {
            longs[i] = frame.getLong();
        }
        return longs;
    }

    byte[][] blobs() throws MessageCodec.MalformedException {
        byte[][] blobs = new byte[count(Integer.BYTES)][];
        for (int i = 0; i < blobs.length; i++) {
            blobs[i] = bytes();
        }
        return blobs;
    }

    Map<String, String> map() throws MessageCodec.MalformedException {
        Map<String, String> map = new TreeMap<>();
        for (int left = count(2 * Integer.BYTES); left > 0; left--) {
            String key = text();
            map.put(key, text());
        }
        return map;
    }

    private int count(int elementBytes) throws MessageCodec.MalformedException {
        int count = i32();
        if (count < 0 || (long) count * elementBytes > frame.remaining()) {
            throw new MessageCodec.MalformedException("count=" + count + " remaining=" + frame.remaining());
        }
        return count;
    }
}
