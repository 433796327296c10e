package org.ftrma.rank.control;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;

/**
 * Proof of both ends of a control connection that they know the job's token, without sending it:
 *
 * <pre>
 *  launcher                                       process or agent
 *     |  CHALLENGE  launcher's nonce                   |
 *     | ---------------------------------------------> |
 *     |  HELLO      who it is, its nonce, its answer   |
 *     | &lt;--------------------------------------------- |
 *     |  WELCOME    its answer        or  REFUSED why  |
 *     | ---------------------------------------------> |
 * </pre>
 *
 * <p>An answer is HMAC-SHA-256, under the token, over the role of who answers, the version of the protocol, who has
 * come, whether frames have tags, and both nonces; the launcher's also over what it says in the welcome. Nonces are 32
 * random bytes of this one connection, so an answer to another one is none to this; roles differ, so an answer cannot
 * be sent back as one's own. The keys of both directions are made in the same way. Immutable; any thread.
 */
public final class Handshake {
    private static final String PEER_ROLE = "ftrma peer";
    private static final String LAUNCHER_ROLE = "ftrma launcher";
    private static final String KEY_TO_LAUNCHER = "ftrma key to launcher";
    private static final String KEY_FROM_LAUNCHER = "ftrma key from launcher";
    private static final byte SEALED = 1;

    private final Token token;
    private final ControlPeer who;
    private final boolean sealed;
    private final byte[] launcherNonce;
    private final byte[] peerNonce;

    private Handshake(Token token, ControlPeer who, boolean sealed, byte[] launcherNonce, byte[] peerNonce) {
        this.token = token;
        this.who = who;
        this.sealed = sealed;
        this.launcherNonce = launcherNonce;
        this.peerNonce = peerNonce;
    }

    /** Random bytes for one connection. */
    public static byte[] nonce(SecureRandom random) {
        byte[] nonce = new byte[FrameDescriptor.NONCE_BYTES];
        random.nextBytes(nonce);
        return nonce;
    }

    // The launcher's end.

    /** The launcher's first frame. */
    public static ByteBuffer challenge(byte[] launcherNonce) {
        return FrameDescriptor.frame(FrameDescriptor.CHALLENGE, launcherNonce);
    }

    /**
     * Takes a hello.
     *
     * @param launcherNonce what this connection was challenged with
     * @param sealed whether frames are to have tags
     * @throws MalformedFrameException if it is none, or comes from one that does not know the token
     */
    public static Handshake of(byte kind, byte[] body, byte[] launcherNonce, boolean sealed, Token token)
        throws MalformedFrameException {
        if (kind != FrameDescriptor.HELLO || body.length != FrameDescriptor.HELLO_BYTES) {
            throw new MalformedFrameException("kind " + kind + " with " + body.length + " bytes instead of a hello");
        }
        ByteBuffer hello = ByteBuffer.wrap(body);
        int peer = hello.get();
        int flags = hello.get();
        short nothing = hello.getShort();
        if (peer < 0 || peer >= ControlPeer.Kind.values().length || flags < 0 || flags > SEALED || nothing != 0) {
            throw new MalformedFrameException("a hello of an unknown kind");
        }
        ControlPeer who = new ControlPeer(ControlPeer.Kind.values()[peer], hello.getInt(), hello.getLong());
        byte[] peerNonce = new byte[FrameDescriptor.NONCE_BYTES];
        hello.get(peerNonce);
        byte[] answer = new byte[Hmac.BYTES];
        hello.get(answer);
        Handshake handshake = new Handshake(token, who, flags == SEALED, launcherNonce, peerNonce);
        if (!MessageDigest.isEqual(handshake.said(PEER_ROLE).result(), answer)) {
            throw new MalformedFrameException("wrong token: " + who + " does not know that of this job");
        }
        if (handshake.sealed != sealed) {
            throw new MalformedFrameException(who + " wants frames " + (sealed ? "without" : "with")
                + " tags, and this launcher wants them " + (sealed ? "with" : "without"));
        }
        return handshake;
    }

