package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Where the script builds and runs: for others, where nothing can be written, and in another place than before. */
@Tag("long")
class ScriptPlacesTest extends ScriptWorld {
    private void assertRunsFrom(Path lib) throws IOException, InterruptedException {
        assertRunsOn("usr/lib/jvm/usual", Map.of("XDG_CACHE_HOME", place.resolve("cache").toString()));
        assertTrue(lastLine().contains(" -cp " + lib + "/ftrma-api-1.jar:" + lib + "/ftrma-cli-1.jar:" + lib
            + "/other.jar "), output);
    }

    private Path builtHere() throws IOException {
        return project.resolve(".build/current").toRealPath().resolve("lib");
    }

    @Test
    void whatWasBuiltRunsForOthersAndWhereNothingCanBeWritten() throws Exception {
        jdk("usr/lib/jvm/usual", "25");
        builtOnce();
        age();
        makeItReadOnly();
        assertRunsFrom(builtHere());
        assertEquals(1, output.lines().count(), output);
        // Times say nothing here, but what is in the files does.
        makeItWritable();
        Files.setLastModifiedTime(project.resolve(SOURCE), FileTime.from(Instant.now()));
        makeItReadOnly();
        assertRunsFrom(builtHere());
        assertEquals(1, builds());
        assertFalse(Files.exists(place.resolve("cache")));
    }

    private Path builtOnce() throws IOException, InterruptedException {
        assertEquals(0, ftrma(Map.of(), "info"), output);
        return builtHere();
    }

    @Test
    void whereItCannotBeBuiltItIsBuiltInAFolderOfTheUsers() throws Exception {
        jdk("usr/lib/jvm/usual", "25");
        makeItReadOnly();
        assertRunsOn("usr/lib/jvm/usual", Map.of("XDG_CACHE_HOME", place.resolve("cache").toString()));
        assertTrue(output.contains(project + " cannot be written to: building in " + place.resolve("cache/ftrma/")),
            output);
        assertRunsOn("usr/lib/jvm/usual", Map.of("XDG_CACHE_HOME", place.resolve("cache").toString()));
        assertTrue(lastLine().contains(" -cp " + place.resolve("cache/ftrma/")), output);
        assertEquals(1, builds());
        assertFalse(Files.exists(project.resolve(".build")));
        makeItWritable();
        Files.writeString(project.resolve(SOURCE), "class Program { }");
        Files.delete(project.resolve("ftrma-api/src/main/java/Removed.java"));
        makeItReadOnly();
        assertRunsOn("usr/lib/jvm/usual", Map.of("XDG_CACHE_HOME", place.resolve("cache").toString()));
        assertEquals(2, builds(), "a source has changed");
        try (Stream<Path> all = Files.walk(place.resolve("cache"))) {
            assertEquals(List.of("Bench.java", "Main.java", "Program.java"),
                all.map(path -> path.getFileName().toString()).filter(name -> name.endsWith(".java")).sorted()
                .toList());
        }
    }

    @Test
    void whereNothingCanBeBuiltTheReasonIsTold() throws Exception {
        jdk("usr/lib/jvm/usual", "25");
        makeItReadOnly();
        String nowhere = Files.writeString(place.resolve("file"), "") + "/cache";
        assertEquals(4, ftrma(Map.of("XDG_CACHE_HOME", nowhere), "info"), output);
        assertTrue(output.contains(project + " was not built")
            && output.contains("cannot be written to, nor can " + nowhere)
            && output.contains("set XDG_CACHE_HOME"), output);
        assertEquals(0, builds());
    }

    @Test
    void aProjectThatWasMovedOrCopiedRunsAsItIs() throws Exception {
        jdk("usr/lib/jvm/usual", "25");
        builtOnce();
        for (String cache : List.of("launcher.aot", "rank.aot")) {
            Files.writeString(project.resolve(".build/current").resolve(cache), "");
        }
        Path moved = place.resolve("moved");
        Files.move(project, moved);
        project = moved;
        assertRunsFrom(builtHere());
        assertTrue(lastLine().contains(" -XX:AOTCache=" + builtHere().resolveSibling("launcher.aot")), output);
        // As cp -r does it: all times are new, and a source may be copied last.
        try (Stream<Path> all = Files.walk(project)) {
            for (Path path : all.filter(path -> !Files.isSymbolicLink(path)).toList()) {
                Files.setLastModifiedTime(path, FileTime.from(Instant.now()
                    .plusSeconds(path.endsWith("stamp") ? 20 : 30)));
            }
        }
        assertRunsFrom(builtHere());
        assertEquals(1, output.lines().count(), output);
        assertFalse(lastLine().contains("aot"), "caches are of files with other times: " + output);
        assertEquals(1, builds());
        Files.writeString(project.resolve(SOURCE), "class Program { }");
        assertRunsOn("usr/lib/jvm/usual", Map.of());
        assertEquals(2, builds(), "a source has changed");
    }
}
