package org.ftrma.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.ftrma.MisuseException;
import org.ftrma.launch.options.GivenOptions;
import org.ftrma.launch.options.LauncherOption;
import org.ftrma.launch.options.SingleOption;
import org.ftrma.rank.RankLibrary;
import org.ftrma.rank.control.RankCheck;

/** The options for JVMs of ranks, checked before any of them is started. One thread. */
public final class RankSettings {
    /** The property with other places of programs that come with the command. */
    private static final String PROGRAMS = "ftrma.class.path";
    private final GivenOptions given;

    RankSettings(GivenOptions given) {
        this.given = given;
    }

    /** Where programs that come with the command are. */
    public static String placesOf(Class<?>... programs) {
        String given = System.getProperty(PROGRAMS);
        return given != null ? given
            : Stream.of(programs).map(RankLibrary::placeOf).distinct().collect(Collectors.joining(":"));
    }

    public static Path aotCache() {
        String path = System.getProperty("ftrma.rank.aot");
        return path == null ? null : Path.of(path);
    }

    /** Where the program's classes are, which is one of these that come with the command if nothing else is given. */
    String classPath(Class<?>... programs) {
        if (!given.has(SingleOption.CLASS_PATH)) {
            return placesOf(programs);
        }
        String places = givenPath();
        for (String place : places.split(":", -1)) {
            checkPlace(place, "--" + SingleOption.CLASS_PATH.key() + "=" + places + ": ");
        }
        return places;
    }

    private static void checkPlace(String place, String option) {
        if (place.isBlank()) {
            throw new MisuseException(option + "an entry is missing; for the current directory, write .");
        }
        boolean all = place.equals("*") || place.endsWith("/*");
        Path path;
        try {
            path = Path.of(place.equals("*") ? "." : all ? place.substring(0, place.length() - 1) : place);
        } catch (InvalidPathException e) {
            throw new MisuseException(option + "not a path: " + e.getMessage());
        }
        if (!Files.exists(path)) {
            throw new MisuseException(option + place + " does not exist (working directory: "
                + Path.of("").toAbsolutePath() + ")");
        }
        if (Files.isDirectory(path)) {
            if (all && !Files.isReadable(path)) {
                throw new MisuseException(option + path + " cannot be read, so its jars cannot be found");
            }
            return;
        }
        if (all) {
            throw new MisuseException(option + path + " is not a directory");
        }
        try {
            new ZipFile(path.toFile()).close();
        } catch (IOException e) {
            throw new MisuseException(option + place + " is neither a directory nor a readable jar: "
                + e.getMessage());
        }
    }

    /** Where the program is, as it was given, or nothing. */
    String givenPath() {
        return given.text(SingleOption.CLASS_PATH);
    }

    RankCheck check() {
        return given.has(LauncherOption.VERIFY_RESTART) ? RankCheck.RESTART
            : given.has(LauncherOption.CHECK_RACES) ? RankCheck.RACES : RankCheck.NONE;
    }

    List<String> jvmArguments() {
        List<String> arguments = new ArrayList<>();
        if (given.has(LauncherOption.HEAP)) {
            given.number(LauncherOption.HEAP);
            arguments.add("-Xmx" + given.text(LauncherOption.HEAP));
        }
        for (String argument : given.all(LauncherOption.JVM_ARG)) {
            LauncherOption.JVM_ARG.number(argument);
            arguments.add(argument);
        }
        return arguments;
    }
}
