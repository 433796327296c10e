package org.ftrma.launch.disk;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.ftrma.FtrmaException;
import org.ftrma.spi.ImageStore;

/**
 * Images in files, one for each rank in the directory of its generation. A thread for each write does it, and calls the listener; all else happens on
 * the data thread.
 */
public final class FileImageStore implements ImageStore {
    private Write write;

    /** A store; what directories it uses it is told for each image. */
    public FileImageStore() {
    }

    /** One write; its fields are read by its thread. */
    private static final class Write {
        private final CountDownLatch memoryRead = new CountDownLatch(1);
        private volatile boolean cancelled;
    }

    @Override
    public void write(String place, Label label, List<MemorySegment> parts, Listener listener) {
        Write begun = new Write();
        write = begun;
        // Its end is not waited for: a job that is over does not wait for the disk.
        Thread.ofPlatform().daemon().name("ftrma-flush-" + label.generation()).start(() -> run(begun, Path.of(place), label, parts, listener));
    }

    private static void run(Write begun, Path directory, Label label, List<MemorySegment> parts, Listener listener) {
        ImageFile.Written written;
        try {
            try {
                Files.createDirectory(directory, ImageFile.ownerOnly(true));
            } catch (FileAlreadyExistsException e) {
                Thread.onSpinWait(); // another rank was first
            }
            Path file = directory.resolve(ImageFile.name(label.rank()));
            written = ImageFile.write(file, label, parts, () -> begun.cancelled, begun.memoryRead::countDown);
        } catch (IOException | RuntimeException | Error e) { // whoever waits for this thread must hear of all that ends it
            begun.memoryRead.countDown();
            listener.failed(e instanceof ImageFile.CancelledException ? e.getMessage() : e.toString());
            return;
        }
        listener.written(written.bytes(), written.digest());
    }

    @Override
    public void cancel() {
        if (write != null) {
            write.cancelled = true;
        }
    }

    @Override
    public Stored open(String place, int rank) {
        return ImageFile.open(Path.of(place).resolve(ImageFile.name(rank)));
    }

    /** Waits for the end of the block that is being written, without bound: a process whose disk hangs ends with its job, by force. */
    @Override
    public void close() {
        cancel();
        try {
            if (write != null) {
                write.memoryRead.await();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FtrmaException(FtrmaException.Category.FATAL, "interrupted while an image was still being written", e);
        }
    }
}
