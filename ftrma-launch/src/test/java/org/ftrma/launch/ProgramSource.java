package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.spi.ToolProvider;

/** Compiles programs of a test's own. */
final class ProgramSource {
    private ProgramSource() {
    }

    /** Compiles a source file of this name into a folder, which is made. */
    static void compile(Path out, String name, String source) throws IOException {
        Path file = Files.createTempDirectory(Files.createDirectories(out.getParent()), "source").resolve(name);
        Files.writeString(file, source);
        int status = ToolProvider.findFirst("javac").orElseThrow().run(System.out, System.err, "-proc:none", "-cp",
            LauncherProcess.classPath(), "-d", out.toString(), file.toString());
        assertEquals(0, status, name);
    }
}
