package org.ftrma.rank.program;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.zip.CRC32C;
import org.ftrma.rank.program.ClassPathDigest.CodeFile;
import org.ftrma.rank.program.ClassPathDigest.Place;

/**
 * Reads what the places of a class path hold. It looks at no more than so many files: a class path may name the folder
 * of a whole project. What vanishes meanwhile is not there. One thread.
 */
final class PlaceReader {
    /** Files with code of one place; they take a start about a second. */
    static final int MOST_FILES = 20_000;
    /** Names in the folders of one place, most of which are of no code. */
    static final int MOST_NAMES = 100_000;
    /** Jars that name each other. */
    private static final int MOST_PLACES = 4096;
    private static final String CLASS = ".class";
    private static final String META = "META-INF";
    private static final String SERVICES = "services";
    private static final int BUFFER_BYTES = 1 << 16;
    /** A file may change twice between two ticks of the clock that its times are of. */
    private static final long SETTLED_NANOS = 100_000_000L;
    private static final long MIXER = 0x9E3779B97F4A7C15L;

    private final Map<String, Map<String, CodeFile>> known = new HashMap<>();
    /** Places that manifests of jars name. */
    private final ArrayDeque<String> named = new ArrayDeque<>();
    private final int mostFiles;
    private final int mostNames;
    /** The folders on the way to the present one. */
    private final Set<Object> above = new HashSet<>();
    private List<CodeFile> files;
    private int names;

    /** A place with too many files. */
    private static final class TooLargeException extends Exception {
        private static final long serialVersionUID = 1L;
    }

    /** Reads again only what is not as it was. */
    PlaceReader(ClassPathDigest before) {
        this(before, MOST_FILES, MOST_NAMES);
    }

    /** As above, with other bounds for each place. */
    PlaceReader(ClassPathDigest before, int mostFiles, int mostNames) {
        this.mostFiles = mostFiles;
        this.mostNames = mostNames;
        for (Place place : before.places()) {
            Map<String, CodeFile> byName = new HashMap<>();
            place.files().forEach(file -> byName.put(file.name(), file));
            known.putIfAbsent(place.name(), byName);
        }
    }

    /** All places of a class path, with those that its jars name. */
    List<Place> readAll(String classPath) {
        List<Place> places = new ArrayList<>();
        Set<String> done = new HashSet<>();
        named.addAll(ProgramPlaces.names(classPath));
        for (String name = named.poll(); name != null && places.size() < MOST_PLACES; name = named.poll()) {
            if (done.add(name)) {
                places.add(read(name));
            }
        }
        return List.copyOf(places);
    }

    /** One place. */
    Place read(String name) {
        files = new ArrayList<>();
        names = 0;
        above.clear();
        try {
            if (ProgramPlaces.isEveryJar(name)) {
                for (Path jar : ProgramPlaces.jars(ProgramPlaces.folder(name))) {
                    file(name, jar.getFileName().toString(), jar, true);
                }
            } else if (Files.isDirectory(Path.of(name))) {
                folder(name, Path.of(name), "");
            } else {
                file(name, "", Path.of(name), true);
            }
        } catch (TooLargeException e) {
            return new Place(name, false, List.of());
        }
        return new Place(name, true, List.copyOf(files));
    }

    /** Class files, and folders that may be packages: others hold nothing that is loaded. */
    private void folder(String place, Path folder, String prefix) throws TooLargeException {
        Object key = key(folder);
        if (!above.add(key)) {
            return; // a link to a folder that it is in
        }
        for (Path entry : list(folder)) {
            String name = entry.getFileName().toString();
            if (name.endsWith(CLASS)) {
                file(place, prefix + name, entry, false);
            } else if (isName(name) && Files.isDirectory(entry)) {
                folder(place, entry, prefix + name + "/");
            } else if (prefix.isEmpty() && name.equals(META)) {
                for (Path service : list(entry.resolve(SERVICES))) {
                    file(place, META + "/" + SERVICES + "/" + service.getFileName(), service, false);
                }
            }
        }
        above.remove(key);
    }

    private static Object key(Path folder) {
        try {
            return Files.readAttributes(folder, BasicFileAttributes.class).fileKey();
        } catch (IOException e) {
            return folder; // gone
        }
    }

