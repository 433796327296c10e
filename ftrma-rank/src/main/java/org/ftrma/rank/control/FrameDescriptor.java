package org.ftrma.rank.control;

import java.nio.ByteBuffer;
import org.ftrma.spi.ControlPlane;

/**
 * The layout of a control frame, in network byte order:
 *
 * <pre>
 *  0        2       3      4               8
 *  +--------+-------+------+---------------+-------------- - - +-------- - - +
 *  | magic  |version| kind | body length   | body              | tag         |
 *  +--------+-------+------+---------------+-------------- - - +-------- - - +
 *
 *  CHALLENGE  0                                           32
 *  (to the    +-------------------------------------------+
 *  peer)      | launcher's nonce                          |
 *             +-------------------------------------------+
 *
 *  HELLO      0      1       2      4        8          16              48            80
 *  (to the    +------+-------+------+--------+----------+---------------+-------------+
 *  launcher)  | peer | flags | 0    | number | pid      | peer's nonce  | answer      |
 *             +------+-------+------+--------+----------+---------------+-------------+
 *             peer: 0 a process, 1 an agent; flags: 1 frames have tags
 *
 *  WELCOME    0                         8                 40
 *  (to the    +-------------------------+-----------------+
 *  peer)      | heartbeat period, ns    | answer          |
 *             +-------------------------+-----------------+
 *
 *  REFUSED    why, for people, in place of a welcome: up to 200 bytes of UTF-8, which nobody vouches for
 *
 *  HEARTBEAT  no body
 *  PAYLOAD    what the connection is for, 0 to {@link ControlPlane#MAX_FRAME_BYTES} bytes
 *
 *  LIFELINE   {@link LifelineGreeting}, to the agent of the host
 * </pre>
 *
 * <p>The launcher speaks first. How answers are made {@link Handshake} tells. After the welcome each frame has a tag of
 * 16 bytes, and is counted ({@link Seal}); not so on the loopback address, which a host's own kernel carries, and
 * before the welcome. The magic in every frame is there to notice a reader that lost its place. Any thread.
 */
public final class FrameDescriptor {
    public static final short MAGIC = (short) 0xF7A3;
    public static final byte VERSION = 2;
    public static final int HEADER_BYTES = 8;

    public static final byte HELLO = 1;
    public static final byte WELCOME = 2;
    public static final byte HEARTBEAT = 3;
    public static final byte PAYLOAD = 4;
    public static final byte LIFELINE = 5;
    public static final byte CHALLENGE = 6;
    public static final byte REFUSED = 7;

    public static final int NONCE_BYTES = 32;
    public static final int HELLO_BYTES = 16 + NONCE_BYTES + Hmac.BYTES;
    public static final int WELCOME_BYTES = 8 + Hmac.BYTES;
    public static final int MAX_REFUSED_BYTES = 200;
    /** The longest body before the sender has shown that it knows the token. */
    public static final int MAX_UNTRUSTED_BODY = 256 - HEADER_BYTES;
    public static final int MAX_BODY = ControlPlane.MAX_FRAME_BYTES;

    private FrameDescriptor() {
    }

    /** A whole frame without a tag, ready to be written. */
    public static ByteBuffer frame(byte kind, byte[] body) {
        return frame(kind, body, 0).flip();
    }

    /** A frame with room for a tag behind what was put. */
    static ByteBuffer frame(byte kind, byte[] body, int tagBytes) {
        if (body.length > MAX_BODY) {
            throw new IllegalArgumentException("control frame of " + body.length + " bytes; the limit is " + MAX_BODY);
        }
        ByteBuffer buffer = ByteBuffer.allocate(HEADER_BYTES + body.length + tagBytes);
        return buffer.putShort(MAGIC).put(VERSION).put(kind).putInt(body.length).put(body);
    }
}
