package org.ftrma.rank.control;

import java.nio.ByteBuffer;
import java.security.MessageDigest;

/**
 * First bytes of a process on its lifeline, the connection to its host's agent that carries nothing else:
 *
 * <pre>
 *  0            4                         12                            44
 *  +------------+-------------------------+-----------------------------+
 *  | process    | pid                     | HMAC(token, what is before) |
 *  +------------+-------------------------+-----------------------------+
 * </pre>
 *
 * <p>It stays within one host, and is said once by each process: nothing is asked before it. Immutable; any thread.
 *
 * @param process the process's number
 * @param pid its id
 */
public record LifelineGreeting(int process, long pid) {
    static final int BYTES = 12 + Hmac.BYTES;

    /** A whole frame. */
    public byte[] frame(Token token) {
        return FrameDescriptor.frame(FrameDescriptor.LIFELINE, ByteBuffer.allocate(BYTES).putInt(process).putLong(pid)
            .put(mac(token)).array()).array();
    }

    private byte[] mac(Token token) {
        return token.hmac().add("ftrma lifeline").add(process).add(pid).result();
    }

    /**
     * What was said, if by one that knows the token.
     *
     * @throws MalformedFrameException if it is something else
     */
    public static LifelineGreeting read(byte kind, byte[] body, Token token) throws MalformedFrameException {
        if (kind != FrameDescriptor.LIFELINE || body.length != BYTES) {
            throw new MalformedFrameException("kind " + kind + " with " + body.length + " bytes instead of a lifeline");
        }
        ByteBuffer said = ByteBuffer.wrap(body);
        LifelineGreeting greeting = new LifelineGreeting(said.getInt(), said.getLong());
        byte[] shown = new byte[Hmac.BYTES];
        said.get(shown);
        if (!MessageDigest.isEqual(greeting.mac(token), shown)) {
            throw new MalformedFrameException("a lifeline of one that does not know the job's token");
        }
        return greeting;
    }
}
