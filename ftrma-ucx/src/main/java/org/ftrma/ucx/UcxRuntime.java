package org.ftrma.ucx;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.ftrma.FtrmaException;
import org.ftrma.ucp.FatalErrorGuard;
import org.ftrma.ucp.Libc;
import org.ftrma.ucp.Ucp;
import org.ftrma.ucp.UcpLibrary;
import org.ftrma.ucp.UcpUnavailableException;
import org.openucx.jucx.NativeLibs;
import org.openucx.jucx.UcxException;

/** Loads UCX and jucx, and turns what they report into {@link FtrmaException}s. Any thread. */
final class UcxRuntime {
    private static String version;

    private UcxRuntime() {
    }

    /** Loads the libraries once per process; returns UCX's version. */
    static synchronized String load() {
        if (version != null) {
            return version;
        }
        // Hooks on malloc and mmap serve registration caches of network cards; the transports used here have none, and
        // a JVM is better off without.
        Libc.setenvIfAbsent("UCX_MEM_EVENTS", "n");
        try {
            String found = UcpLibrary.require();
            loadJucx();
            version = found;
            return found;
        } catch (UcpUnavailableException e) {
            throw new FtrmaException(FtrmaException.Category.SETUP, e.getMessage(), e);
        }
    }

    /** For the network path: see {@link FatalErrorGuard}. */
    static void guardAgainstFatalErrors() {
        try {
            FatalErrorGuard.install();
        } catch (UcpUnavailableException e) {
            throw new FtrmaException(FtrmaException.Category.SETUP, e.getMessage(), e);
        }
    }

    /**
     * jucx unpacks its shared library to a temporary directory and deletes it when the JVM ends, which a killed one
     * never does. Once the library is loaded the files are not needed: they are deleted here. (A kill in the moment
     * between is covered by a java.io.tmpdir that the launcher removes.)
     */
    private static void loadJucx() {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        List<Path> before = jucxDirectories(temporary);
        try {
            NativeLibs.load();
        } catch (UnsatisfiedLinkError e) {
            throw new FtrmaException(FtrmaException.Category.SETUP, "jucx cannot load its library (" + e.getMessage()
                + "): it is unpacked to java.io.tmpdir=" + temporary + ", which must be writable and allow execution",
                e);
        }
        for (Path directory : jucxDirectories(temporary)) {
            if (!before.contains(directory) && isMapped(directory)) {
                delete(directory);
            }
        }
    }

    private static List<Path> jucxDirectories(Path temporary) {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(temporary, "jucx*")) {
            entries.forEach(found::add);
        } catch (IOException e) {
            throw new FtrmaException(FtrmaException.Category.SETUP, "java.io.tmpdir=" + temporary + " cannot be read",
                e);
        }
        return found;
    }

    /** Other processes may unpack theirs at the same moment: ours is the one that this process has mapped. */
    private static boolean isMapped(Path directory) {
        try {
            return Files.readString(Path.of("/proc/self/maps")).contains(directory + "/");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path directory) {
        try {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
                for (Path file : files) {
                    Files.deleteIfExists(file);
                }
            }
            Files.deleteIfExists(directory);
        } catch (IOException e) {
            throw new FtrmaException(FtrmaException.Category.SETUP, "cannot delete " + directory, e);
        }
    }

    /** A failure of jucx during set-up. */
    static FtrmaException setupFailed(String what, UcxException e) {
        return new FtrmaException(FtrmaException.Category.SETUP, what + " failed: " + e.getMessage()
            + " (UCX_LOG_LEVEL=info shows UCX's own messages; `ucx_info -d` lists its transports)", e);
    }

    /** What went wrong with UCX, in words. */
    static String describe(byte status) {
        return Ucp.statusString(status) + " (status " + status + ")";
    }

    static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return bytes;
    }

    static ByteBuffer direct(byte[] bytes) {
        return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    }
}
