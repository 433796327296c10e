package org.ftrma.rank.control;

import java.nio.ByteBuffer;

/**
 * Authenticates the frames of one direction of a connection: each has a tag, the first 16 bytes of HMAC-SHA-256 under
 * the direction's key over its count, its header and its body. The count is not sent, since both ends keep it: a frame
 * that was changed, repeated, left out or moved has a wrong tag, and ends the connection. One thread at a time.
 *
 * <p>On the loopback address there are none ({@link #none}): nobody but the host's kernel carries those frames, and a
 * virtual machine that has just started takes 20 ms and more for the tag of one of a megabyte.
 */
public final class Seal {
    /** Of a tag. */
    static final int TAG_BYTES = 16;

    private final Hmac hmac;
    private long count;

    private Seal(Hmac hmac) {
        this.hmac = hmac;
    }

    /** No tags. */
    public static Seal none() {
        return new Seal(null);
    }

    /** Tags under this key, which no other direction of any connection has. */
    static Seal under(byte[] key) {
        return new Seal(new Hmac(key));
    }

    int tagBytes() {
        return hmac == null ? 0 : TAG_BYTES;
    }

    /** The next frame, ready to be written. */
    public ByteBuffer frame(byte kind, byte[] body) {
        ByteBuffer frame = FrameDescriptor.frame(kind, body, tagBytes());
        if (hmac != null) {
            frame.put(tag(frame.array(), 0, frame.position()), 0, TAG_BYTES);
        }
        return frame.flip();
    }

    /**
     * Checks the next frame: {@code count} bytes of header and body, and the tag behind them.
     *
     * @throws MalformedFrameException if it is not the one that was sent next
     */
    void check(byte[] bytes, int from, int length) throws MalformedFrameException {
        if (hmac == null) {
            return;
        }
        long number = count;
        byte[] tag = tag(bytes, from, length);
        int difference = 0; // all are compared, so that the time tells nothing
        for (int i = 0; i < TAG_BYTES; i++) {
            difference |= tag[i] ^ bytes[from + length + i];
        }
        if (difference != 0) {
            throw new MalformedFrameException("frame " + number + " has a wrong tag: it was changed, repeated, left out"
                + " or moved on its way");
        }
    }

    private byte[] tag(byte[] bytes, int from, int length) {
        return hmac.add(count++).add(bytes, from, length).result();
    }
}
