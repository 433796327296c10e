package org.ftrma.launch.agent;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.ftrma.FtrmaException;
import org.ftrma.options.Units;
import org.ftrma.rank.control.JobFile;

/**
 * The places of one job in the file system, readable by nobody else: a directory for the {@link JobFile} and temporary
 * files, and one in /dev/shm for the backing files of shared memory. Both go with the job, whatever its end: the
 * launcher removes them, where it is killed a {@link Watchdog} does, and where that is killed, too, a later job
 * ({@link LeftPlaces}). One thread.
 */
public final class JobDirectory implements AutoCloseable {
    /** The file in a kept folder that says where counters are while processes write them. */
    public static final String LIVE = "live";
    static final Path SHARED_MEMORY = Path.of("/dev/shm");
    private final Path path;
    private final Path sharedMemory;
    private final Path kept;
    private final Consumer<String> notes;
    private Watchdog watchdog;

    /** Makes both. */
    public JobDirectory() {
        this(List.of(), null, text -> { }); // it keeps nothing, and has nothing to say
    }

    /**
     * @param also further places that the watchdog removes where the launcher is killed; otherwise whoever made them
     * does
     * @param kept a folder to which counters are copied before they go, whatever the job's end, and in which {@link
     *     #LIVE} says meanwhile where they are; null: there is none
     * @param notes is told what goes wrong with that
     */
    JobDirectory(List<Path> also, Path kept, Consumer<String> notes) {
        this.kept = kept;
        this.notes = notes;
        Path place = base();
        try {
            boolean isShared = Files.isDirectory(SHARED_MEMORY) && Files.isWritable(SHARED_MEMORY);
            path = create(place, isShared ? null : kept);
            place = isShared ? SHARED_MEMORY : place;
            sharedMemory = isShared ? create(place, kept) : null;
            List<Path> all = new ArrayList<>(also);
            all.add(path);
            if (sharedMemory != null) {
                all.add(sharedMemory);
            }
            watchdog = new Watchdog(all, counters(), kept);
            uses(watchdog.pid());
            if (kept != null) {
                Files.writeString(kept.resolve(LIVE), counters().toString());
            }
        } catch (IOException e) {
            close();
            throw new FtrmaException(FtrmaException.Category.SETUP, whyNot(place, place.toFile().getUsableSpace(), e),
                e);
        }
    }

    /** For people, why the job has no folder there, where so many bytes are free. */
    static String whyNot(Path place, long freeBytes, IOException e) {
        return "cannot create the job's directory in " + place + ", which has " + Units.bytes(freeBytes) + " free: "
            + e.getMessage() + "; make room there, or " + (place.equals(SHARED_MEMORY)
                ? "enlarge it: mount -o remount,size=SIZE " + place + "; containers: --shm-size=SIZE"
                : "set XDG_RUNTIME_DIR to a directory of your own");
    }

    /** The folder that such places are in. */
    public static Path base() {
        String runtime = System.getenv("XDG_RUNTIME_DIR");
        if (runtime != null && !runtime.isBlank() && Files.isDirectory(Path.of(runtime))
            && Files.isWritable(Path.of(runtime))) {
            return Path.of(runtime);
        }
        return Path.of("/tmp");
    }

    /** Makes a place of a job of this process there, which {@link #delete} removes. */
    public static Path create(Path parent) throws IOException {
        return create(parent, null);
    }

    private static Path create(Path parent, Path kept) throws IOException {
        Path place = Files.createTempDirectory(parent, "ftrma-" + ProcessHandle.current().pid() + "-",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        try {
            PlaceOwners.begin(place, kept == null ? null : kept.toAbsolutePath());
            return place;
        } catch (IOException e) {
            delete(place);
            throw e;
        }
    }

    /** A process uses both places from now on. */
    void uses(long pid) {
        PlaceOwners.add(path, pid);
        if (sharedMemory != null) {
            PlaceOwners.add(sharedMemory, pid);
        }
    }

    /** The job's directory. */
    public Path path() {
        return path;
    }

    /** Where backing files of shared memory belong, or null if the system's own place must do. */
    public Path sharedMemory() {
        return sharedMemory;
    }

    /** Where processes keep their counters: in memory if there is such a place, for they are written at each step. */
    Path counters() {
        return sharedMemory == null ? path : sharedMemory;
    }

    /** Copies counters to where they are kept. */
    static void keepCounters(Path counters, Path kept) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(counters, "counters-*")) {
            for (Path file : files) {
                Files.copy(file, kept.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
            Files.deleteIfExists(kept.resolve(LIVE));
        }
    }

    private void keepCounters() {
        try {
            keepCounters(counters(), kept);
        } catch (IOException | DirectoryIteratorException e) {
            notes.accept("what the processes counted is not kept in " + kept + ": " + e);
        }
    }

    /** Removes everything, once counters are where they are kept. */
    @Override
    public void close() {
        if (kept != null && watchdog != null) {
            keepCounters();
        }
        delete(path);
        delete(sharedMemory);
        if (watchdog != null) {
            watchdog.close();
        }
    }

    /** Removes a place with all that is in it; null: none. */
    public static void delete(Path directory) {
        if (directory == null) {
            return;
        }
        try {
            Files.walkFileTree(directory, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.deleteIfExists(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                    if (e instanceof NoSuchFileException) {
                        return FileVisitResult.CONTINUE;
                    }
                    throw e;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path visited, IOException e) throws IOException {
                    Files.deleteIfExists(visited);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new FtrmaException(FtrmaException.Category.SETUP,
                "cannot remove the job's directory " + directory + ": " + e, e);
        }
    }
}
