package org.ftrma.launch.agent;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;

/**
 * The report that a JVM writes when it crashes: where it lies, and what it says in one line. It lies in the current
 * folder, as those of other JVMs do, or, where that cannot be written to, in the folder for temporary files, and stays
 * after the job. Any thread.
 */
final class CrashReport {
    /**
     * With what the JVM begins to tell of its end on standard output, after a line of its own that is the mark alone.
     */
    static final String MARK = "#";
    private static final String CRASH = "# A fatal error has been detected by the Java Runtime Environment:";
    private static final String MEMORY = "# There is insufficient memory for the Java Runtime Environment to continue.";
    private static final String FRAME = "# Problematic frame:";
    /** The summary is at the beginning. */
    private static final int MOST_LINES = 40;

    private final Path folder;

    CrashReport(Path folder) {
        this.folder = folder;
    }

    /** Where reports of this launcher's processes go. */
    static CrashReport here() {
        Path here = Path.of("").toAbsolutePath();
        return new CrashReport(Files.isWritable(here) ? here
            : Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath());
    }

    /** The JVM's argument. */
    String argument() {
        return "-XX:ErrorFile=" + folder.toString().replace("%", "%%") + "/hs_err_pid%p.log";
    }

    private Path of(long pid) {
        return folder.resolve("hs_err_pid" + pid + ".log");
    }

    /** Whether a line that follows a {@link #MARK} is the first of what a JVM tells of its end. */
    static boolean isHead(String line) {
        return line.equals(CRASH) || line.equals(MEMORY);
    }

    /** Whether a line without the {@link #MARK} is of the same kind. */
    static boolean isMore(String line) {
        return line.endsWith("[warning][os] Loading hsdis library failed");
    }

    /** What a process died of and where its report is; null if it has written none since then. */
    String told(long pid, Instant since) {
        Path file = of(pid);
        try {
            if (Files.getLastModifiedTime(file).toInstant().isBefore(since)) {
                return null;
            }
        } catch (IOException e) {
            return null; // there is no report
        }
        return "its Java virtual machine " + summary(file) + "; its report is " + file;
    }

    private static String summary(Path file) {
        String what = "crashed";
        try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
            String before = "";
            String line = lines.readLine();
            for (int i = 0; line != null && i < MOST_LINES; i++) {
                if (line.equals(MEMORY)) {
                    return "had too little memory (" + text(lines.readLine()) + ")";
                }
                if (before.equals(CRASH) && line.equals(MARK)) {
                    line = lines.readLine();
                    what = "crashed (" + text(line).replaceFirst(" at pc=.*", "");
                }
                if (before.equals(FRAME)) {
                    return what + " in " + text(line) + ")";
                }
                before = line == null ? "" : line;
                line = lines.readLine();
            }
        } catch (IOException e) {
            return what + " (" + e.getMessage() + ")";
        }
        return what.contains("(") ? what + ")" : what;
    }

    private static String text(String line) {
        return line == null ? "" : line.replaceFirst("^# *", "").strip();
    }
}