    private List<Path> list(Path folder) throws TooLargeException {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                found.add(entry);
                if (++names > mostNames) {
                    throw new TooLargeException();
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            return List.of(); // nothing is loaded from there, either
        }
        Collections.sort(found);
        return found;
    }

    private static boolean isName(String name) {
        return Character.isJavaIdentifierStart(name.charAt(0))
            && name.chars().allMatch(Character::isJavaIdentifierPart);
    }

    private void file(String place, String name, Path path, boolean isJar) throws TooLargeException {
        CodeFile before = known.getOrDefault(place, Map.of()).get(name);
        CodeFile file = read(name, path, isJar, before);
        if (file != null) {
            files.add(file);
            if (files.size() > mostFiles) {
                throw new TooLargeException();
            }
        }
    }

    /** A file as it is, or null if there is none; it is not read if it is as it was before. */
    private CodeFile read(String name, Path path, boolean isJar, CodeFile before) {
        long stamp = stamp(path);
        if (before != null && stamp != 0 && before.stamp() == stamp) {
            return before;
        }
        try {
            return isJar ? jar(name, path, stamp) : content(name, path, stamp);
        } catch (IOException e) {
            return Files.exists(path) ? new CodeFile(name, -1, 0, 0) : null;
        }
    }

    /**
     * What changes whenever a file does, on its host; 0 if there is no such file, or if it was changed so lately that
     * its times would not tell of another change.
     */
    static long stamp(Path path) {
        try {
            Map<String, Object> is = Files.readAttributes(path, "unix:ino,lastModifiedTime,ctime,isRegularFile");
            long changed = ((FileTime) is.get("ctime")).to(TimeUnit.NANOSECONDS);
            long now = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
            if (!(boolean) is.get("isRegularFile") || now - changed < SETTLED_NANOS) {
                return 0;
            }
            long mixed = ((Number) is.get("ino")).longValue() * MIXER
                ^ ((FileTime) is.get("lastModifiedTime")).to(TimeUnit.NANOSECONDS);
            return mixed * MIXER ^ changed;
        } catch (IOException e) {
            return 0;
        }
    }

    /** The content of a file; null if it is none, as a folder or a pipe is. */
    static CodeFile content(String name, Path path, long stamp) throws IOException {
        if (!Files.isRegularFile(path)) {
            return null;
        }
        CRC32C checksum = new CRC32C();
        byte[] buffer = new byte[Math.clamp(Files.size(path) + 1, 1, BUFFER_BYTES)];
        long bytes = 0;
        try (InputStream in = Files.newInputStream(path)) {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                checksum.update(buffer, 0, count);
                bytes += count;
            }
        }
        return new CodeFile(name, bytes, checksum.getValue(), stamp);
    }

    /** The entries of a jar, whatever their order and their times; it notes which jars the manifest names. */
    private CodeFile jar(String name, Path path, long stamp) throws IOException {
        List<String> entries = new ArrayList<>();
        long bytes = 0;
        try (JarFile jar = new JarFile(path.toFile(), false)) {
            for (Enumeration<JarEntry> all = jar.entries(); all.hasMoreElements();) {
                JarEntry entry = all.nextElement();
                entries.add(entry.getName() + '\0' + entry.getSize() + '\0' + entry.getCrc());
                bytes += entry.getSize();
            }
            Manifest manifest = jar.getManifest();
            String also = manifest == null ? null : manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
            if (also != null) {
                note(path, also);
            }
        }
        Collections.sort(entries);
        CRC32C checksum = new CRC32C();
        entries.forEach(entry -> checksum.update(entry.getBytes(StandardCharsets.UTF_8)));
        return new CodeFile(name, bytes, checksum.getValue(), stamp);
    }

    private void note(Path jar, String classPath) {
        for (String word : classPath.trim().split(" +")) {
            try {
                Path place = Path.of(jar.toAbsolutePath().toUri().resolve(new URI(word)));
                if (Files.exists(place)) {
                    named.add(place.toString());
                }
            } catch (URISyntaxException | IllegalArgumentException | FileSystemNotFoundException e) {
                continue; // as the virtual machine does: no place of this machine
            }
        }
    }
}
