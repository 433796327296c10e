package org.ftrma.rank.control;

import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * The secret of one job: its processes, its agents and its launcher show each other that they know it, and never the
 * secret itself ({@link Handshake}). It is passed in a file that only its owner can read, never on a command line.
 * Immutable.
 */
public final class Token {
    public static final int BYTES = 32;
    private final byte[] secret;

    private Token(byte[] secret) {
        this.secret = secret;
    }

    /** A new secret. */
    public static Token random() {
        byte[] secret = new byte[BYTES];
        new SecureRandom().nextBytes(secret);
        return new Token(secret);
    }

    /** The inverse of {@link #text}. */
    public static Token parse(String text) {
        byte[] secret = HexFormat.of().parseHex(text);
        if (secret.length != BYTES) {
            throw new IllegalArgumentException("token of " + secret.length + " bytes instead of " + BYTES);
        }
        return new Token(secret);
    }

    /** The whole secret, for the job's private file. */
    public String text() {
        return HexFormat.of().formatHex(secret);
    }

    /** For what shows that this token is known, and does not show it. */
    Hmac hmac() {
        return new Hmac(secret);
    }

    @Override
    public String toString() {
        return "Token[secret]";
    }
}
