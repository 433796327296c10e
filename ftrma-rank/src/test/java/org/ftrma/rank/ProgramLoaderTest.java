package org.ftrma.rank;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.spi.ToolProvider;
import org.ftrma.FtrmaException;
import org.ftrma.rank.program.ClassPathDigest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program's classes are those of the job's beginning, whenever they are loaded. */
class ProgramLoaderTest {
    @TempDir
    private Path place;
    private Path out;

    @BeforeEach
    void compile() throws IOException {
        out = place.resolve("out");
        compile("1");
    }

    private void compile(String value) throws IOException {
        for (String name : new String[] {"First", "Second"}) {
            Path file = Files.writeString(place.resolve(name + ".java"), "public class " + name
                + " { public static int value() { return " + value + "; } }");
            assertEquals(0, ToolProvider.findFirst("javac").orElseThrow().run(System.out, System.err, "-proc:none",
                "-d", out.toString(), file.toString()));
        }
    }

    private String jar(String name) {
        String jar = place.resolve(name).toString();
        assertEquals(0, ToolProvider.findFirst("jar").orElseThrow().run(System.out, System.err, "--create", "--file",
            jar, "-C", out.toString(), "."));
        return jar;
    }

    private ProgramLoader loader(String classPath) {
        return new ProgramLoader(ClassPathDigest.of(classPath), ProgramLoaderTest.class.getClassLoader());
    }

    private static int value(ProgramLoader loader, String name) throws ReflectiveOperationException {
        return (int) Class.forName(name, true, loader).getMethod("value").invoke(null);
    }

    private static void assertRefused(ProgramLoader loader, String name, String what) {
        FtrmaException refused = assertThrows(FtrmaException.class, () -> loader.loadClass(name));
        assertTrue(refused.getMessage().startsWith("the program has changed since the job began: " + what),
            refused.getMessage());
    }

    @Test
    void aClassThatWasCompiledAnewIsRefusedHoweverOftenItIsAskedFor() throws Exception {
        try (ProgramLoader loader = loader(out.toString())) {
            assertEquals(1, value(loader, "First"));
            compile("2");
            String what = "Second.class in " + out + " holds something else";
            assertRefused(loader, "Second", what);
            assertRefused(loader, "Second", what);
            assertEquals("java.util.zip.CRC32", loader.loadClass("java.util.zip.CRC32").getName());
            assertRefused(loader, "First", what);
        }
    }

    @Test
    void aClassThatWasCompiledToTheSameIsLoaded() throws Exception {
        try (ProgramLoader loader = loader(out.toString())) {
            compile("1");
            loader.requireTheSame();
            assertEquals(1, value(loader, "Second"));
        }
    }

    @Test
    void aClassThatWasNotThereIsRefusedIfItIsLoadedOnly() throws Exception {
        String places = place.resolve("before") + ":" + out;
        Files.createDirectory(place.resolve("before"));
        try (ProgramLoader loader = loader(places)) {
            Files.copy(out.resolve("Second.class"), place.resolve("before/Second.class"));
            loader.requireTheSame();
            assertEquals(1, value(loader, "First"));
            assertRefused(loader, "Second", "Second.class in " + place.resolve("before") + " was not there");
        }
    }

    @Test
    void aJarThatIsReplacedIsRefusedUnlessItIsOpen() throws Exception {
        String jar = jar("x.jar");
        try (ProgramLoader open = loader(jar); ProgramLoader late = loader(place + "/*")) {
            assertEquals(1, value(open, "First"));
            compile("2");
            Files.move(Path.of(jar("new.jar")), Path.of(jar), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
            assertEquals(1, value(open, "Second"));
            assertThrows(FtrmaException.class, open::requireTheSame);
            assertRefused(late, "First", "x.jar in " + place + "/* holds something else");
        }
    }

    @Test
    void whatHasChangedIsFoundBeforeAnythingIsLoaded() throws Exception {
        try (ProgramLoader loader = loader(out.toString())) {
            assertDoesNotThrow(loader::requireTheSame);
            Files.delete(out.resolve("Second.class"));
            FtrmaException refused = assertThrows(FtrmaException.class, loader::requireTheSame);
            assertTrue(refused.getMessage().contains("Second.class in " + out + " is gone"), refused.getMessage());
            assertRefused(loader, "First", "Second.class in " + out + " is gone");
        }
    }
}
