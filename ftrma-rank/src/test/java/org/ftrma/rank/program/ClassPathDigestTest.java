package org.ftrma.rank.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.ftrma.rank.program.ClassPathDigest.CodeFile;
import org.ftrma.rank.program.ClassPathDigest.Place;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClassPathDigestTest {
    @TempDir
    private Path place;

    private Path write(String name, String content) throws IOException {
        Path file = place.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, content);
    }

    /** A jar with these entries, all of one time. */
    private Path jar(String name, long millis, String classPath, Map<String, String> entries) throws IOException {
        Path file = place.resolve(name);
        Files.createDirectories(file.getParent());
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        if (!classPath.isEmpty()) {
            manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, classPath);
        }
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(file), manifest)) {
            for (Map.Entry<String, String> entry : new TreeMap<>(entries).entrySet()) {
                JarEntry one = new JarEntry(entry.getKey());
                one.setTime(millis);
                out.putNextEntry(one);
                out.write(entry.getValue().getBytes(java.nio.charset.StandardCharsets.UTF_8));
                out.closeEntry();
            }
        }
        return file;
    }

    private static List<String> changes(ClassPathDigest digest) {
        return digest.differences(digest.again()).stream().map(Object::toString).toList();
    }

    @Test
    void nothingHasChangedWhereNothingHas() throws IOException {
        write("out/A.class", "a");
        write("out/p/B.class", "b");
        Path jar = jar("x.jar", 0, "", Map.of("C.class", "c"));
        ClassPathDigest digest = ClassPathDigest.of(place.resolve("out") + ":" + jar);
        assertEquals(List.of("A.class", "p/B.class"), digest.places().getFirst().files().stream().map(CodeFile::name)
            .toList());
        assertEquals(List.of(), changes(digest));
        assertEquals(List.of(), digest.tooLarge());
    }

    @Test
    void whatHasChangedIsNamedWithItsPlace() throws IOException {
        String out = write("out/A.class", "a").getParent().toString();
        write("out/p/B.class", "four");
        write("out/p/C.class", "c");
        write("out/p/E.class", "four");
        write("out/META-INF/services/p.S", "p.B");
        ClassPathDigest digest = ClassPathDigest.of(out);
        write("out/p/B.class", "three");
        Files.delete(place.resolve("out/p/C.class"));
        write("out/p/D.class", "d");
        write("out/p/E.class", "FOUR");
        write("out/META-INF/services/p.S", "p.C");
        assertEquals(List.of("META-INF/services/p.S in " + out + " holds something else",
            "p/B.class in " + out + " holds something else (5 bytes, not 4)",
            "p/C.class in " + out + " is gone", "p/E.class in " + out + " holds something else",
            "p/D.class in " + out + " was not there"), changes(digest));
    }

    @Test
    void theSameContentWrittenOnceMoreIsTheSame() throws IOException {
        write("out/A.class", "a");
        jar("lib/x.jar", 0, "", Map.of("C.class", "c", "D.class", "d"));
        ClassPathDigest digest = ClassPathDigest.of(place.resolve("out") + ":" + place.resolve("lib") + "/*");
        write("out/A.class", "a");
        jar("lib/x.jar", 86_400_000L * 9000, "", Map.of("C.class", "c", "D.class", "d"));
        assertNotEquals(stamps(ClassPathDigest.of(digest.classPath())), stamps(digest), "they were written");
        assertEquals(List.of(), changes(digest));
    }

    @Test
    void copiesInOtherFoldersAreComparedPlaceByPlace() throws IOException {
        String out = write("out/A.class", "a").getParent().toString();
        String jar = jar("x.jar", 0, "", Map.of("C.class", "c", "D.class", "d")).toString();
        ClassPathDigest here = ClassPathDigest.of(out + ":" + jar);
        String copy = write("there/A.class", "a").getParent().toString();
        Path other = jar("there/lib/y.jar", 86_400_000L * 9000, "", Map.of("C.class", "c", "D.class", "d"));
        ClassPathDigest there = ClassPathDigest.of(copy + ":" + other);
        assertEquals(2, here.differences(there).size(), "their names differ");
        assertEquals(List.of(), here.differences(there.inPlacesOf(here)));
        write("there/A.class", "b");
        assertEquals(List.of("A.class in " + out + " holds something else"), here.differences(there.again()
            .inPlacesOf(here)).stream().map(Object::toString).toList());
    }

    private static List<Long> stamps(ClassPathDigest digest) throws IOException {
        // a file that was written just now has no stamp yet
        return digest.places().stream().flatMap(one -> one.files().stream()).map(CodeFile::stamp).map(stamp ->
            stamp == 0 ? System.nanoTime() : stamp).toList();
    }

    @Test
    void whatAProgramWritesBesideItsClassesIsNoCode() throws IOException {
        write("out/A.class", "a");
        ClassPathDigest digest = ClassPathDigest.of(place.resolve("out").toString());
        write("out/result.txt", "x");
        write("out/image-000001/B.class", "no package has such a name");
        write("out/.part-7/B.class", "x");
        assertEquals(List.of(), changes(digest));
    }

    @Test
    void oneEntryOfAJarIsEnough() throws IOException {
        String jar = jar("x.jar", 0, "", Map.of("C.class", "c", "D.class", "d")).toString();
        ClassPathDigest digest = ClassPathDigest.of(jar);
        jar("x.jar", 0, "", Map.of("C.class", "c", "D.class", "D"));
        assertEquals(List.of(jar + " holds something else"), changes(digest));
        Files.writeString(Path.of(jar), "half a jar");
        assertEquals(List.of(jar + " cannot be read"), changes(digest));
        Files.delete(Path.of(jar));
        assertEquals(List.of(jar + " is gone"), changes(digest));
    }

    @Test
    void jarsOfAFolderAndThoseThatAManifestNamesCount() throws IOException {
        jar("lib/a.jar", 0, "", Map.of("A.class", "a"));
        jar("further/b.jar", 0, "c.jar missing.jar http://example.org/x.jar", Map.of("B.class", "b"));
        jar("further/c.jar", 0, "", Map.of("C.class", "c"));
        Path thin = jar("thin.jar", 0, "further/b.jar", Map.of("T.class", "t"));
        ClassPathDigest digest = ClassPathDigest.of(place.resolve("lib") + "/*:" + thin);
        assertEquals(List.of(), changes(digest));
        jar("lib/a.jar", 0, "", Map.of("A.class", "other"));
        jar("lib/b.jar", 0, "", Map.of("A.class", "a"));
        jar("further/c.jar", 0, "", Map.of("C.class", "other"));
        assertEquals(List.of("a.jar in " + place.resolve("lib") + "/* holds something else (5 bytes, not 1)",
            "b.jar in " + place.resolve("lib") + "/* was not there",
            place.resolve("further/c.jar") + " holds something else (5 bytes, not 1)"),
            changes(digest).stream().map(text -> text.replaceAll("\\((\\d+) bytes, not (\\d+)\\)",
                "(5 bytes, not 1)")).toList());
    }

    @Test
    void linksAreFollowedOnceAround() throws IOException {
        write("out/A.class", "a");
        write("elsewhere/B.class", "b");
        Files.createSymbolicLink(place.resolve("out/p"), Path.of("."));
        Files.createSymbolicLink(place.resolve("out/q"), Path.of("."));
        Files.createSymbolicLink(place.resolve("out/r"), Path.of("../elsewhere"));
        ClassPathDigest digest = ClassPathDigest.of(place.resolve("out").toString());
        assertEquals(List.of("A.class", "r/B.class"), digest.places().getFirst().files().stream().map(CodeFile::name)
            .toList());
    }

    @Test
    void aPlaceWithTooManyFilesIsNotCompared() throws IOException {
        String out = write("out/A.class", "a").getParent().toString();
        write("out/B.class", "b");
        write("out/c.txt", "c");
        assertEquals(2, new PlaceReader(ClassPathDigest.NONE, 2, 3).read(out).files().size());
        ClassPathDigest digest = null;
        for (PlaceReader reader : List.of(new PlaceReader(ClassPathDigest.NONE, 1, 3),
            new PlaceReader(ClassPathDigest.NONE, 2, 2))) {
            digest = new ClassPathDigest(out, List.of(reader.read(out)));
            assertEquals(List.of(new Place(out, false, List.of())), digest.places());
            assertEquals(List.of(out), digest.tooLarge());
        }
        assertEquals(List.of(), digest.differences(ClassPathDigest.of(out)));
        assertEquals(List.of(), ClassPathDigest.of(out).differences(digest));
        assertEquals(digest, digest.again());
    }

    @Test
    void itsTextTellsAllOfIt() throws IOException {
        jar("my \\jars\n/a b.jar", 0, "", Map.of("A.class", "a"));
        write("out/\u00c4.class", "a");
        ClassPathDigest digest = ClassPathDigest.of(place.resolve("my \\jars\n") + "/*:" + place.resolve("out")
            + ":/no/such/place");
        assertEquals(digest, ClassPathDigest.parse(digest.text()));
        assertEquals(3, digest.places().size());
        assertEquals(ClassPathDigest.NONE, ClassPathDigest.parse(ClassPathDigest.NONE.text()));
        for (String wrong : List.of("out\nfile", "out\nplace out\n1 2 3", "out\nplace out\n1 2 x A.class")) {
            assertThrows(IllegalArgumentException.class, () -> ClassPathDigest.parse(wrong), wrong);
        }
    }
}
