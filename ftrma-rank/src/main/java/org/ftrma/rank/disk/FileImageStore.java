package org.ftrma.rank.disk;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.ftrma.spi.ImageStore;

/**
 * Images in files, one for each rank in the directory of its generation. A thread for each write does it, and calls the
 * listener; all else happens on the data thread.
 */
public final class FileImageStore implements ImageStore {
    private final ImageFile.Output output;
    private ImageMemory written;

    /** A store; what directories it uses it is told for each image. */
    public FileImageStore() {
        this(ImageFile::writeAll);
    }

    /** As above, with another way to the disk. */
    public FileImageStore(ImageFile.Output output) {
        this.output = output;
    }

    @Override
    public void write(String place, Label label, List<MemorySegment> parts, Listener listener) {
        ImageMemory memory = new ImageMemory(parts);
        written = memory;
        // Its end is not waited for: a job that is over does not wait for the disk.
        Thread.ofPlatform().daemon().name("ftrma-flush-" + label.generation())
            .start(() -> run(memory, Path.of(place), label, listener));
    }

    private void run(ImageMemory memory, Path directory, Label label, Listener listener) {
        ImageFile.Written result;
        try {
            try {
                Files.createDirectory(directory, ImageFile.ownerOnly(true));
            } catch (FileAlreadyExistsException e) {
                Thread.onSpinWait(); // another rank was first
            }
            Path file = directory.resolve(ImageFile.name(label.rank()));
            result = ImageFile.write(file, label, memory, output);
        // whoever waits for this thread must hear of all that ends it
        } catch (IOException | RuntimeException | Error e) {
            listener.failed(e instanceof ImageFile.CancelledException ? e.getMessage() : e.toString());
            return;
        }
        listener.written(result.bytes(), result.digest());
    }

    @Override
    public void cancel() {
        if (written != null) {
            written.withdraw();
        }
    }

    @Override
    public Stored open(String place, int rank) {
        return ImageFile.open(Path.of(place).resolve(ImageFile.name(rank)));
    }

    /**
     * Waits for a copy of a block within memory, and not for the disk: where that hangs, the thread that writes is left
     * behind with its copy.
     */
    @Override
    public void close() {
        if (written != null) {
            written.close();
        }
    }
}
