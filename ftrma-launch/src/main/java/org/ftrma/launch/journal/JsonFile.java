package org.ftrma.launch.journal;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;

/** Objects as files, each of which is there whole or not at all. Any thread. */
final class JsonFile {
    /** Far more than any job needs, so that a file that is none of ours is not taken into memory. */
    private static final int MOST_BYTES = 16 << 20;

    private JsonFile() {
    }

    static void write(Path file, Map<String, Object> object) throws IOException {
        Path unfinished = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(unfinished);
        Files.createFile(unfinished, PosixFilePermissions.asFileAttribute(
            PosixFilePermissions.fromString("rw-------")));
        Files.write(unfinished, JSON.std.with(JSON.Feature.WRITE_NULL_PROPERTIES).asString(object)
            .getBytes(StandardCharsets.UTF_8));
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /**
     * What is there.
     *
     * @throws IOException it cannot be read, or is no object, or is too large
     */
    static Map<String, Object> read(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MOST_BYTES + 1);
            if (bytes.length > MOST_BYTES) {
                throw new IOException(file + " has more than " + MOST_BYTES + " bytes");
            }
            return JSON.std.mapFrom(bytes);
        }
    }
}
