package org.ftrma.rank.control;

import java.nio.ByteBuffer;
import org.ftrma.spi.ControlPlane;

/**
 * The layout of a control frame, in network byte order:
 *
 * <pre>
 *  0        2       3      4               8
 *  +--------+-------+------+---------------+-------------- - -
 *  | magic  |version| kind | body length   | body
 *  +--------+-------+------+---------------+-------------- - -
 *
 *  HELLO      0            4            12                44
 *  (to the    +------------+------------+-----------------+
 *  launcher)  | process    | pid        | client token    |
 *             +------------+------------+-----------------+
 *
 *  AGENT      as HELLO, of the agent of a host, with the host's number
 *
 *  WELCOME    0                         8                 40
 *  (to the    +-------------------------+-----------------+
 *  process)   | heartbeat period, ns    | launcher token  |
 *             +-------------------------+-----------------+
 *
 *  LIFELINE   {@link LifelineGreeting}, to the agent of the host
 *
 *  HEARTBEAT  no body
 *  PAYLOAD    one frame of the coordinator, 0 to {@link ControlPlane#MAX_FRAME_BYTES} bytes
 * </pre>
 *
 * <p>There is no checksum: TCP has one, loopback does not corrupt, and whoever has shown the token is one of our own
 * processes. The magic in every frame is there to notice a reader that lost its place. Any thread.
 */
public final class FrameDescriptor {
    public static final short MAGIC = (short) 0xF7A3;
    public static final byte VERSION = 1;
    public static final int HEADER_BYTES = 8;

    public static final byte HELLO = 1;
    public static final byte WELCOME = 2;
    public static final byte HEARTBEAT = 3;
    public static final byte PAYLOAD = 4;
    public static final byte LIFELINE = 5;
    public static final byte AGENT = 6;

    public static final int HELLO_BYTES = 12 + Token.BYTES;
    public static final int WELCOME_BYTES = 8 + Token.BYTES;
    /** The longest body before the sender has shown the token. */
    public static final int MAX_UNTRUSTED_BODY = 256 - HEADER_BYTES;
    public static final int MAX_BODY = ControlPlane.MAX_FRAME_BYTES;

    private FrameDescriptor() {
    }

    /** A whole frame, ready to be written. */
    public static ByteBuffer frame(byte kind, byte[] body) {
        if (body.length > MAX_BODY) {
            throw new IllegalArgumentException("control frame of " + body.length + " bytes; the limit is " + MAX_BODY);
        }
        ByteBuffer buffer = ByteBuffer.allocate(HEADER_BYTES + body.length);
        return buffer.putShort(MAGIC).put(VERSION).put(kind).putInt(body.length).put(body).flip();
    }

    public static ByteBuffer hello(ControlPeer who, Token token) {
        return frame(who.kind() == ControlPeer.Kind.AGENT ? AGENT : HELLO, ByteBuffer.allocate(HELLO_BYTES)
            .putInt(who.number()).putLong(who.pid()).put(token.client()).array());
    }

    public static ByteBuffer welcome(long heartbeatNanos, Token token) {
        return frame(WELCOME, ByteBuffer.allocate(WELCOME_BYTES).putLong(heartbeatNanos).put(token.launcher()).array());
    }

    public static ByteBuffer heartbeat() {
        return frame(HEARTBEAT, new byte[0]);
    }
}
