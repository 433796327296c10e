package org.ftrma.rank.program;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Digest of a class path: of each file with code its size and a checksum, so that two processes, on one host or on two,
 * can find out if they would run the same program, and if not, what differs. Code is each class file of a folder, what
 * its {@code META-INF/services} has, and each jar, with those that its manifest names. Other files of a folder are
 * data, which a program may write. A jar's checksum is that of its directory, which has the checksum of each entry: a
 * large jar is not read through. Immutable; any thread.
 *
 * <p>A file whose inode and times are as they were is not read again: {@link #again} takes some microseconds a file.
 *
 * @param classPath folders, jars and folders of jars ({@code lib/*}), separated by colons
 * @param places these in their order, and then those that the manifests of jars name
 */
public record ClassPathDigest(String classPath, List<Place> places) {
    /** That of no places. */
    public static final ClassPathDigest NONE = new ClassPathDigest("", List.of());

    private static final String PLACE = "place";
    private static final String TOO_LARGE = "large";
    private static final int RADIX = 16;
    private static final int FIELDS = 4;

    /**
     * One place.
     *
     * @param name as it is in the class path
     * @param isCompared whether its files are known; there are too many of them else
     * @param files those with code, in the order of their names
     */
    public record Place(String name, boolean isCompared, List<CodeFile> files) {
    }

    /**
     * One file with code.
     *
     * @param name below its place; empty: the place is the file
     * @param bytes of the file; of a jar, of all its entries; -1: it cannot be read
     * @param checksum of the same
     * @param stamp of inode and times; 0: they say nothing
     */
    public record CodeFile(String name, long bytes, long checksum, long stamp) {
        boolean holdsTheSameAs(CodeFile other) {
            return bytes == other.bytes && checksum == other.checksum;
        }
    }

    /** How two places differ in a file. */
    public enum Kind {
        /** It is there, and holds something else. */
        CHANGED,
        /** It is not there. */
        GONE,
        /** It was not there. */
        ADDED
    }

    /**
     * A file in which two places of the same name differ.
     *
     * @param place the name of the place
     * @param file the name of the file below it; empty: the place is the file
     * @param then its size here; -1: unknown
     * @param now its size there; -1: unknown
     */
    public record Difference(String place, String file, Kind kind, long then, long now) {
        /** For people, without a dot at the end. */
        @Override
        public String toString() {
            String name = file.isEmpty() ? place : file + " in " + place;
            return name + switch (kind) {
                case CHANGED -> then < 0 ? " could not be read before" : now < 0 ? " cannot be read"
                    : then == now ? " holds something else" : " holds something else (" + now + " bytes, not " + then
                    + ")";
                case GONE -> " is gone";
                case ADDED -> " was not there";
            };
        }
    }

    /** Reads all that is in the places of this class path. */
    public static ClassPathDigest of(String classPath) {
        return classPath.isEmpty() ? NONE : new ClassPathDigest(classPath, new PlaceReader(NONE).readAll(classPath));
    }

    /** The same places as they are here and now. */
    public ClassPathDigest again() {
        PlaceReader reader = new PlaceReader(this);
        return new ClassPathDigest(classPath, places.stream().map(place -> place.isCompared()
            ? reader.read(place.name()) : place).toList());
    }

    /**
     * The same files in places of other names: the first place is called as the first one of the other digest, and so
     * on. Copies of a library that are in different folders are compared so.
     */
    public ClassPathDigest inPlacesOf(ClassPathDigest other) {
        List<Place> renamed = new ArrayList<>();
        for (int i = 0; i < places.size(); i++) {
            Place place = places.get(i);
            String name = i < other.places.size() ? other.places.get(i).name() : place.name();
            renamed.add(new Place(name, place.isCompared(), place.files()));
        }
        return new ClassPathDigest(other.classPath, List.copyOf(renamed));
    }

    /**
     * In which files another digest of the same class path differs from this one, place by place. A place that has too
     * many files on one of both sides is left out.
     */
    public List<Difference> differences(ClassPathDigest other) {
        Map<String, Place> there = new HashMap<>();
        other.places.forEach(place -> there.putIfAbsent(place.name(), place));
        List<Difference> found = new ArrayList<>();
        for (Place place : places) {
            Place second = there.getOrDefault(place.name(), new Place(place.name(), true, List.of()));
            if (place.isCompared() && second.isCompared()) {
                compare(place, second, found);
            }
        }
        return found;
    }

    private static void compare(Place first, Place second, List<Difference> found) {
        Map<String, CodeFile> left = new LinkedHashMap<>();
        second.files().forEach(file -> left.put(file.name(), file));
        for (CodeFile file : first.files()) {
            CodeFile now = left.remove(file.name());
            if (now == null) {
                found.add(new Difference(first.name(), file.name(), Kind.GONE, file.bytes(), -1));
            } else if (!file.holdsTheSameAs(now)) {
                found.add(new Difference(first.name(), file.name(), Kind.CHANGED, file.bytes(), now.bytes()));
            }
        }
        left.values().forEach(file ->
            found.add(new Difference(first.name(), file.name(), Kind.ADDED, -1, file.bytes())));
    }

    /** Places with so many files that they are not compared. */
    public List<String> tooLarge() {
        return places.stream().filter(place -> !place.isCompared()).map(Place::name).toList();
    }

    /** All of it in lines. */
    public String text() {
        StringBuilder text = new StringBuilder(escape(classPath));
        for (Place place : places) {
            text.append('\n').append(place.isCompared() ? PLACE : TOO_LARGE).append(' ').append(escape(place.name()));
            for (CodeFile file : place.files()) {
                text.append('\n').append(Long.toString(file.bytes(), RADIX)).append(' ')
                    .append(Long.toHexString(file.checksum())).append(' ').append(Long.toHexString(file.stamp()))
                    .append(' ').append(escape(file.name()));
            }
        }
        return text.toString();
    }

    /** What {@link #text} has told; refuses anything else with an IllegalArgumentException. */
    public static ClassPathDigest parse(String text) {
        String[] lines = text.split("\n", -1);
        List<Place> places = new ArrayList<>();
        List<CodeFile> files = List.of();
        for (int i = 1; i < lines.length; i++) {
            String[] fields = lines[i].split(" ", 2);
            if (fields.length == 2 && (fields[0].equals(PLACE) || fields[0].equals(TOO_LARGE))) {
                files = new ArrayList<>();
                places.add(new Place(unescape(fields[1]), fields[0].equals(PLACE), files));
            } else if (places.isEmpty()) {
                throw new IllegalArgumentException("the digest of a class path has no place before: " + lines[i]);
            } else {
                files.add(file(lines[i]));
            }
        }
        places.replaceAll(place -> new Place(place.name(), place.isCompared(), List.copyOf(place.files())));
        return new ClassPathDigest(unescape(lines[0]), List.copyOf(places));
    }

    private static CodeFile file(String line) {
        String[] fields = line.split(" ", FIELDS);
        if (fields.length < FIELDS) {
            throw new IllegalArgumentException("no file of a class path: " + line);
        }
        return new CodeFile(unescape(fields[3]), Long.parseLong(fields[0], RADIX),
            Long.parseUnsignedLong(fields[1], RADIX), Long.parseUnsignedLong(fields[2], RADIX));
    }

    private static String escape(String name) {
        return name.replace("\\", "\\\\").replace("\n", "\\n");
    }

    private static String unescape(String name) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c == '\\' && ++i < name.length()) {
                c = name.charAt(i) == 'n' ? '\n' : name.charAt(i);
            }
            text.append(c);
        }
        return text.toString();
    }
}
