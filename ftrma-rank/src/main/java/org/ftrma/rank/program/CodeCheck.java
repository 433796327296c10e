package org.ftrma.rank.program;

import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.ftrma.rank.program.ClassPathDigest.CodeFile;
import org.ftrma.rank.program.ClassPathDigest.Difference;
import org.ftrma.rank.program.ClassPathDigest.Kind;
import org.ftrma.rank.program.ClassPathDigest.Place;

/**
 * Tells of each class that was loaded whether it is the one that a digest knows, however long after that it is loaded.
 * It looks at the class's file when that was read: if it is then as it was when the digest was made, so was what was
 * read. A jar stays open once a class was loaded from it, so it is looked at once. Any thread.
 */
public final class CodeCheck {
    private final Map<Path, Folder> folders = new HashMap<>();
    private final Map<Path, Jar> jars = new HashMap<>();
    private final Set<Path> seen = ConcurrentHashMap.newKeySet();

    /** A place with class files. */
    private record Folder(String place, Map<String, CodeFile> files) {
    }

    /** A jar, in a place or a place itself. */
    private record Jar(String place, CodeFile file) {
    }

    /** A check against this digest. */
    public CodeCheck(ClassPathDigest digest) {
        for (Place place : digest.places()) {
            if (!place.isCompared()) {
                continue;
            }
            boolean isEveryJar = ProgramPlaces.isEveryJar(place.name());
            Path path = isEveryJar ? ProgramPlaces.folder(place.name()) : Path.of(place.name());
            Map<String, CodeFile> files = new HashMap<>();
            for (CodeFile file : place.files()) {
                files.put(file.name(), file);
                if (isEveryJar || file.name().isEmpty()) {
                    jars.putIfAbsent(key(path.resolve(file.name())), new Jar(place.name(), file));
                }
            }
            if (!isEveryJar) {
                folders.putIfAbsent(key(path), new Folder(place.name(), files));
            }
        }
    }

    private static Path key(Path path) {
        return path.toAbsolutePath().normalize();
    }

    /**
     * A class of this name was loaded.
     *
     * @param from the folder or jar
     * @return how its file differs; null: it does not, or the place is not known
     */
    public Difference loaded(String name, URL from) {
        Path place;
        try {
            place = key(Path.of(from.toURI()));
        } catch (URISyntaxException | IllegalArgumentException e) {
            return null; // of no file
        }
        Jar jar = jars.get(place);
        if (jar != null) {
            return seen.add(place) ? ofJar(place, jar) : null;
        }
        Folder folder = folders.get(place);
        return folder == null ? null : ofFolder(place, folder, name.replace('.', '/') + ".class");
    }

    private static Difference ofJar(Path path, Jar jar) {
        if (isAsBefore(path, jar.file())) {
            return null;
        }
        CodeFile then = jar.file();
        List<CodeFile> now = new PlaceReader(ClassPathDigest.NONE).read(path.toString()).files();
        if (now.isEmpty()) {
            return new Difference(jar.place(), then.name(), Kind.GONE, then.bytes(), -1);
        }
        return now.getFirst().holdsTheSameAs(then) ? null
            : new Difference(jar.place(), then.name(), Kind.CHANGED, then.bytes(), now.getFirst().bytes());
    }

    private static boolean isAsBefore(Path path, CodeFile file) {
        long stamp = PlaceReader.stamp(path);
        return stamp != 0 && stamp == file.stamp();
    }

    private static Difference ofFolder(Path path, Folder folder, String name) {
        CodeFile then = folder.files().get(name);
        if (then == null) {
            return new Difference(folder.place(), name, Kind.ADDED, -1, -1);
        }
        Path file = path.resolve(name);
        if (isAsBefore(file, then)) {
            return null;
        }
        try {
            CodeFile now = PlaceReader.content(name, file, 0);
            if (now != null) {
                return now.holdsTheSameAs(then) ? null
                    : new Difference(folder.place(), name, Kind.CHANGED, then.bytes(), now.bytes());
            }
        } catch (IOException e) {
            return new Difference(folder.place(), name, Kind.GONE, then.bytes(), -1);
        }
        return new Difference(folder.place(), name, Kind.GONE, then.bytes(), -1);
    }
}
