package org.ftrma.apps.npb;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The problem classes, as a file among the program's resources lists them. Pure functions: any thread. */
final class ClassTable {
    /** The names of all classes. */
    static final List<String> NAMES = List.of("S", "W", "A", "B", "C");
    private static final String RESOURCE = "classes.txt";

    private ClassTable() {
    }

    /** The words of a benchmark's line for a class, of which the first two are their names. */
    static String[] words(String benchmark, String name) {
        InputStream stream = ClassTable.class.getResourceAsStream(RESOURCE);
        if (stream == null) {
            throw new IllegalStateException(RESOURCE + " is missing from the program's jar");
        }
        try (BufferedReader in = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String[] words = line.split(" ");
                if (words[0].equals(benchmark) && words[1].equals(name)) {
                    return words;
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw new IllegalStateException(RESOURCE + " has no line " + benchmark + " " + name);
    }
}
