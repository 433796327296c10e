package org.ftrma.launch.disk;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.ftrma.FtrmaException;
import org.ftrma.MisuseException;
import org.ftrma.core.coordinator.RestartPoint;
import org.ftrma.rank.disk.DamagedImageException;

/**
 * The generation on disk that a job starts from: one that is as it was written, the newest of these if none is named.
 * Immutable; any thread.
 *
 * @param image its place
 * @param manifest what it is
 * @param refused newer ones that are damaged
 */
public record RestartChoice(Path image, ImageManifest manifest, List<Refused> refused) {
    /**
     * A generation that is not used.
     *
     * @param name its name
     * @param reason what is wrong with it
     */
    public record Refused(String name, String reason) {
    }

    /** Whether there is no directory of that name, or no generation in it. */
    public static boolean isNothingIn(Path path) {
        return !Files.exists(path) || Files.isDirectory(path) && !ImageDirectory.isImage(path)
            && new ImageDirectory(path).entries().isEmpty();
    }

    /**
     * Chooses from a directory, and reads every byte of what it chooses. What is older than the newest generation must
     * be of the line that leads there: nobody goes on from a branch that was left.
     *
     * @param path the directory, or one generation in it
     * @param job what the job is that starts; its identity does not count
     * @param lastStep generations of later steps are not taken
     * @throws MisuseException if there is nothing, or it is another job's
     * @throws FtrmaException if all there is is damaged
     */
    public static RestartChoice of(Path path, ImageManifest.Job job, long lastStep) {
        Path whole = path.toAbsolutePath().normalize();
        if (!Files.isDirectory(whole)) {
            throw new MisuseException("--restart=" + path + (Files.exists(whole) ? ": it is not a directory"
                : ": no such directory"));
        }
        List<Refused> refused = new ArrayList<>();
        List<ImageManifest> later = new ArrayList<>();
        for (ImageDirectory.Entry entry : ImageDirectory.isImage(whole) ? List.of(new ImageDirectory.Entry(whole, 1))
            : new ImageDirectory(whole).entries()) {
            try {
                ImageManifest manifest = ImageDirectory.manifest(entry.path());
                String mismatch = manifest.mismatch(job);
                if (mismatch != null) {
                    throw new MisuseException("--restart=" + path + ": the images in " + entry.name()
                        + " do not fit this job: " + mismatch);
                }
                if (!later.isEmpty() && !manifest.leadsTo(later.getFirst())) {
                    continue;
                }
                later.add(manifest);
                if (manifest.images().step() <= lastStep) {
                    ImageDirectory.verify(entry.path(), manifest);
                    return new RestartChoice(entry.path(), manifest, List.copyOf(refused));
                }
            } catch (DamagedImageException e) {
                refused.add(new Refused(entry.name(), e.getMessage()));
            }
        }
        throw nothing(path, lastStep, later, refused);
    }

    private static FtrmaException nothing(Path path, long lastStep, List<ImageManifest> later, List<Refused> refused) {
        if (!refused.isEmpty()) {
            StringBuilder text = new StringBuilder("--restart=" + path + ": none of the images in it can be used:");
            refused.forEach(one -> text.append("\n  ").append(one.name()).append(": ").append(one.reason()));
            return new FtrmaException(FtrmaException.Category.FATAL, text.toString());
        }
        return new MisuseException("--restart=" + path + (later.isEmpty() ? ": there are no images in it; --flush "
            + path + " would have written some" : ": there are no images of step " + lastStep
            + " (--restart-step) or before; the oldest of this branch are of step "
            + later.getLast().images().step()));
    }

    /** The file that says what it is. */
    public Path manifestFile() {
        return image.resolve(ImageManifest.NAME);
    }

    /** For the coordinator. */
    public RestartPoint point() {
        return new RestartPoint(manifest.images().generation(), manifest.images().step(), manifest.images().view(),
            manifest.images().timeline(),
            image.toString());
    }

    /** Its name in the directory. */
    public String name() {
        return image.getFileName().toString();
    }
}
