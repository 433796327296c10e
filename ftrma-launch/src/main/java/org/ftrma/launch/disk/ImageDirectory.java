package org.ftrma.launch.disk;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.ftrma.FtrmaException;
import org.ftrma.MisuseException;
import org.ftrma.core.coordinator.FlushedImages;
import org.ftrma.rank.disk.DamagedImageException;
import org.ftrma.rank.disk.ImageFile;
import org.ftrma.spi.ImageStore;

/**
 * A directory of generations: {@code image-000001}, {@code image-000002} and so on, in the order in which they were
 * written, each a directory with a {@link ImageManifest manifest} and the ranks' files. What has another name is no
 * generation; links are not followed. Any thread; nothing is kept.
 */
final class ImageDirectory {
    /** Of a job that writes: what has no name yet. */
    static final String UNFINISHED = ".part-";
    private static final int MAX_NUMBER = 999_999_999;
    /** Of so many damaged files of a generation it is told what is wrong with them. */
    private static final int MAX_TOLD = 8;
    private static final Pattern NAME = Pattern.compile("image-([0-9]{6,9})");

    private final Path path;

    ImageDirectory(Path path) {
        this.path = path;
    }

    /** A generation. number: its place in the order. */
    record Entry(Path path, int number) {
        String name() {
            return path.getFileName().toString();
        }
    }

    /** Whether a path is that of one generation: by its name, or by what is in it. */
    static boolean isImage(Path path) {
        return NAME.matcher(String.valueOf(path.getFileName())).matches()
            || Files.isRegularFile(path.resolve(ImageManifest.NAME), LinkOption.NOFOLLOW_LINKS);
    }

    /** The manifests of all generations that have a whole one; none where there is no directory. */
    List<ImageManifest> manifests() {
        List<ImageManifest> manifests = new ArrayList<>();
        for (Entry entry : Files.isDirectory(path) ? entries() : List.<Entry>of()) {
            try {
                manifests.add(manifest(entry.path()));
            } catch (DamagedImageException e) {
                Thread.onSpinWait(); // nobody knows what it was
            }
        }
        return manifests;
    }

    /** All generations, the newest first; refuses what is no directory. */
    List<Entry> entries() {
        List<Entry> entries = new ArrayList<>();
        for (Path entry : all()) {
            Matcher matcher = NAME.matcher(entry.getFileName().toString());
            if (matcher.matches()) {
                entries.add(new Entry(entry, Integer.parseInt(matcher.group(1))));
            }
        }
        entries.sort(Comparator.comparingInt(Entry::number).reversed().thenComparing(Entry::name));
        return entries;
    }

    /** What a job is writing, or was when it was killed together with its watchdog. */
    List<String> unfinished() {
        return all().stream().map(entry -> entry.getFileName().toString()).filter(name -> name.startsWith(UNFINISHED))
            .sorted().toList();
    }

    private List<Path> all() {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(path)) {
            entries.forEach(found::add);
        } catch (NoSuchFileException e) {
            throw new MisuseException(path + ": no such directory");
        } catch (NotDirectoryException e) {
            throw new MisuseException(path + ": it is not a directory");
        } catch (IOException e) {
            throw new FtrmaException(FtrmaException.Category.SETUP, path + ": it cannot be read: " + e, e);
        }
        return found;
    }

    /** The manifest of a generation; a {@link DamagedImageException} says what is wrong with it. */
    static ImageManifest manifest(Path image) {
        if (!Files.isDirectory(image, LinkOption.NOFOLLOW_LINKS)) {
            throw new DamagedImageException("it is not a directory");
        }
        Path file = image.resolve(ImageManifest.NAME);
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new DamagedImageException("it has no manifest");
        }
        try (var in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            return ImageManifest.decode(in.readNBytes(ImageManifest.MAX_BYTES + 1));
        } catch (IOException e) {
            throw new DamagedImageException("the manifest cannot be read: " + e, e);
        }
    }

    /**
     * Reads every byte of a generation, as many files at a time as there are processors; a
     * {@link DamagedImageException} says what is wrong with it, file by file in the order of the ranks.
     */
    static void verify(Path image, ImageManifest manifest) {
        List<String> damages = IntStream.range(0, manifest.images().parts().size()).parallel()
            .mapToObj(rank -> damage(image, manifest, rank))
            .filter(Objects::nonNull).toList();
        if (!damages.isEmpty()) {
            int told = Math.min(MAX_TOLD, damages.size());
            throw new DamagedImageException(String.join("; ", damages.subList(0, told))
                + (told < damages.size() ? "; and " + (damages.size() - told) + " more files are damaged" : ""));
        }
    }

    /** What is wrong with a rank's file, or null. */
    private static String damage(Path image, ImageManifest manifest, int rank) {
        FlushedImages images = manifest.images();
        try (ImageFile file = ImageFile.open(image.resolve(ImageFile.name(rank)))) {
            ImageStore.Label label = file.label();
            boolean same = file.fileBytes() == images.parts().get(rank).bytes()
                && Arrays.equals(file.digest(), images.parts().get(rank).digest());
            if (!same || label.rank() != rank || label.ranks() != images.parts().size()
                || label.generation() != images.generation()
                || label.step() != images.step()) {
                return ImageFile.name(rank) + ": it is not the file that the manifest tells of";
            }
            file.verify();
            return null;
        } catch (DamagedImageException e) {
            return e.getMessage();
        }
    }

    /** Gives a directory of complete images the next name. Returns its new place. */
    Path name(Path unnamed) throws IOException {
        synchronize(unnamed);
        int next = entries().stream().mapToInt(Entry::number).max().orElse(0) + 1;
        if (next > MAX_NUMBER) {
            throw new IOException(path + " holds image-" + MAX_NUMBER
                + ", after which there is no number; use another directory");
        }
        Path named = path.resolve(String.format(Locale.ROOT, "image-%06d", next));
        // Another job may write to the same directory: a rename never replaces what is there, for it is not empty.
        Files.move(unnamed, named);
        synchronize(path);
        return named;
    }

    /** What was done to the directory is on disk when this returns. */
    private static void synchronize(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /** Removes a directory and the files in it, as far as it is there; follows no links. */
    static void remove(Path directory) throws IOException {
        if (Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
                for (Path entry : entries) {
                    remove(entry);
                }
            }
        }
        Files.deleteIfExists(directory);
    }
}
