package org.ftrma.launch.disk;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.ftrma.FtrmaException;
import org.ftrma.MisuseException;
import org.ftrma.core.coordinator.FlushedImages;
import org.ftrma.rank.control.MachineClock;
import org.ftrma.rank.disk.DamagedImageException;
import org.ftrma.rank.disk.ImageFile;

/**
 * The launcher's side of one job's disk level: says where images belong, names complete generations and removes old
 * ones, on a thread of its own, since a disk may be slow. The job's thread, unless said otherwise.
 *
 * <pre>
 *   DIR/.part-0123456789abcdef/7/     what flush 7 is writing: rank-0000.image ..., and the manifest at last
 *   DIR/image-000003/                 the same, after it was named
 * </pre>
 */
public final class FlushKeeper implements AutoCloseable {
    private static final long LAST_NAME_SECONDS = 10;

    private final ImageDirectory directory;
    private final MachineClock clock;
    private final Path parts;
    private final ImageManifest.Job job;
    private final int keep;
    private final PrintStream log;
    private final ExecutorService worker = Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon()
        .name("ftrma-flush-keeper").factory());
    private final ConcurrentLinkedQueue<Named> done = new ConcurrentLinkedQueue<>();
    private final Map<Long, Long> begun = new ConcurrentHashMap<>();
    private volatile Runnable wakeup = () -> { };

    /**
     * What became of a flush that was to be named.
     *
     * @param number its number
     * @param name its name, or null
     * @param failure why it has none, or null
     * @param bytes of all images
     * @param nanos since its place was asked for
     */
    public record Named(long number, String name, String failure, long bytes, long nanos) {
    }

    /**
     * Makes the directory, if it is not there, and refuses one that cannot be written to; {@link #open} is next.
     *
     * @param now what the job is; its identity and its branch do not count where it goes on with another one's
     * @param from what it starts from, or null
     * @param keep how many generations of its branch stay
     * @param log for what nobody waits for
     */
    public FlushKeeper(Path path, ImageManifest.Job now, RestartChoice from, int keep, PrintStream log,
        MachineClock clock) {
        this.clock = clock;
        Path whole = path.toAbsolutePath().normalize();
        this.directory = new ImageDirectory(whole);
        this.parts = whole.resolve(ImageDirectory.UNFINISHED + newId());
        this.keep = keep;
        this.log = log;
        try {
            Files.createDirectory(whole, ImageFile.ownerOnly(true));
        } catch (FileAlreadyExistsException e) {
            if (!Files.isDirectory(whole)) {
                throw new MisuseException("--flush=" + path + ": it is not a directory");
            }
        } catch (IOException e) {
            throw new MisuseException("--flush=" + path + ": it cannot be written to: " + why(e, whole));
        }
        if (!Files.isWritable(whole)) {
            throw new MisuseException("--flush=" + path + ": it cannot be written to");
        }
        this.job = from == null ? now.withBranch(new Branch(1 + lastBranch(directory.manifests()), List.of()))
            : goingOn(now, from);
    }

    /** The same job as that of the images, and the same branch if they are the newest of it. */
    private ImageManifest.Job goingOn(ImageManifest.Job now, RestartChoice from) {
        ImageManifest.Job before = from.manifest().job();
        long generation = from.point().generation();
        List<ImageManifest> others = new ArrayList<>(directory.manifests());
        others.addAll(new ImageDirectory(from.image().getParent()).manifests());
        boolean isNewest = others.stream().noneMatch(other -> other.job().id().equals(before.id())
            && other.job().branch().number() == before.branch().number() && other.images().generation() > generation);
        Branch branch = isNewest ? before.branch() : before.branch().leaving(generation,
            1 + Math.max(lastBranch(others), before.branch().number()));
        return new ImageManifest.Job(before.id(), branch, now.program(), now.arguments(), now.protocol());
    }

    private static int lastBranch(List<ImageManifest> manifests) {
        return manifests.stream().mapToInt(manifest -> manifest.job().branch().number()).max().orElse(0);
    }

    /** What the operating system says, in words. */
    private static String why(IOException e, Path path) {
        if (e instanceof NoSuchFileException) {
            return Files.isDirectory(path.getParent()) ? "nothing can be made in " + path.getParent()
                : "there is no " + path.getParent();
        }
        return e instanceof AccessDeniedException ? "permission denied"
            : e instanceof FileSystemException known && known.getReason() != null ? known.getReason() : e.toString();
    }

    /**
     * Makes the place for images that have no name yet; from now on {@link #close} has something to remove. Once, when
     * somebody is sure to do that, and somebody else where the launcher is killed.
     *
     * @throws FtrmaException if the disk does not take it
     */
    public void open() {
        try {
            Files.createDirectory(parts, ImageFile.ownerOnly(true));
        } catch (IOException e) {
            throw new FtrmaException(FtrmaException.Category.SETUP, "--flush=" + parts.getParent()
                + ": it cannot be written to: " + why(e, parts), e);
        }
    }

    /** An identity for a job. */
    public static String newId() {
        return String.format("%016x", new SecureRandom().nextLong());
    }

    /** Its whole name. */
    public Path directory() {
        return parts.getParent();
    }

    /** All that has no name yet; to be removed where the launcher cannot. */
    public Path unfinished() {
        return parts;
    }

    /** Whom to tell that {@link #poll} has something; called by another thread. */
    public void whenDone(Runnable action) {
        wakeup = action;
    }

    /** Where the images of this flush belong. */
    public String place(long number) {
        begun.put(number, clock.nanoTime());
        return parts.resolve(Long.toString(number)).toString();
    }

    /** Names a flush; {@link #poll} tells when that is done. */
    public void name(FlushedImages images) {
        worker.execute(() -> {
            String name = null;
            String failure = null;
            try {
                name = finish(images);
            } catch (IOException | RuntimeException e) {
                failure = e instanceof FtrmaException told ? told.getMessage() : e.toString();
                remove(parts.resolve(Long.toString(images.number())));
            }
            done.add(new Named(images.number(), name, failure, images.bytes(),
                clock.nanoTime() - begun.remove(images.number())));
            wakeup.run();
            if (failure == null) {
                tryPrune();
            }
        });
    }

    private String finish(FlushedImages images) throws IOException {
        Path unnamed = parts.resolve(Long.toString(images.number()));
        byte[] manifest = new ImageManifest(job, images, Instant.now().truncatedTo(ChronoUnit.MILLIS)).encode();
        try (FileChannel channel = FileChannel.open(unnamed.resolve(ImageManifest.NAME),
            Set.of(StandardOpenOption.CREATE_NEW,
            StandardOpenOption.WRITE), ImageFile.ownerOnly(false))) {
            ByteBuffer buffer = ByteBuffer.wrap(manifest);
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
            channel.force(true);
        }
        return directory.name(unnamed).getFileName().toString();
    }

    private void tryPrune() {
        try {
            prune();
        } catch (FtrmaException e) {
            log.println("ftrma: cannot look for old images: " + e.getMessage());
        }
    }

    private void prune() {
        int found = 0;
        List<ImageDirectory.Entry> entries = directory.entries();
        for (ImageDirectory.Entry entry : entries) {
            try {
                ImageManifest.Job writer = ImageDirectory.manifest(entry.path()).job();
                // Those of another branch, also what this one went on from, are for who uses them to remove.
                if (writer.id().equals(job.id()) && writer.branch().number() == job.branch().number()
                    && ++found > keep) {
                    // Out of sight first: nobody finds a generation of which a part is gone.
                    Path old = parts.resolve("old-" + entry.name());
                    Files.move(entry.path(), old);
                    ImageDirectory.remove(old);
                }
            } catch (DamagedImageException e) {
                Thread.onSpinWait(); // nobody knows whose it was; it stays for who wants to look at it
            } catch (IOException e) {
                log.println("ftrma: cannot remove " + entry.path() + ": " + e);
            }
        }
    }

    /** What became of a flush, or null. */
    public Named poll() {
        return done.poll();
    }

    /** Removes what was written for a flush that was given up. */
    public void drop(long number) {
        begun.remove(number);
        worker.execute(() -> remove(parts.resolve(Long.toString(number))));
    }

    private void remove(Path path) {
        try {
            ImageDirectory.remove(path);
        } catch (IOException e) {
            log.println("ftrma: cannot remove " + path + ": " + e);
        }
    }

    /** Lets what is being named get its name, and removes all that has none. After the end of all ranks. */
    @Override
    public void close() {
        worker.shutdown();
        try {
            if (!worker.awaitTermination(LAST_NAME_SECONDS, TimeUnit.SECONDS)) {
                log.println("ftrma: the disk did not answer for " + LAST_NAME_SECONDS + " s; what may be left is in "
                    + parts);
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        remove(parts);
    }
}
