package org.ftrma.rank.control;

import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * The secret of one job: one half is shown by its processes, the other by its launcher, so that neither talks to a
 * stranger. It is passed in a file that only its owner can read, never on a command line. Immutable.
 */
public final class Token {
    public static final int BYTES = 32;
    private final byte[] client;
    private final byte[] launcher;

    private Token(byte[] client, byte[] launcher) {
        this.client = client;
        this.launcher = launcher;
    }

    /** A new secret. */
    public static Token random() {
        SecureRandom random = new SecureRandom();
        byte[] client = new byte[BYTES];
        byte[] launcher = new byte[BYTES];
        random.nextBytes(client);
        random.nextBytes(launcher);
        return new Token(client, launcher);
    }

    /** The inverse of {@link #text}. */
    public static Token parse(String text) {
        byte[] all = HexFormat.of().parseHex(text);
        if (all.length != 2 * BYTES) {
            throw new IllegalArgumentException("token of " + all.length + " bytes instead of " + 2 * BYTES);
        }
        return new Token(java.util.Arrays.copyOf(all, BYTES), java.util.Arrays.copyOfRange(all, BYTES, 2 * BYTES));
    }

    /** The whole secret, for the job's private file. */
    public String text() {
        return HexFormat.of().formatHex(client) + HexFormat.of().formatHex(launcher);
    }

    public byte[] client() {
        return client.clone();
    }

    public byte[] launcher() {
        return launcher.clone();
    }

    /** Takes the same time whatever the bytes are. */
    public boolean clientMatches(byte[] shown) {
        return MessageDigest.isEqual(client, shown);
    }

    /** Takes the same time whatever the bytes are. */
    public boolean launcherMatches(byte[] shown) {
        return MessageDigest.isEqual(launcher, shown);
    }

    /** For what shows that this token is known, and does not show it. */
    Hmac hmac() {
        return new Hmac(client);
    }

    @Override
    public String toString() {
        return "Token[secret]";
    }
}
