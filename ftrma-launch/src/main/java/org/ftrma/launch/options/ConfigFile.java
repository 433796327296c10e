package org.ftrma.launch.options;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.ftrma.MisuseException;

/**
 * A file of options, in the form of Java's properties: {@code key=value} a line, in UTF-8. Any thread.
 *
 * @param name as it is told
 * @param isDefault whether nobody named it
 * @param values by key
 */
record ConfigFile(String name, boolean isDefault, Map<String, String> values) {
    /** The file that is read although nobody names it. */
    static final String DEFAULT = "ftrma.properties";
    /** In place of a file: nothing but the command line counts. */
    static final String NONE = "none";
    static final ConfigFile ABSENT = new ConfigFile(NONE, true, Map.of());
    private static final int MOST_BYTES = 1 << 20;
    /** What these say is run: in a file that came with a folder, they could be somebody else's. */
    private static final Set<String> RUN_SOMETHING = Set.of("class-path", "jvm-arg", "shell", "mpirun",
        "remote-ftrma");

    /**
     * One that somebody named.
     *
     * @throws MisuseException if it cannot be read
     */
    static ConfigFile named(Path folder, String name) {
        return new ConfigFile(name, false, read(folder.resolve(name), name));
    }

    /**
     * The one of a folder, if there is one.
     *
     * @throws MisuseException if somebody else could have written it, or it names what is run
     */
    static ConfigFile ofFolder(Path folder) {
        Path file = folder.resolve(DEFAULT);
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return ABSENT;
        }
        String why = whyUnsafe(file);
        if (why != null) {
            throw new MisuseException(DEFAULT + ": refused, because " + why + "; use --config " + DEFAULT
                + " if you trust it, or --config " + NONE);
        }
        Map<String, String> values = read(file, DEFAULT);
        for (String key : values.keySet()) {
            if (RUN_SOMETHING.contains(key.substring(key.lastIndexOf('.') + 1))) {
                throw new MisuseException(DEFAULT + ": " + key + ": says what is run, which only a file may that "
                    + "--config names: --config " + DEFAULT);
            }
        }
        return new ConfigFile(DEFAULT, true, values);
    }

    /** Wrong usage, found out by something else. */
    static MisuseException caused(String message, Exception cause) {
        MisuseException misuse = new MisuseException(message);
        misuse.initCause(cause);
        return misuse;
    }

    private static String whyUnsafe(Path file) {
        try {
            if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                return "it is not a regular file";
            }
            Object owner = Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS);
            if (!owner.equals(0) && !owner.equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"))) {
                return "it belongs to another user";
            }
            Set<PosixFilePermission> allowed = Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS);
            return allowed.contains(PosixFilePermission.GROUP_WRITE)
                || allowed.contains(PosixFilePermission.OTHERS_WRITE)
                ? "others may write to it (chmod go-w " + DEFAULT + ")" : null;
        } catch (IOException | UnsupportedOperationException e) {
            return "its owner cannot be told (" + e.getMessage() + ")";
        }
    }

    private static Map<String, String> read(Path file, String name) {
        byte[] bytes;
        try (InputStream input = Files.newInputStream(file)) {
            bytes = input.readNBytes(MOST_BYTES + 1);
        } catch (IOException e) {
            throw caused("--config=" + name + ": cannot be read: " + (e instanceof NoSuchFileException
                ? "no such file" : e.getMessage()), e);
        }
        if (bytes.length > MOST_BYTES) {
            throw new MisuseException("--config=" + name + ": is larger than " + MOST_BYTES + " bytes, which no file "
                + "of options is");
        }
        Map<String, String> values = new LinkedHashMap<>();
        try {
            new Properties() {
                private static final long serialVersionUID = 1;

                @Override
                public synchronized Object put(Object key, Object value) {
                    if (values.putIfAbsent(key.toString(), value.toString().trim()) != null) {
                        throw new MisuseException(name + ": " + key + ": is there twice");
                    }
                    return null;
                }
            }.load(new StringReader(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString()));
        } catch (CharacterCodingException e) {
            throw caused("--config=" + name + ": is not in UTF-8", e);
        } catch (IOException | IllegalArgumentException e) {
            throw caused("--config=" + name + ": is not a file of key=value lines: " + e.getMessage(), e);
        }
        return values;
    }
}
