package org.ftrma.ucx;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads what the kernel says in /proc and /sys. Any thread. */
final class KernelFiles {
    private static final int MAX_BYTES = 1 << 20;

    private KernelFiles() {
    }

    /**
     * The text of such a file without surrounding blanks, empty if there is none. {@link Files#readString} will not do:
     * these files have size 0, so that it begins with a read of one byte, and those below /proc/sys answer only the
     * first read.
     */
    static String read(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            return new String(in.readNBytes(MAX_BYTES), StandardCharsets.ISO_8859_1).strip();
        } catch (IOException e) {
            return "";
        }
    }
}