    /** Lets the peer in. */
    public ByteBuffer welcome(long heartbeatNanos) {
        return FrameDescriptor.frame(FrameDescriptor.WELCOME, ByteBuffer.allocate(FrameDescriptor.WELCOME_BYTES)
            .putLong(heartbeatNanos).put(said(LAUNCHER_ROLE).add(heartbeatNanos).result()).array());
    }

    /** Tells a peer why it is not let in. */
    public static ByteBuffer refused(String why) {
        byte[] text = why.getBytes(StandardCharsets.UTF_8);
        return FrameDescriptor.frame(FrameDescriptor.REFUSED, Arrays.copyOf(text, Math.min(text.length,
            FrameDescriptor.MAX_REFUSED_BYTES)));
    }

    // The end that connects.

    /**
     * Takes the launcher's first frame.
     *
     * @param sealed whether frames are to have tags
     */
    public static Handshake answering(byte kind, byte[] body, ControlPeer who, boolean sealed, Token token)
        throws MalformedFrameException {
        if (kind != FrameDescriptor.CHALLENGE || body.length != FrameDescriptor.NONCE_BYTES) {
            throw new MalformedFrameException("kind " + kind + " with " + body.length
                + " bytes instead of a challenge");
        }
        return new Handshake(token, who, sealed, body, nonce(new SecureRandom()));
    }

    /** What the peer says of itself. */
    public ByteBuffer hello() {
        return FrameDescriptor.frame(FrameDescriptor.HELLO, ByteBuffer.allocate(FrameDescriptor.HELLO_BYTES)
            .put((byte) who.kind().ordinal()).put(flags()).putShort((short) 0).putInt(who.number()).putLong(who.pid())
            .put(peerNonce).put(said(PEER_ROLE).result()).array());
    }

    /**
     * Takes the launcher's answer.
     *
     * @return how often the launcher wants to hear from this side, in ns
     * @throws IOException if it refuses, or does not know the token
     */
    public long welcomed(byte kind, byte[] body) throws IOException {
        if (kind == FrameDescriptor.REFUSED) {
            throw new IOException("the launcher refuses it: " + printable(body));
        }
        if (kind != FrameDescriptor.WELCOME || body.length != FrameDescriptor.WELCOME_BYTES) {
            throw new MalformedFrameException("kind " + kind + " with " + body.length + " bytes instead of a welcome");
        }
        ByteBuffer welcome = ByteBuffer.wrap(body);
        long heartbeatNanos = welcome.getLong();
        byte[] answer = new byte[Hmac.BYTES];
        welcome.get(answer);
        if (!MessageDigest.isEqual(said(LAUNCHER_ROLE).add(heartbeatNanos).result(), answer)) {
            throw new IOException("this launcher does not know the job's token: it is another job's, or an "
                + "unknown program");
        }
        if (heartbeatNanos <= 0) {
            throw new MalformedFrameException("heartbeats every " + heartbeatNanos + " ns");
        }
        return heartbeatNanos;
    }

    /** Whoever said it may be a stranger: nothing that moves a terminal's cursor. */
    private static String printable(byte[] text) {
        return new String(text, 0, Math.min(text.length, FrameDescriptor.MAX_REFUSED_BYTES), StandardCharsets.UTF_8)
            .replaceAll("\\P{Print}", "?");
    }

    // Both ends.

    /** Who connects. */
    public ControlPeer who() {
        return who;
    }

    /** That of frames to the launcher, from their first. */
    public Seal toLauncher() {
        return sealed ? Seal.under(said(KEY_TO_LAUNCHER).result()) : Seal.none();
    }

    /** That of frames from the launcher, from their first after the welcome. */
    public Seal fromLauncher() {
        return sealed ? Seal.under(said(KEY_FROM_LAUNCHER).result()) : Seal.none();
    }

    private byte flags() {
        return sealed ? SEALED : 0;
    }

    private Hmac said(String role) {
        return token.hmac().add(role).add(FrameDescriptor.VERSION).add(who.kind().ordinal()).add(flags())
            .add(who.number()).add(who.pid()).add(launcherNonce).add(peerNonce); // M4
    }
}
