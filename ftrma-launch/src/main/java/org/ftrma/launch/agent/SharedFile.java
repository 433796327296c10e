package org.ftrma.launch.agent;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * Small files by which hosts find out whether they see the same directory: one writes what nobody can guess, and the
 * other ones read it. Links are not followed. Any thread.
 */
public final class SharedFile {
    /** Of a larger one nobody wants to know. */
    private static final int MOST_BYTES = 64 << 20;
    private static final int SECRET_BYTES = 32;

    private SharedFile() {
    }

    /**
     * Writes a file that is not there yet.
     *
     * @return the digest of its contents
     */
    public static String write(Path file) throws IOException {
        byte[] secret = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(secret);
        byte[] contents = HexFormat.of().formatHex(secret).getBytes(StandardCharsets.US_ASCII);
        Files.write(file, contents, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        return digest(contents);
    }

    /** The digest of a file's contents. */
    public static String digest(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            byte[] contents = in.readNBytes(MOST_BYTES + 1);
            if (contents.length > MOST_BYTES) {
                throw new IOException("it is larger than " + MOST_BYTES + " bytes");
            }
            return digest(contents);
        }
    }

    /** What is wrong with a file that should have contents of this digest, for people; null: nothing. */
    public static String difference(Path file, String digest) {
        try {
            return digest(file).equals(digest) ? null : "what is in " + file + " is something else";
        } catch (NoSuchFileException e) {
            return "there is no " + file;
        } catch (AccessDeniedException e) {
            return file + " cannot be read: permission denied";
        } catch (IOException e) {
            return file + " cannot be read: " + e;
        }
    }

    /** What an agent answers. */
    static AgentMessage.Probed answer(AgentMessage.Probe probe) {
        String difference = difference(Path.of(probe.file()), probe.digest());
        if (difference != null || probe.answer() == null) {
            return new AgentMessage.Probed(difference, null);
        }
        try {
            return new AgentMessage.Probed(null, write(Path.of(probe.answer())));
        } catch (IOException e) {
            return new AgentMessage.Probed("nothing can be written there: " + (e instanceof AccessDeniedException
                ? "permission denied" : e.toString()), null);
        }
    }

    private static String digest(byte[] contents) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(contents));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this JDK has no SHA-256", e);
        }
    }
}
