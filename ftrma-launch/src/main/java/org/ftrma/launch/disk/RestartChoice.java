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
 * The generation on disk that a job starts from: the newest one that is as it was written. Immutable; any thread.
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

    /**
     * Chooses from a directory, and reads every byte of what it chooses.
     *
     * @param job what the job is that starts; its identity does not count
     * @throws MisuseException if there is nothing, or it is another job's
     * @throws FtrmaException if all there is is damaged
     */
    public static RestartChoice of(Path path, ImageManifest.Job job) {
        Path whole = path.toAbsolutePath().normalize();
        if (!Files.isDirectory(whole)) {
            throw new MisuseException("--restart=" + path + (Files.exists(whole) ? ": it is no directory"
                : ": there is no such directory"));
        }
        List<Refused> refused = new ArrayList<>();
        for (ImageDirectory.Entry entry : new ImageDirectory(whole).entries()) {
            try {
                ImageManifest manifest = ImageDirectory.manifest(entry.path());
                String mismatch = manifest.mismatch(job);
                if (mismatch != null) {
                    throw new MisuseException("--restart=" + path + ": the images in " + entry.name()
                        + " do not fit this job: " + mismatch);
                }
                ImageDirectory.verify(entry.path(), manifest);
                return new RestartChoice(entry.path(), manifest, List.copyOf(refused));
            } catch (DamagedImageException e) {
                refused.add(new Refused(entry.name(), e.getMessage()));
            }
        }
        if (refused.isEmpty()) {
            throw new MisuseException("--restart=" + path + ": there are no images in it; --flush " + path
                + " would have written some");
        }
        StringBuilder text = new StringBuilder("--restart=" + path + ": none of the images in it can be used:");
        refused.forEach(one -> text.append("\n  ").append(one.name()).append(": ").append(one.reason()));
        throw new FtrmaException(FtrmaException.Category.FATAL, text.toString());
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
