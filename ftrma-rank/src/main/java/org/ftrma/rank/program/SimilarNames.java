package org.ftrma.rank.program;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipFile;
import org.ftrma.rank.program.ClassPathDigest.Place;

/** Finds the classes that somebody may have meant who has named one that is not there. Any thread. */
public final class SimilarNames {
    private static final int MOST_NAMED = 3;
    private static final int MOST_SEEN = 50_000;
    /** So many letters may be wrong, or missing, or too many. */
    private static final int MOST_WRONG = 2;
    private static final String CLASS = ".class";

    private SimilarNames() {
    }

    /** The nearest first; empty: none is near. */
    public static List<String> of(String missing, ClassPathDigest digest) {
        String wanted = missing.replace('/', '.').replaceAll("\\.(class|java)$", "").toLowerCase(Locale.ROOT);
        Map<String, Integer> near = new TreeMap<>();
        for (String name : names(digest)) {
            int distance = distance(wanted, name.toLowerCase(Locale.ROOT));
            if (distance <= MOST_WRONG) {
                near.put(name, distance);
            }
        }
        return near.entrySet().stream().sorted(Map.Entry.comparingByValue(Comparator.naturalOrder()))
            .map(Map.Entry::getKey).limit(MOST_NAMED).toList();
    }

    /** Of the whole names, or of what follows the last dot. */
    private static int distance(String wanted, String name) {
        String simple = wanted.substring(wanted.lastIndexOf('.') + 1);
        return Math.min(edits(wanted, name), edits(simple, name.substring(name.lastIndexOf('.') + 1)));
    }

    /** How many letters differ, as Levenshtein counts them; more than {@link #MOST_WRONG} is as good as any. */
    static int edits(String first, String second) {
        int least = Math.min(first.length(), second.length());
        if (Math.abs(first.length() - second.length()) > MOST_WRONG || least <= MOST_WRONG) {
            return first.equals(second) ? 0 : MOST_WRONG + 1;
        }
        int[] row = new int[second.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= first.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int replaced = diagonal + (first.charAt(i - 1) == second.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[second.length()];
    }

    private static List<String> names(ClassPathDigest digest) {
        List<String> names = new ArrayList<>();
        for (Place place : digest.places()) {
            boolean isEveryJar = ProgramPlaces.isEveryJar(place.name());
            Path path = isEveryJar ? ProgramPlaces.folder(place.name()) : Path.of(place.name());
            for (ClassPathDigest.CodeFile file : place.files()) {
                Path whole = path.resolve(file.name());
                if ((isEveryJar || file.name().isEmpty()) && Files.isRegularFile(whole)) {
                    addJar(whole, names);
                } else {
                    add(file.name(), names);
                }
            }
        }
        return names;
    }

    private static void addJar(Path jar, List<String> names) {
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            zip.stream().limit(MOST_SEEN).forEach(entry -> add(entry.getName(), names));
        } catch (IOException e) {
            return; // it has no names to tell
        }
    }

    /** Classes that can be meant: none inside another. */
    private static void add(String file, List<String> names) {
        if (file.endsWith(CLASS) && file.indexOf('$') < 0 && file.indexOf('-') < 0) {
            names.add(file.substring(0, file.length() - CLASS.length()).replace('/', '.'));
        }
    }
}
