package org.ftrma.rank.program;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Parser of class paths: directories, jars, and directories of jars ({@code lib/*}), separated by colons. Any thread.
 */
public final class ProgramPlaces {
    private static final String EVERY_JAR = "*";

    private ProgramPlaces() {
    }

    /** The places as they are written. */
    static List<String> names(String classPath) {
        return List.of(classPath.split(":"));
    }

    /** Whether a place stands for all jars of a folder. */
    static boolean isEveryJar(String place) {
        return place.equals(EVERY_JAR) || place.endsWith("/" + EVERY_JAR);
    }

    /** The folder of whose jars such a place stands. */
    static Path folder(String place) {
        String folder = place.substring(0, place.length() - EVERY_JAR.length());
        return Path.of(folder.isEmpty() ? "." : folder);
    }

    /** The folders and jars of a class path. */
    public static List<Path> of(String classPath) {
        List<Path> all = new ArrayList<>();
        for (String place : names(classPath)) {
            if (isEveryJar(place)) {
                all.addAll(jars(folder(place)));
            } else {
                all.add(Path.of(place));
            }
        }
        return all;
    }

    /** As the virtual machine expands a class path: all jars of the folder, and none of the folders in it. */
    static List<Path> jars(Path folder) {
        List<Path> jars = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, "*.{jar,JAR}")) {
            found.forEach(jars::add);
        } catch (NoSuchFileException e) {
            return List.of(); // the launcher has seen it; what is gone since then is missed where it is needed
        } catch (IOException e) {
            throw new IllegalArgumentException(folder + ": its jars cannot be listed: " + e, e);
        }
        Collections.sort(jars);
        return jars;
    }
}
