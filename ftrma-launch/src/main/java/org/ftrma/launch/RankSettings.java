package org.ftrma.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.zip.ZipFile;
import org.ftrma.MisuseException;
import org.ftrma.launch.rank.LaunchedRuntime;
import org.ftrma.launch.rank.RankMain;
import picocli.CommandLine.ParseResult;

/** What the options say about the JVMs of the ranks, checked before any of them is started. One thread. */
final class RankSettings {
    private static final String CLASS_PATH = "class-path";
    /** As much as the ranks' JVMs begin with. */
    private static final long LEAST_HEAP = 16L << 20;
    private static final long MOST_HEAP = 1L << 40;
    private final ParseResult parsed;

    RankSettings(ParseResult parsed) {
        this.parsed = parsed;
    }

    /** What this JVM was started with: ranks find the library in the same places. */
    static String ownClassPath() {
        return System.getProperty("ftrma.class.path", System.getProperty("java.class.path"));
    }

    static Path aotCache() {
        String path = System.getProperty("ftrma.rank.aot");
        return path == null ? null : Path.of(path);
    }

    /** Where all classes are. */
    String classPath() {
        if (!parsed.hasMatchedOption(CLASS_PATH)) {
            return ownClassPath();
        }
        String given = parsed.matchedOptionValue(CLASS_PATH, "");
        for (String place : given.split(":", -1)) {
            checkPlace(place, "--" + CLASS_PATH + "=" + given + ": ");
        }
        return ownClassPath() + ":" + given;
    }

    private static void checkPlace(String place, String option) {
        if (place.isBlank()) {
            throw new MisuseException(option + "a place is missing; for the current folder, write .");
        }
        boolean all = place.equals("*") || place.endsWith("/*");
        Path path;
        try {
            path = Path.of(place.equals("*") ? "." : all ? place.substring(0, place.length() - 1) : place);
        } catch (InvalidPathException e) {
            throw new MisuseException(option + "no path: " + e.getMessage());
        }
        if (!Files.exists(path)) {
            throw new MisuseException(option + "there is no " + place + " (seen from " + Path.of("").toAbsolutePath() + ")");
        }
        if (Files.isDirectory(path)) {
            return;
        }
        if (all) {
            throw new MisuseException(option + path + " is no folder");
        }
        try {
            new ZipFile(path.toFile()).close();
        } catch (IOException e) {
            throw new MisuseException(option + place + " is no folder, and no jar that can be read: " + e.getMessage());
        }
    }

    List<String> jvmArguments() {
        List<String> arguments = new ArrayList<>();
        if (parsed.hasMatchedOption(LauncherOption.HEAP.key())) {
            arguments.add("-Xmx" + heap(parsed.matchedOptionValue(LauncherOption.HEAP.key(), "")));
        }
        List<String> given = parsed.matchedOptionValue(LauncherOption.JVM_ARG.key(), List.of());
        for (String argument : given) {
            if (!argument.startsWith("-")) {
                throw new MisuseException("--" + LauncherOption.JVM_ARG.key() + "=" + argument + ": must begin with -, as -Xss1m");
            }
            arguments.add(argument);
        }
        if (parsed.hasMatchedOption(LauncherOption.VERIFY_RESTART.key())) {
            arguments.add("-D" + LaunchedRuntime.VERIFY_RESTART + "=true");
        }
        if (parsed.hasMatchedOption(LauncherOption.CHECK_RACES.key())) {
            arguments.add("-D" + LaunchedRuntime.CHECK_RACES + "=true");
        }
        if (parsed.hasMatchedOption(CLASS_PATH)) {
            arguments.add("-D" + RankMain.PROGRAM_PATH + "=" + parsed.matchedOptionValue(CLASS_PATH, ""));
        }
        return arguments;
    }

    private static String heap(String text) {
        if (!text.matches("[0-9]{1,12}[kKmMgG]?")) {
            throw new MisuseException("--heap=" + text + ": must be a size such as 256m or 2g");
        }
        String unit = text.substring(text.length() - 1).toLowerCase(Locale.ROOT);
        int shift = "kmg".contains(unit) ? 10 * ("kmg".indexOf(unit) + 1) : 0;
        long number = Long.parseLong(shift == 0 ? text : text.substring(0, text.length() - 1));
        if (number > MOST_HEAP >> shift || number << shift < LEAST_HEAP) {
            throw new MisuseException("--heap=" + text + ": must be 16m to 1024g");
        }
        return text;
    }
}
