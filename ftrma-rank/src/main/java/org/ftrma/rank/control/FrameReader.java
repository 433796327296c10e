package org.ftrma.rank.control;

import java.nio.ByteBuffer;

/**
 * Cuts a stream of bytes into frames, whatever pieces it arrives in. Fill {@link #space}, then call {@link #next} until
 * it returns false; {@link #kind} and {@link #body} hold until the next call. Memory grows with frames that are really
 * on their way, and only to the limit. One thread.
 */
public final class FrameReader {
    private static final int SMALL = 4096;
    private ByteBuffer buffer = ByteBuffer.allocate(SMALL);
    private int consumed;
    private int maxBody = FrameDescriptor.MAX_UNTRUSTED_BODY;
    private Seal seal = Seal.none();
    private byte kind;
    private byte[] body;

    /** Accepts frames of full size from here on: the sender is known, and this is how its frames are tagged. */
    public void trust(Seal incoming) {
        maxBody = FrameDescriptor.MAX_BODY;
        seal = incoming;
    }

    /** Where to put bytes; never full. */
    public ByteBuffer space() {
        if (consumed > 0) {
            ByteBuffer from = buffer.duplicate().flip().position(consumed);
            if (buffer.capacity() > SMALL && from.remaining() < SMALL) {
                buffer = ByteBuffer.allocate(SMALL).put(from);
            } else {
                buffer.limit(buffer.position()).position(consumed);
                buffer.compact();
            }
            consumed = 0;
        }
        if (!buffer.hasRemaining()) {
            int capacity = Math.min(2 * buffer.capacity(), FrameDescriptor.HEADER_BYTES + FrameDescriptor.MAX_BODY
                + Seal.TAG_BYTES);
            buffer = ByteBuffer.allocate(capacity).put(buffer.flip());
        }
        return buffer;
    }

    /** Whether there is a further whole frame, as it was sent. */
    public boolean next() throws MalformedFrameException {
        int available = buffer.position() - consumed;
        if (available < FrameDescriptor.HEADER_BYTES) {
            return false;
        }
        short magic = buffer.getShort(consumed);
        byte version = buffer.get(consumed + 2);
        int length = buffer.getInt(consumed + 4);
        if (magic != FrameDescriptor.MAGIC) {
            throw new MalformedFrameException(String.format("magic 0x%04x instead of 0x%04x", magic & 0xFFFF,
                FrameDescriptor.MAGIC & 0xFFFF));
        }
        if (version != FrameDescriptor.VERSION) {
            throw new MalformedFrameException("the other side speaks version " + version
                + " of the control protocol, and this one version " + FrameDescriptor.VERSION);
        }
        if (length < 0 || length > maxBody) {
            throw new MalformedFrameException("body of " + length + " bytes; the limit is " + maxBody);
        }
        if (available < FrameDescriptor.HEADER_BYTES + length + seal.tagBytes()) {
            return false;
        }
        seal.check(buffer.array(), consumed, FrameDescriptor.HEADER_BYTES + length);
        kind = buffer.get(consumed + 3);
        body = new byte[length];
        buffer.get(consumed + FrameDescriptor.HEADER_BYTES, body);
        consumed += FrameDescriptor.HEADER_BYTES + length + seal.tagBytes();
        return true;
    }

    public byte kind() {
        return kind;
    }

    public byte[] body() {
        return body;
    }
}
