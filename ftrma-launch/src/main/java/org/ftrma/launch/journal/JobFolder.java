package org.ftrma.launch.journal;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The folder that keeps what is to be known of one job, readable by nobody else. Its name is the job's: when it began
 * (UTC), and the process of its launcher. Immutable; any thread.
 *
 * <pre>
 *   $XDG_STATE_HOME/ftrma/jobs/20260314-150926-5358/     or ~/.local/state/ftrma/jobs/...
 *     job.json        what it was asked to be
 *     events-000001.jsonl   what happened, in JSON lines; see LoggedEvent
 *     alive           when its launcher was alive last
 *     steps           how far each member was known to be
 *     counters-3      what process 3 counted; see CounterDescriptor
 *     live            while it runs: where these are
 *     result.json     how it ended
 * </pre>
 *
 * @param path the folder
 */
public record JobFolder(Path path) {
    /** So many jobs are kept at most, whatever their age. */
    public static final int MOST = 50;

    private static final Pattern NAME = Pattern.compile("[0-9]{8}-[0-9]{6}-[0-9]{1,9}(-[0-9]{1,3})?");
    private static final DateTimeFormatter BEGUN = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss")
        .withZone(ZoneOffset.UTC);
    private static final FileAttribute<?> PRIVATE = PosixFilePermissions.asFileAttribute(
        PosixFilePermissions.fromString("rwx------"));
    private static final int MOST_ALIKE = 1000;

    /** Where jobs are kept if nobody says otherwise. */
    public static Path base() {
        String state = System.getenv("XDG_STATE_HOME");
        Path home = state != null && !state.isBlank() && Path.of(state).isAbsolute() ? Path.of(state)
            : home().resolve(Path.of(".local", "state"));
        return home.resolve("ftrma").resolve("jobs");
    }

    /** As a shell has it: what the environment says, else what the system knows of the user. */
    private static Path home() {
        String home = System.getenv("HOME");
        return Path.of(home != null && home.startsWith("/") ? home : System.getProperty("user.home"));
    }

    /** Makes that of a job of this process that begins now. */
    static JobFolder create(Path parent, Instant now) throws IOException {
        Files.createDirectories(parent, PRIVATE);
        String name = BEGUN.format(now) + "-" + Launcher.here("").pid();
        for (int i = 1; i < MOST_ALIKE; i++) {
            try {
                return new JobFolder(Files.createDirectory(parent.resolve(i == 1 ? name : name + "-" + i), PRIVATE)
                    .toAbsolutePath());
            } catch (FileAlreadyExistsException e) {
                continue; // of a job that began within the same second
            }
        }
        throw new IOException(parent.resolve(name) + " is there, and " + MOST_ALIKE + " more");
    }

    /** Those of this user there, the newest first. */
    public static List<JobFolder> all(Path parent) {
        List<JobFolder> all = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(parent)) {
            for (Path entry : entries) {
                if (NAME.matcher(entry.getFileName().toString()).matches()
                    && Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)
                    && Launcher.owns(entry)) {
                    all.add(new JobFolder(entry.toAbsolutePath()));
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            return List.of(); // there is none, or none that this user may see
        }
        all.sort(Comparator.comparing(JobFolder::name).reversed());
        return all;
    }

    /** Whether a text may be the name of a job. */
    public static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    /** The job's name. */
    public String name() {
        return path.getFileName().toString();
    }

    /** The process of its launcher. */
    public long launcher() {
        return Long.parseLong(name().split("-")[2]);
    }

    /** Whether it is worth a look: it has told no result. */
    public boolean mayRun() {
        return !Files.exists(file(JobView.RESULT));
    }

    /** A file of it. */
    Path file(String name) {
        return path.resolve(name);
    }

    /**
     * Removes those of jobs that have ended, but for the newest ones. Others may do the same at the same time; what
     * cannot be removed stays, and is tried again by the next job.
     *
     * @param age of jobs that began so long ago none stays
     */
    static void removeOld(Path parent, Duration age, Instant now) {
        String oldest = BEGUN.format(now.minus(age));
        int kept = 0;
        for (JobFolder folder : all(parent)) {
            if ((kept >= MOST || folder.name().compareTo(oldest) < 0) && JobView.mayBeRemoved(folder, now)) {
                folder.remove();
            } else {
                kept++;
            }
        }
    }

    /** Since when nothing in it has been written; the beginning of time where that cannot be told. */
    Instant untouchedSince() {
        Instant latest = Instant.EPOCH;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
            latest = Files.getLastModifiedTime(path).toInstant();
            for (Path file : files) {
                Instant written = Files.getLastModifiedTime(file).toInstant();
                latest = written.isAfter(latest) ? written : latest;
            }
        } catch (IOException | DirectoryIteratorException e) {
            return latest; // it is being removed
        }
        return latest;
    }

    /** Removes it with its files; it has no folders. Whether it is gone. */
    boolean remove() {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(path);
            return true;
        } catch (IOException | DirectoryIteratorException e) {
            return !Files.exists(path);
        }
    }
}
