package org.ftrma.launch.agent;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/** What tells whether two hosts have the same library: names and contents of its jars and classes. Any thread. */
final class LibraryDigest {
    private static final int PIECE_BYTES = 64 << 10;

    private LibraryDigest() {
    }

    /** That of the places of a class path, separated by colons; where they are does not matter. */
    static String of(String classPath) throws IOException {
        CRC32C crc = new CRC32C();
        byte[] piece = new byte[PIECE_BYTES];
        for (String place : classPath.split(File.pathSeparator)) {
            Path root = Path.of(place);
            List<Path> files;
            try (Stream<Path> all = Files.walk(root)) {
                files = all.filter(Files::isRegularFile).sorted().toList();
            }
            for (Path file : files) {
                crc.update(root.relativize(file).toString().getBytes(java.nio.charset.StandardCharsets.UTF_8));
                try (InputStream in = Files.newInputStream(file)) {
                    for (int count = in.read(piece); count >= 0; count = in.read(piece)) {
                        crc.update(piece, 0, count);
                    }
                }
            }
        }
        return Long.toHexString(crc.getValue());
    }
}
